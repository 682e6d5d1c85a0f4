package dev.orrery.server;

import dev.orrery.gateway.tls.CertificateFiles;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Under which names clients find the server, and who of them is let in. */
final class DoorOptions {
    @Option(
            names = "--advertise",
            paramLabel = "URL",
            description = "Address that clients are told to use (default: the one they used).")
    private String advertise;

    @Option(
            names = "--certificate-name",
            paramLabel = "NAME",
            description = {
                "Further host name or address for the certificate; may be repeated.",
                "With the well-known key only these, localhost and --advertise are served.",
                "Default: $ORRERY_CERTIFICATE_NAMES, separated by commas."
            })
    private List<String> certificateNames = List.of();

    @Option(
            names = "--allow-origin",
            paramLabel = "ORIGIN",
            description = {
                "Web pages that may write besides those of this machine, such as https://app.example;",
                "may be repeated; *: all."
            })
    private List<String> allowedOrigins = List.of();

    @Option(
            names = "--allow-well-known-key",
            description = {
                "Accept the well-known key also where other machines can reach the server,",
                "such as between the containers of a test."
            })
    private boolean allowWellKnownKey;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = {
                "Certificate of your own, read again when it changes: PEM, with --certificate-key,",
                "or PFX. Default: one is made and kept with the data."
            })
    private String certificate;

    @Option(
            names = "--certificate-key",
            paramLabel = "FILE",
            description = "Its key, as PEM, if that is not in the same file.")
    private String certificateKey;

    @Option(
            names = "--certificate-password",
            paramLabel = "TEXT",
            description = "Password of the PFX or the key (default: $ORRERY_CERTIFICATE_PASSWORD).")
    private String certificatePassword;

    Door door(Given given) {
        return new Door(
                given.text(advertise, "advertise").map(DoorOptions::checkedUrl),
                certificateNames.isEmpty() ? given.texts("certificateNames") : certificateNames,
                origins(allowedOrigins.isEmpty() ? given.texts("allowOrigins") : allowedOrigins),
                allowWellKnownKey || given.flag("allowWellKnownKey"),
                certificateFiles(given));
    }

    private Optional<CertificateFiles> certificateFiles(Given given) {
        var key = given.text(certificateKey, "certificateKey").map(Path::of);
        var file = given.text(certificate, "certificate").map(Path::of);
        if (key.isPresent() && file.isEmpty()) {
            throw new UserError("--certificate-key is the key of which certificate? Name it with --certificate.");
        }
        return file.map(
                path -> new CertificateFiles(path, key, given.text(certificatePassword, "certificatePassword")));
    }

    /** As browsers spell them; a page from a file calls itself null. */
    private static Set<String> origins(List<String> texts) {
        var origins = new HashSet<String>();
        for (var text : texts) {
            var lower = text.toLowerCase(Locale.ROOT);
            boolean isWord = lower.equals("*") || lower.equals("null");
            if (!isWord && (lower.endsWith("/") || !isAddress(lower + "/"))) {
                throw new UserError("An origin must look like https://app.example:3000, not '" + text + "'.");
            }
            origins.add(lower);
        }
        return origins;
    }

    /** SDKs put paths behind it, so it ends with a slash and says nothing more than where the server is. */
    private static String checkedUrl(String text) {
        var url = text.endsWith("/") ? text : text + "/";
        if (!isAddress(url)) {
            throw new UserError("The address to advertise must look like https://db.example:8081, not '" + text + "'.");
        }
        return url;
    }

    private static boolean isAddress(String text) {
        try {
            var url = new URI(text);
            return url.getHost() != null
                    && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                    && "/".equals(url.getPath())
                    && url.getQuery() == null
                    && url.getFragment() == null;
        } catch (URISyntaxException malformed) {
            return false;
        }
    }
}
