package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Clients that send half a request, or send it slowly, or hang up, hold nobody else up. */
class SlowClientsIT {
    /** All together, because the server gives each of them half a minute from its first byte to its last. */
    @Test
    void halfARequestIsGivenUpOnAndAByteNowAndThenDoesNotKeepItAlive() throws Exception {
        try (var halfAHead = new WireConnection(SharedServer.running().port());
                var halfABody = new WireConnection(SharedServer.running().port());
                var trickling = new WireConnection(SharedServer.running().port())) {
            halfAHead.send("GET /dbs HTTP/1.1\r\nHost: local".getBytes(StandardCharsets.US_ASCII));
            var bytes = create("half");
            halfABody.send(Arrays.copyOf(bytes, bytes.length - 5));
            trickling.send("GET /dbs HTTP/1.1\r\nHost: localhost\r\n".getBytes(StandardCharsets.US_ASCII));
            var trickle = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (true) {
                        trickling.send("x-ms-filler: 1\r\n".getBytes(StandardCharsets.US_ASCII));
                        Await.pause(1_000, "a head has a size");
                    }
                } catch (IOException closed) {
                    // The server has given up, which is what the test waits for.
                }
            });
            trickling.awaitEnd();
            halfAHead.awaitEnd();
            halfABody.awaitEnd();
            trickle.join();
        }
    }

    @Test
    void aRequestInSmallPiecesIsARequest() throws Exception {
        try (var connection = new WireConnection(SharedServer.running().port())) {
            var bytes = client().bytes(WireRequest.of("GET", "/dbs"));
            for (var at = 0; at < bytes.length; at += 7) {
                connection.send(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 7)));
                Await.pause(1, "so that the pieces arrive as such");
            }
            assertThat(connection.reply().status()).isEqualTo(200);
        }
    }

    @Test
    void manyRequestsSentAtOnceAreAnsweredInOrder() throws IOException {
        try (var connection = new WireConnection(SharedServer.running().port())) {
            for (var i = 0; i < 50; i++) {
                connection.send(client().bytes(WireRequest.of("GET", i % 2 == 0 ? "/dbs" : "/dbs/none-" + i)));
            }
            for (var i = 0; i < 50; i++) {
                assertThat(connection.reply().status()).isEqualTo(i % 2 == 0 ? 200 : 404);
            }
        }
    }

    @Test
    void clientsThatHangUpAreForgotten() throws IOException {
        for (var i = 0; i < 50; i++) {
            try (var connection = new WireConnection(SharedServer.running().port())) {
                var bytes = create("hang-up");
                connection.send(Arrays.copyOf(bytes, bytes.length * i / 50));
            }
        }
        assertThat(client().get("/dbs").status()).isEqualTo(200);
    }

    @Test
    void aHundredSilentConnectionsHoldNobodyUp() throws IOException {
        var silent = new ArrayList<WireConnection>();
        try {
            for (var i = 0; i < 100; i++) {
                silent.add(new WireConnection(SharedServer.running().port()));
                silent.getLast().send("POST /dbs HT".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(client().get("/dbs").status()).isEqualTo(200);
        } finally {
            for (var connection : silent) {
                connection.close();
            }
        }
    }

    @Test
    void theBodyOfARefusedRequestIsNoRequest() throws IOException {
        // A request inside the body of another must not be answered, whatever becomes of the outer one.
        try (var connection = new WireConnection(SharedServer.running().port())) {
            var inner = client().bytes(WireRequest.of("GET", "/dbs"));
            connection.send(
                    client().bytes(WireRequest.of("POST", "/dbs/none/colls").body(inner)));
            connection.finishSending();
            assertThat(connection.reply().status()).isBetween(400, 404);
            assertThat(connection.rest()).isEmpty();
        }
    }

    private static WireClient client() {
        return new WireClient(SharedServer.running());
    }

    private static byte[] create(String id) {
        return client().bytes(WireRequest.of("POST", "/dbs/none/colls/none/docs")
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .body("{\"id\":\"" + id + "\",\"pk\":\"a\"}"));
    }
}
