package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random and mutated bytes never stop the server, never get a 500, and leave nothing behind. */
final class RequestFuzzTest {
    private static final List<String> SEEDS = List.of(
            "GET /dbs/a/colls/b/docs/c?d=e HTTP/1.1\r\nHost: x\r\nx-ms-date: now\r\nAuthorization: y\r\n\r\n",
            "POST /dbs HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;e=f\r\nabcde\r\n0\r\nT: u\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
    private static final List<String> MORSELS = List.of(
            "\r\n",
            "\r",
            "\n",
            ":",
            " ",
            "\t",
            "\u0000",
            "\u0016\u0003\u0001",
            "\u00ff",
            ";",
            "=",
            "0",
            "-1",
            "Content-Length: 5\r\n",
            "Content-Length: 99999999999\r\n",
            "Transfer-Encoding: chunked\r\n",
            "chunked",
            "Connection: close\r\n",
            "Host: y\r\n",
            "HTTP/1.1",
            "HTTP/9.9",
            "FFFFFFFF\r\n",
            "%",
            "a".repeat(5_000));

    private static final long MINUTES = Long.getLong("fuzz.minutes", 0);
    private static final int ROUNDS = Integer.getInteger("fuzz.cases", 1_000);

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void theServerSurvivesWhateverItIsSent() throws Exception {
        System.out.println("RequestFuzzTest: -Dtest.seed=" + seed);
        try (var log = new LogCapture(HttpConnection.class);
                var server = HttpServer.start(HeldTime.config(), Handlers::echo)) {
            var endNanos = System.nanoTime() + MINUTES * 60_000_000_000L;
            for (var round = 0; MINUTES > 0 ? System.nanoTime() - endNanos < 0 : round < ROUNDS; round++) {
                attack(server);
                if (round % 50 == 0) {
                    assertServes(server);
                }
            }
            assertServes(server);
            Await.until("every connection has gone", () -> server.connectionCount() == 0);
            Await.until("nothing is held", () -> server.bufferBytes() == 0 && server.bodyBytes() == 0);
            assertThat(log.errors()).isEmpty();
        }
    }

    private void attack(HttpServer server) throws IOException {
        var bytes = random.nextInt(10) == 0 ? noise() : mutated();
        try (var client = RawClient.to(server)) {
            for (var at = 0; at < bytes.length; ) {
                var length = Math.min(bytes.length - at, 1 + random.nextInt(bytes.length));
                client.sendIfTaken(java.util.Arrays.copyOfRange(bytes, at, at + length));
                at += length;
            }
            switch (random.nextInt(3)) {
                case 0 -> client.reset();
                case 1 -> assertEveryReplyIsProper(client);
                default -> {}
            }
        }
    }

    // Whatever was sent, what comes back is HTTP, and never the server's fault.
    private static void assertEveryReplyIsProper(RawClient client) throws IOException {
        client.stopSending();
        while (true) {
            var reply = client.replyOrEnd();
            if (reply.isEmpty()) {
                return;
            }
            assertThat(reply.get().status()).isIn(100, 200, 400, 408, 413, 417, 431, 505);
        }
    }

    private byte[] noise() {
        var bytes = new byte[1 + random.nextInt(2_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] mutated() {
        var out = new ByteArrayOutputStream();
        for (var i = random.nextInt(4); i >= 0; i--) {
            out.writeBytes(SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.ISO_8859_1));
        }
        var bytes = out.toByteArray();
        for (var i = random.nextInt(4); i > 0; i--) {
            bytes = mutate(bytes);
        }
        return bytes;
    }

    private byte[] mutate(byte[] bytes) {
        var at = random.nextInt(bytes.length);
        var end = Math.min(bytes.length, at + random.nextInt(20));
        var out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        switch (random.nextInt(4)) {
            case 0 -> out.writeBytes(MORSELS.get(random.nextInt(MORSELS.size())).getBytes(StandardCharsets.ISO_8859_1));
            case 1 -> out.write(bytes, at, end - at); // said twice
            case 2 -> at = end; // left out
            default -> {
                out.write(bytes[at] ^ (1 << random.nextInt(8)));
                at++;
            }
        }
        out.write(bytes, at, bytes.length - at);
        return out.size() == 0 ? bytes : out.toByteArray();
    }

    private static void assertServes(HttpServer server) throws IOException {
        try (var client = RawClient.to(server)) {
            var reply = client.send("POST /good?q HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok")
                    .reply();
            assertThat(reply.body()).isEqualTo("POST /good ?q ok");
        }
    }
}
