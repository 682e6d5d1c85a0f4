package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Web pages that let a name of their own lead to this machine, or write across origins. They all know the key. */
class RebindingIT {
    private static final String OWN_KEY = "b3JyZXJ5LWNvbmZvcm1hbmNlLWtleS1vZi1vdXItb3du";
    private static final String DATABASE = "{\"id\":\"rebinding\"}";

    @TempDir
    Path folder;

    @Test
    void aNameThatSomebodyLetLeadHereIsNotServed() {
        var client = new WireClient(SharedServer.running());
        for (var path : List.of("/", "/dbs", "/_orrery/status", "/_orrery/health")) {
            var reply = client.send(WireRequest.of("GET", path).header("Host", "evil.example:8081"));
            assertThat(reply.status()).as(path).isEqualTo(421);
            assertThat(reply.body()).contains("--certificate-name evil.example");
        }
        assertThat(client.send(WireRequest.of("POST", "/dbs")
                                .header("Host", "evil.example")
                                .header("Origin", "http://evil.example")
                                .body(DATABASE))
                        .status())
                .isEqualTo(421);
        assertThat(client.send(WireRequest.of("OPTIONS", "/dbs").header("Host", "evil.example"))
                        .status())
                .isEqualTo(421);
        assertThat(client.get("/dbs/rebinding").status()).isEqualTo(404);
        for (var host : List.of("localhost:1", "127.0.0.1:49153", "[::1]:8081", "shop.localhost")) {
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", host))
                            .status())
                    .as(host)
                    .isEqualTo(200);
        }
    }

    @Test
    void theHostOfAnAbsoluteTargetIsTheOneThatIsMeant() {
        var client = new WireClient(SharedServer.running());
        var evil = client.exchange(
                absolute(client.signed(WireRequest.of("GET", "/dbs").header("Host", "localhost")), "evil.example"));
        assertThat(evil.status()).isEqualTo(421);
        assertThat(evil.body()).contains("--certificate-name evil.example");
        var local = client.exchange(absolute(
                client.signed(WireRequest.of("GET", "/dbs").header("Host", "evil.example")), "localhost:8081"));
        assertThat(local.status()).isEqualTo(200);
    }

    private static WireRequest absolute(WireRequest request, String authority) {
        var absolute = WireRequest.of(request.method(), "http://" + authority + request.path());
        for (var header : request.headers()) {
            absolute = absolute.header(header.name(), header.value());
        }
        return absolute;
    }

    @Test
    void twoOriginsAreNoneThatMayWrite() {
        var client = new WireClient(SharedServer.running());
        var both = WireRequest.of("POST", "/dbs")
                .header("Origin", "http://localhost:3000")
                .header("Origin", "https://evil.example")
                .body(DATABASE);
        assertThat(client.send(both).status()).isEqualTo(400);
        assertThat(client.get("/dbs/rebinding").status()).isEqualTo(404);
    }

    @Test
    void whatIsNoNameAtAllIsAMistakeOfTheRequest() {
        var client = new WireClient(SharedServer.running());
        for (var host : List.of("", ":80", "a b", "a:b", "[::1", "a@localhost", "http://localhost")) {
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", host))
                            .status())
                    .as("'" + host + "'")
                    .isEqualTo(400);
        }
    }

    @Test
    void namesThatTheServerWasToldAreServedAndInItsCertificate() throws CertificateException {
        try (var server = OrreryServer.startInMemory(
                folder, "--certificate-name", "orrery", "--advertise", "https://db.example:8081")) {
            var client = new WireClient(server);
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", "orrery:8081"))
                            .status())
                    .as("a service of a compose file")
                    .isEqualTo(200);
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", "db.example:8081"))
                            .status())
                    .isEqualTo(200);
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", "evil.example"))
                            .status())
                    .isEqualTo(421);
            var pem = client.exchange(WireRequest.of("GET", "/_orrery/cert.pem"))
                    .body()
                    .getBytes(StandardCharsets.US_ASCII);
            var certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
            assertThat(certificate.getSubjectAlternativeNames())
                    .extracting(name -> name.get(1).toString())
                    .contains("localhost", "orrery", "db.example");
        }
    }

    @Test
    void withAKeyOfOnesOwnEveryNameIsServed() {
        try (var server =
                OrreryServer.startInMemory(folder, "--key", OWN_KEY, "--allow-origin", "https://app.example")) {
            var client = new WireClient(server.port(), OWN_KEY);
            assertThat(client.send(WireRequest.of("GET", "/dbs").header("Host", "anything.example"))
                            .status())
                    .isEqualTo(200);
            assertThat(create(client, "https://app.example", "a").status()).isEqualTo(201);
            assertThat(create(client, "https://evil.example", "b").status()).isEqualTo(403);
        }
    }

    @Test
    void pagesFromElsewhereMayNotWrite() {
        var client = new WireClient(SharedServer.running());
        for (var origin : List.of("https://evil.example", "null", "http://localhost.evil.example", "http://[")) {
            var refused = create(client, origin, "rebinding");
            assertThat(refused.status()).as(origin).isEqualTo(403);
            assertThat(refused.body()).contains("--allow-origin");
            assertThat(refused.header("access-control-allow-origin")).isEmpty();
        }
        var deleted = client.send(WireRequest.of("DELETE", "/dbs/rebinding").header("Origin", "https://evil.example"));
        assertThat(deleted.status()).isEqualTo(403);
        assertThat(create(client, "http://localhost:3000", "rebinding").status())
                .isEqualTo(201);
        assertThat(client.send(WireRequest.of("DELETE", "/dbs/rebinding").header("Origin", "http://127.0.0.1:3000"))
                        .status())
                .isEqualTo(204);
    }

    @Test
    void aPageMayWriteToTheServerThatItCameFrom() {
        try (var server = OrreryServer.startInMemory(folder, "--certificate-name", "orrery")) {
            var reply = new WireClient(server)
                    .send(WireRequest.of("POST", "/dbs")
                            .header("Host", "orrery:8081")
                            .header("Origin", "https://orrery:8081")
                            .body(DATABASE));
            assertThat(reply.status()).isEqualTo(201);
        }
    }

    @Test
    void whatIsNoOriginIsRefusedInWords() {
        assertThat(OrreryServer.run(folder, "start", "--memory", "--allow-origin", "app.example")
                        .output())
                .contains("https://app.example:3000")
                .doesNotContain("\tat ");
    }

    private static WireReply create(WireClient client, String origin, String id) {
        return client.send(
                WireRequest.of("POST", "/dbs").header("Origin", origin).body("{\"id\":\"" + id + "\"}"));
    }
}
