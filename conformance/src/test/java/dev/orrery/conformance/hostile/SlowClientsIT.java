package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that send half a request, or send it slowly, or hang up, hold nobody else up. */
@Execution(ExecutionMode.CONCURRENT) // Each test mostly waits.
class SlowClientsIT {
    // The server gives a request thirty seconds from its first byte to its last.
    private static final int TIMEOUT_MILLIS = 45_000;

    @Test
    void halfAHeadIsGivenUpOn() throws IOException {
        try (var connection = new WireConnection(SharedServer.running().port())) {
            connection.send("GET /dbs HTTP/1.1\r\nHost: local".getBytes(StandardCharsets.US_ASCII));
            assertThat(connection.endsWithin(TIMEOUT_MILLIS)).isTrue();
        }
    }

    @Test
    void halfABodyIsGivenUpOn() throws IOException {
        try (var connection = new WireConnection(SharedServer.running().port())) {
            var bytes = create("half");
            connection.send(Arrays.copyOf(bytes, bytes.length - 5));
            assertThat(connection.endsWithin(TIMEOUT_MILLIS)).isTrue();
        }
    }

    @Test
    void aByteNowAndThenDoesNotKeepARequestAlive() throws Exception {
        try (var connection = new WireConnection(SharedServer.running().port())) {
            connection.send("GET /dbs HTTP/1.1\r\nHost: localhost\r\n".getBytes(StandardCharsets.US_ASCII));
            var trickle = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (true) {
                        connection.send("x-ms-filler: 1\r\n".getBytes(StandardCharsets.US_ASCII));
                        Thread.sleep(1_000);
                    }
                } catch (IOException | InterruptedException closed) {
                    // The server has given up, which is what the test waits for.
                }
            });
            assertThat(connection.endsWithin(TIMEOUT_MILLIS)).isTrue();
            trickle.interrupt();
            trickle.join();
        }
    }

    @Test
    void aRequestInSmallPiecesIsARequest() throws Exception {
        try (var connection = new WireConnection(SharedServer.running().port())) {
            var bytes = client().bytes(WireRequest.of("GET", "/dbs"));
            for (var at = 0; at < bytes.length; at += 7) {
                connection.send(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 7)));
                Thread.sleep(1);
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
            var started = System.nanoTime();
            assertThat(client().get("/dbs").status()).isEqualTo(200);
            assertThat(System.nanoTime() - started).isLessThan(5_000_000_000L);
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
