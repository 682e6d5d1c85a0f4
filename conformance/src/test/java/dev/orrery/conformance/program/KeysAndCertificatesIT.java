package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.Signature;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and certificates of one's own, and their replacement under a running server. */
class KeysAndCertificatesIT {
    private static final String FIRST = "Zmlyc3Qga2V5IG9mIHRoZSBhY2NvdW50LCBtYWRlIGZvciB0ZXN0cw==";
    private static final String SECOND = "c2Vjb25kIGtleSBvZiB0aGUgYWNjb3VudCwgbWFkZSBmb3IgdGVzdHM=";
    private static final String THIRD = "dGhpcmQga2V5IG9mIHRoZSBhY2NvdW50LCBtYWRlIGZvciB0ZXN0cw==";

    @TempDir
    Path folder;

    @Test
    void keysAreReplacedWithoutARestart() throws IOException {
        var primary = file("primary", FIRST + "\n");
        var secondary = file("secondary", SECOND);
        try (var server = OrreryServer.startInMemory(
                folder, "--key-file", primary.toString(), "--secondary-key-file", secondary.toString())) {
            var port = server.port();
            assertThat(status(port, FIRST)).isEqualTo(200);
            assertThat(status(port, SECOND)).isEqualTo(200);

            // Clients use the second key while the first one is replaced.
            replace(primary, THIRD);
            Await.until("the new key is good", () -> {
                assertThat(status(port, SECOND)).isEqualTo(200);
                return status(port, THIRD) == 200;
            });
            assertThat(status(port, FIRST)).isEqualTo(401);

            replace(primary, "no key at all");
            Await.until(
                    "it is told that this is none",
                    () -> server.log().lines().stream().anyMatch(line -> line.contains("keys stay as they were")));
            assertThat(status(port, THIRD)).isEqualTo(200);
        }
    }

    @Test
    void aTokenOutlivesTheChangeOfThePrimaryKey() throws IOException {
        var primary = file("primary", FIRST);
        var secondary = file("secondary", SECOND);
        try (var server = OrreryServer.startInMemory(
                folder, "--key-file", primary.toString(), "--secondary-key-file", secondary.toString())) {
            var owner = new WireClient(server.port(), FIRST);
            owner.post("/dbs", "{\"id\":\"d\"}");
            owner.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\"}}");
            owner.post("/dbs/d/users", "{\"id\":\"u\"}");
            var permission = owner.post(
                    "/dbs/d/users/u/permissions",
                    "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\"}");
            assertThat(permission.status()).isEqualTo(201);
            var token = new ObjectMapper()
                    .readTree(permission.body())
                    .path("_token")
                    .textValue();

            replace(secondary, FIRST);
            replace(primary, THIRD);
            Await.until("the new key is good", () -> status(server.port(), THIRD) == 200);
            assertThat(readWith(server, token)).isEqualTo(200);

            replace(secondary, SECOND);
            Await.until("the old one is gone", () -> status(server.port(), FIRST) == 401);
            assertThat(readWith(server, token)).isEqualTo(403);
        }
    }

    @Test
    void aCertificateOfOnesOwnIsServedAndReplaced() throws Exception {
        var pfx = folder.resolve("server.pfx");
        makeCertificate(pfx, "CN=first");
        try (var server = OrreryServer.startInMemory(
                folder, "--certificate", pfx.toString(), "--certificate-password", "secret")) {
            assertThat(subject(server)).isEqualTo("CN=first");
            var published = new WireClient(server).exchange(WireRequest.of("GET", "/_orrery/cert.pem"));
            assertThat(published.body()).startsWith("-----BEGIN CERTIFICATE-----");

            var next = folder.resolve("next.pfx");
            makeCertificate(next, "CN=second");
            Files.move(next, pfx, StandardCopyOption.REPLACE_EXISTING);
            Await.until("the new certificate is served", () -> subject(server).equals("CN=second"));

            Files.writeString(pfx, "half of a");
            Await.until(
                    "it is told that this is none",
                    () -> server.log().lines().stream().anyMatch(line -> line.contains("certificate stays as it was")));
            assertThat(subject(server)).isEqualTo("CN=second");
        }
    }

    @Test
    void whatCannotBeUsedIsToldInWords() throws IOException {
        assertThat(OrreryServer.run(folder, "start", "--memory", "--port", "0", "--certificate", "none.pem")
                        .output())
                .contains("https cannot be served", "there is no file none.pem")
                .doesNotContain("\tat ");
        assertThat(OrreryServer.run(folder, "start", "--memory", "--port", "0", "--certificate-key", "key.pem")
                        .output())
                .contains("--certificate.");
        assertThat(OrreryServer.run(folder, "start", "--memory", "--port", "0", "--key-file", "none")
                        .output())
                .contains("The key file none cannot be read")
                .doesNotContain("\tat ");
        var empty = file("empty", "\n").toString();
        assertThat(OrreryServer.run(folder, "start", "--memory", "--port", "0", "--key-file", empty)
                        .output())
                .contains("must be base64")
                .doesNotContain("\tat ");
    }

    @Test
    void theWellKnownKeyIsGoodForOtherMachinesWhereThatIsSaid() throws InterruptedException {
        try (var server = OrreryServer.startInMemory(
                folder, "--host", "0.0.0.0", "--allow-well-known-key", "--certificate-name", "orrery")) {
            assertThat(server.log().waitFor("can read and change everything")).isTrue();
            var client = new WireClient(server);
            for (var host : List.of("localhost", "orrery:8081", "172.17.0.2:8081")) {
                assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", host))
                                .status())
                        .as(host)
                        .isEqualTo(200);
            }
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", "evil.example"))
                            .status())
                    .isEqualTo(421);
        }
    }

    @Test
    void whoChangesWhatDescribesTheDataIsNoted() throws IOException {
        var log = folder.resolve("audit.ndjson");
        try (var server = OrreryServer.startInMemory(
                folder,
                "--key",
                FIRST,
                "--secondary-key",
                SECOND,
                "--read-only-key",
                THIRD,
                "--audit-log",
                "audit.ndjson")) {
            var owner = new WireClient(server.port(), FIRST);
            owner.send(WireRequest.of("POST", "/dbs")
                    .header("User-Agent", "audited")
                    .body("{\"id\":\"d\"}"));
            new WireClient(server.port(), SECOND)
                    .post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\"}}");
            new WireClient(server.port(), THIRD).send(WireRequest.of("DELETE", "/dbs/d"));
            owner.get("/dbs/d/colls/c");
            owner.get("/dbs/d/users/u/permissions/p");
            owner.post("/dbs", "not json");
            owner.send(WireRequest.of("DELETE", "/dbs/d"));
            new WireClient(server.port(), "AAAA").get("/dbs/d/colls/c/docs/i");
            var date = Signature.date(Instant.now());
            owner.exchange(WireRequest.of("POST", "/_orrery/backup")
                    .header("x-ms-date", date)
                    .header("authorization", Signature.ofNames(FIRST, "POST", "/", date)));

            var json = new ObjectMapper();
            var lines = new ArrayList<String>();
            for (var line : Files.readAllLines(log)) {
                var entry = json.readTree(line);
                lines.add(entry.path("by").textValue() + " "
                        + entry.path("operation").textValue() + " "
                        + entry.path("resource").textValue() + " "
                        + entry.path("status").intValue());
            }
            assertThat(lines)
                    .containsExactly(
                            "primary key CreateResource dbs/d 201",
                            "secondary key CreateResource dbs/d/colls/c 201",
                            "read-only key DeleteResource dbs/d 403",
                            "primary key ReadResource dbs/d/users/u/permissions/p 404",
                            "primary key CreateResource dbs/ 400",
                            "primary key DeleteResource dbs/d 204",
                            " Refused /dbs/d/colls/c/docs/i 401",
                            "primary key Command /_orrery/backup 400");
            var first = json.readTree(Files.readAllLines(log).getFirst());
            assertThat(first.path("agent").textValue()).isEqualTo("audited");
            assertThat(first.path("from").textValue()).contains("127.0.0.1");
            assertThat(Files.readString(log)).doesNotContain(FIRST, SECOND, THIRD);
        }
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    /** Whole or not at all, as tools that rotate keys do it. */
    private void replace(Path file, String content) throws IOException {
        Files.move(file("next", content), file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static int status(int port, String key) {
        return new WireClient(port, key).get("/dbs").status();
    }

    private static int readWith(OrreryServer server, String token) {
        return new WireClient(server)
                .exchange(WireRequest.of("GET", "/dbs/d/colls/c")
                        .header(
                                "authorization",
                                token.replace("=", "%3D")
                                        .replace("&", "%26")
                                        .replace("+", "%2B")
                                        .replace("/", "%2F")
                                        .replace(";", "%3B")))
                .status();
    }

    private static void makeCertificate(Path pfx, String name) throws IOException, InterruptedException {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var process = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-alias",
                        "server",
                        "-dname",
                        name,
                        "-keystore",
                        pfx.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    /** Whose certificate a new connection gets. */
    private static String subject(OrreryServer server) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustingAll()}, null);
            try (var socket = (SSLSocket)
                    context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.startHandshake();
                return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                        .getSubjectX500Principal()
                        .getName();
            }
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static final class TrustingAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
