package dev.orrery.conformance.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Comparator;

/** The one server that every suite uses that does not need to stop or kill its own. */
public final class SharedServer {
    public static final String SECONDARY_KEY = key("secondary");
    public static final String READ_ONLY_KEY = key("read-only");

    /** An address of this machine that the certificate names besides those of any server. */
    public static final String CERTIFICATE_NAME = "127.0.0.2";

    private static final Path FOLDER = temporaryFolder();
    private static OrreryServer server;
    private static boolean failed;

    private SharedServer() {}

    public static synchronized OrreryServer running() {
        if (failed) {
            throw new IllegalStateException("the shared server did not start, see the first test that failed");
        }
        if (server == null) {
            failed = true;
            server = OrreryServer.start(
                    FOLDER.resolve("data"),
                    "--secondary-key",
                    SECONDARY_KEY,
                    "--read-only-key",
                    READ_ONLY_KEY,
                    "--certificate-name",
                    CERTIFICATE_NAME);
            Runtime.getRuntime().addShutdownHook(new Thread(SharedServer::remove));
            trust(server);
            failed = false;
        }
        return server;
    }

    /** The certificate the server hands out, as a file for clients that take one. */
    public static Path certificate() {
        running();
        return FOLDER.resolve("cert.pem");
    }

    /** The same with its key, for another server that the clients of this JVM are to trust. */
    public static Path certificateWithKey() {
        running();
        return FOLDER.resolve("data").resolve("tls").resolve("orrery.pem");
    }

    private static String key(String name) {
        return Base64.getEncoder().encodeToString(name.repeat(8).getBytes(StandardCharsets.UTF_8));
    }

    static synchronized OrreryServer ifRunning() {
        return server;
    }

    /** Makes the served certificate the only one this JVM trusts, before any client opens a connection. */
    private static void trust(OrreryServer server) {
        try {
            var pem = FOLDER.resolve("cert.pem");
            try (var served = server.http().resolve("/_orrery/cert.pem").toURL().openStream()) {
                Files.write(pem, served.readAllBytes());
            }
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            try (var certificate = Files.newInputStream(pem)) {
                store.setCertificateEntry(
                        "orrery", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
            }
            var file = FOLDER.resolve("trust.p12");
            try (var out = Files.newOutputStream(file)) {
                store.store(out, "orrery".toCharArray());
            }
            System.setProperty("javax.net.ssl.trustStore", file.toString());
            System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
            System.setProperty("javax.net.ssl.trustStorePassword", "orrery");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("the served certificate cannot be used", failure);
        }
    }

    private static void remove() {
        server.close();
        try (var files = Files.walk(FOLDER)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("orrery-conformance");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
