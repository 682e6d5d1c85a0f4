package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.tls.ServerCertificate;
import dev.orrery.store.Await;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class HttpsTest {
    private static ServerCertificate certificate;
    private static SSLContext trusting;
    private static HttpServer server;

    @BeforeAll
    static void start() throws Exception {
        certificate = ServerCertificate.create(List.of(), Optional.empty(), Clock.systemUTC(), new SecureRandom());
        trusting = trust(certificate.pem());
        server = HttpServer.start(config(certificate.sslContext()), Handlers::echo);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void servesBothSchemesOnOnePort() throws Exception {
        try (var client = HttpClient.newBuilder().sslContext(trusting).build()) {
            for (var base : List.of("http://localhost", "https://localhost", "https://127.0.0.1", "https://[::1]")) {
                var reply = post(client, base + ":" + server.port() + "/a?b", "body");
                assertThat(reply.statusCode()).isEqualTo(200);
                assertThat(reply.body()).isEqualTo("POST /a ?b body");
            }
        }
    }

    @Test
    void tellsTheHandlerWhetherARequestIsSecure() throws Exception {
        HttpHandler secureOrNot = (request, reply) ->
                reply.accept(HttpReply.status(request.secure() ? 201 : 202).build());
        try (var other = HttpServer.start(config(certificate.sslContext()), secureOrNot);
                var client = HttpClient.newBuilder().sslContext(trusting).build()) {
            assertThat(post(client, "https://localhost:" + other.port(), "").statusCode())
                    .isEqualTo(201);
            assertThat(post(client, "http://localhost:" + other.port(), "").statusCode())
                    .isEqualTo(202);
        }
    }

    @Test
    void carriesLargeBodiesBothWays() throws Exception {
        var body = "0123456789abcdef".repeat(200_000);
        try (var client = HttpClient.newBuilder().sslContext(trusting).build()) {
            var reply = post(client, "https://localhost:" + server.port() + "/", body);
            assertThat(reply.body()).isEqualTo("POST / ? " + body);
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws Exception {
        try (var client = secureClient(server)) {
            var sent = new StringBuilder();
            for (var i = 0; i < 500; i++) {
                sent.append("GET /").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            client.send(sent.toString());
            for (var i = 0; i < 500; i++) {
                assertThat(client.reply().body()).isEqualTo("GET /" + i + " ? ");
            }
        }
    }

    @Test
    void tellsTheReasonBeforeItHangsUp() throws Exception {
        try (var client = secureClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
            client.sendIfTaken(new byte[1_000_000]);
            assertThat(client.reply().status()).isEqualTo(413);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void waitsForACertificateThatIsStillBeingMade() throws Exception {
        var later = new CompletableFuture<SslContext>();
        try (var other = HttpServer.start(HeldTime.config().withTls(() -> later), Handlers::echo);
                var client = HttpClient.newBuilder().sslContext(trusting).build()) {
            var secure = client.sendAsync(
                    request("https://localhost:" + other.port() + "/tls", ""), BodyHandlers.ofString());
            assertThat(post(client, "http://localhost:" + other.port() + "/plain", "")
                            .body())
                    .isEqualTo("POST /plain ? ");
            assertThat(secure).isNotDone();
            later.complete(certificate.sslContext());
            assertThat(secure.join().body()).isEqualTo("POST /tls ? ");
        }
    }

    @Test
    void hangsUpWhenTlsCannotBeHad() throws Exception {
        var never = CompletableFuture.<SslContext>failedFuture(new IOException("no certificate"));
        try (var other = HttpServer.start(HeldTime.config().withTls(() -> never), Handlers::echo);
                var client = RawClient.to(other)) {
            assertThat(client.send(new byte[] {0x16, 3, 1, 0, 5}).isClosed()).isTrue();
            assertStillServes(other);
        }
    }

    @Test
    void hangsUpOnWhatOnlyBeginsLikeTls() throws Exception {
        try (var client = RawClient.to(server)) {
            client.send(new byte[] {0x16}).sendIfTaken("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (!client.isClosed()) {
                // the alert that the server sends before it closes
            }
        }
        assertStillServes(server);
    }

    @Test
    void hangsUpOnAHandshakeThatDoesNotEnd() throws Exception {
        var limits = HttpLimits.defaults().withHandshakeTimeout(Duration.ofMillis(100));
        try (var other = HttpServer.start(config(certificate.sslContext()).withLimits(limits), Handlers::echo);
                var client = RawClient.to(other)) {
            assertThat(client.send(new byte[] {0x16, 3, 1}).isClosed()).isTrue();
            assertStillServes(other);
        }
    }

    private static void assertStillServes(HttpServer server) throws IOException {
        try (var client = RawClient.to(server)) {
            var reply = client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n").reply();
            assertThat(reply.body()).isEqualTo("GET /x ? ");
        }
    }

    private static HttpServerConfig config(SslContext tls) {
        return HeldTime.config().withTls(() -> CompletableFuture.completedFuture(tls));
    }

    private static RawClient secureClient(HttpServer server) throws IOException {
        return RawClient.over(trusting.getSocketFactory().createSocket("localhost", server.port()));
    }

    private static HttpResponse<String> post(HttpClient client, String uri, String body) throws Exception {
        return client.send(request(uri, body), BodyHandlers.ofString());
    }

    private static java.net.http.HttpRequest request(String uri, String body) {
        return java.net.http.HttpRequest.newBuilder(URI.create(uri))
                .POST(BodyPublishers.ofString(body))
                .timeout(Await.PATIENCE)
                .build();
    }

    private static SSLContext trust(String pem) throws GeneralSecurityException, IOException {
        var certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("orrery", certificate);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
