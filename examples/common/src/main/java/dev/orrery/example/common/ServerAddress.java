package dev.orrery.example.common;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of a server from the command line. */
final class ServerAddress implements ITypeConverter<URI> {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    @Override
    public URI convert(String text) {
        try {
            var address = new URI(text);
            if (address.getHost() != null && SCHEMES.contains(address.getScheme())) {
                return address;
            }
        } catch (URISyntaxException _) {
            // Said below, and without the text: a whole connection string has a key in it.
        }
        throw new TypeConversionException("it must be an address such as http://localhost:8081.");
    }
}
