package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.tls.ServerCertificate;
import dev.orrery.store.Await;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that vanish at every possible moment leave no buffer behind. */
final class LeakTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final List<String> HALF_SENT = List.of(
            "",
            "GET / HT",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
            "nonsense\r\n\r\nand more of it",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nabcdef",
            GET.repeat(50),
            GET.repeat(50) + "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
            "\u0016",
            "\u0016\u0003\u0001\u0000\u0005abc");

    private ResourceLeakDetector.Level level;

    @BeforeEach
    void trackEveryBuffer() {
        level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void trackNoMore() {
        ResourceLeakDetector.setLevel(level);
    }

    @Test
    void clientsThatVanishLeaveNothingBehind() throws Exception {
        var certificate = ServerCertificate.create(List.of(), Optional.empty(), Clock.systemUTC(), new SecureRandom());
        var large = HttpReply.status(200).body(new byte[300_000]).build();
        HttpHandler slow = (request, reply) ->
                CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS).execute(() -> reply.accept(large));
        var time = new HeldTime();
        time.flow();
        var config = time.loopback()
                .withTls(() -> CompletableFuture.completedFuture(certificate.sslContext()))
                .withLimits(HttpLimits.defaults().withRequestTimeout(Duration.ofMillis(300)));
        try (var log = new LogCapture(ResourceLeakDetector.class);
                var server = HttpServer.start(config, slow)) {
            for (var round = 0; round < 5; round++) {
                for (var sent : HALF_SENT) {
                    vanish(server, sent);
                }
            }
            Await.until("every connection has gone", () -> server.connectionCount() == 0);
            Await.until("nothing is held", () -> server.bufferBytes() == 0 && server.bodyBytes() == 0);
            provokeReports(server.allocator());
            assertThat(log.errors()).isEmpty();
        }
    }

    @Test
    void aRealLeakIsNoticed() throws Exception {
        try (var log = new LogCapture(ResourceLeakDetector.class)) {
            leak(PooledByteBufAllocator.DEFAULT);
            while (log.errors().isEmpty()) {
                provokeReports(PooledByteBufAllocator.DEFAULT);
            }
        }
    }

    private static void vanish(HttpServer server, String sent) throws IOException {
        var bytes = sent.getBytes(StandardCharsets.ISO_8859_1);
        var abrupt = RawClient.to(server).sendIfTaken(bytes);
        abrupt.reset();
        try (var polite = RawClient.to(server)) {
            polite.sendIfTaken(bytes);
        }
        try (var halfClosed = RawClient.to(server)) {
            halfClosed.sendIfTaken(bytes).stopSending();
            halfClosed.replyOrEnd();
        } catch (SocketException reset) {
            // By the server, which does not wait for those that are slow.
        }
    }

    // The detector notices a lost buffer once it is collected, and says so when the next one is allocated.
    private static void provokeReports(ByteBufAllocator allocator) throws InterruptedException {
        for (var i = 0; i < 3; i++) {
            System.gc();
            Await.pause(10, "references are queued by another thread");
            allocator.directBuffer(16).release();
        }
    }

    @SuppressWarnings("CheckReturnValue") // losing it is the point
    private static void leak(ByteBufAllocator allocator) {
        allocator.directBuffer(16);
    }
}
