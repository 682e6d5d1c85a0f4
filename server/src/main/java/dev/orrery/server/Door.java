package dev.orrery.server;

import dev.orrery.gateway.auth.ServedNames;
import dev.orrery.gateway.tls.CertificateFiles;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How clients find the server, and who of them is let in.
 *
 * @param advertised the address that clients are told to use, absent to tell them the one they used
 * @param certificateNames names for the certificate besides the local ones
 * @param allowedOrigins web pages that may write besides those of this machine
 * @param allowsWellKnownKey whether the key that everybody knows is good for other machines, too
 * @param certificateFiles a certificate of one's own; absent for one that is made here
 */
record Door(
        Optional<String> advertised,
        List<String> certificateNames,
        Set<String> allowedOrigins,
        boolean allowsWellKnownKey,
        Optional<CertificateFiles> certificateFiles) {

    Door {
        certificateNames = List.copyOf(certificateNames);
        allowedOrigins = Set.copyOf(allowedOrigins);
    }

    /** What the server answers to, in its certificate or in what it tells clients, besides the local names. */
    ServedNames servedNames() {
        var names = new ArrayList<>(certificateNames);
        advertised.ifPresent(url -> names.add(URI.create(url).getHost()));
        return ServedNames.of(names, allowsWellKnownKey);
    }
}
