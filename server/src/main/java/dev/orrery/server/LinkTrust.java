package dev.orrery.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whom a region believes to be another one, by the certificates in a file. */
final class LinkTrust {
    private LinkTrust() {}

    /** Reads one certificate after another, as PEM. */
    static SSLContext of(Path file) {
        try (var in = Files.newInputStream(file)) {
            var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("region " + trusted.size(), certificate);
            }
            if (trusted.size() == 0) {
                throw new UserError("There is no certificate in " + file + ".");
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException unreadable) {
            throw new UserError(
                    "The certificates of other regions cannot be read from " + file + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }
}
