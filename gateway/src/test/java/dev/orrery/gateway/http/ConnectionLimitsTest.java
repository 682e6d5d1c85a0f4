package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionLimitsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final Duration SHORT = Duration.ofMillis(20);

    private final HeldTime time = new HeldTime();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G",
                "GET / HTTP/1.1\r\nHost: x",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                GET + "GET / HT"
            })
    void aRequestThatStopsHalfWayTimesOut(String sent) throws Exception {
        try (var server = serve(HttpLimits.defaults().withRequestTimeout(SHORT));
                var client = RawClient.to(server)) {
            client.send(sent);
            if (sent.startsWith(GET)) {
                assertThat(client.reply().status()).isEqualTo(200);
            }
            time.flow();
            var reply = client.reply();
            assertThat(reply.status()).isEqualTo(408);
            assertThat(reply.body()).startsWith("{\"code\":\"RequestTimeout\"");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void whoeverStopsHalfWayHoldsNobodyUp() throws Exception {
        var silent = new ArrayList<RawClient>();
        try (var server = serve(HttpLimits.defaults().withRequestTimeout(SHORT));
                var client = RawClient.to(server)) {
            for (int i = 0; i < 100; i++) {
                silent.add(RawClient.to(server).send("POST /dbs HT"));
            }
            Await.until("all are there", () -> server.connectionCount() == 101);
            assertThat(client.send(GET).reply().status()).isEqualTo(200);
            assertThat(server.connectionCount()).as("nobody is given up yet").isEqualTo(101);
            time.flow();
            for (var late : silent) {
                assertThat(late.reply().status()).isEqualTo(408);
            }
        } finally {
            for (var late : silent) {
                late.close();
            }
        }
    }

    @Test
    void aRequestThatDripsInTimesOutAsWell() throws Exception {
        try (var server = serve(HttpLimits.defaults().withRequestTimeout(SHORT));
                var client = RawClient.to(server)) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
            time.flow();
            var answered = new AtomicBoolean();
            var drip = Thread.ofVirtual().start(() -> {
                while (!answered.get()) {
                    client.sendIfTaken(new byte[1]);
                    Thread.onSpinWait();
                }
            });
            assertThat(client.reply().status()).isEqualTo(408);
            answered.set(true);
            drip.join();
        }
    }

    @Test
    void anIdleConnectionIsClosedWithoutAWord() throws Exception {
        try (var server = serve(HttpLimits.defaults().withIdleTimeout(SHORT));
                var fresh = RawClient.to(server);
                var used = RawClient.to(server)) {
            assertThat(used.send(GET).reply().status()).isEqualTo(200);
            time.flow();
            assertThat(used.isClosed()).isTrue();
            assertThat(fresh.isClosed()).isTrue();
        }
    }

    @Test
    void lineEndsBetweenRequestsAreNoRequest() throws Exception {
        try (var server = serve(HttpLimits.defaults().withRequestTimeout(SHORT));
                var client = RawClient.to(server)) {
            assertThat(client.send(GET + "\r\n").reply().status()).isEqualTo(200);
            time.flow();
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void anAnswerMayTakeLongerThanAnyTimeout() throws Exception {
        var limits = HttpLimits.defaults().withIdleTimeout(SHORT).withRequestTimeout(SHORT);
        var late = new CompletableFuture<Runnable>();
        HttpHandler slow = (request, reply) -> late.complete(() -> Handlers.echo(request, reply));
        try (var server = HttpServer.start(time.loopback().withLimits(limits), slow);
                var idle = RawClient.to(server);
                var client = RawClient.to(server)) {
            client.send(GET);
            late.join();
            time.pass(Duration.ofHours(1));
            assertThat(idle.isClosed()).as("time has passed").isTrue();
            late.join().run();
            assertThat(client.reply().status()).isEqualTo(200);
        }
    }

    @Test
    void aReplyThatNobodyReadsIsGivenUp() throws Exception {
        var reply = HttpReply.status(200).body(new byte[30_000_000]).build();
        try (var server = HttpServer.start(
                        time.loopback().withLimits(HttpLimits.defaults().withReplyTimeout(SHORT)),
                        (request, answer) -> answer.accept(reply));
                var client = RawClient.to(server)) {
            client.send(GET);
            Await.until("the reply is on its way", () -> server.bufferBytes() > 0);
            time.flow();
            Await.until("the connection is closed", () -> server.connectionCount() == 0);
            Await.until("nothing is held", () -> server.bufferBytes() == 0);
        }
    }

    @Test
    void oneConnectionTooManyIsTurnedAwayUntilThereIsRoom() throws Exception {
        try (var server = serve(HttpLimits.defaults().withConnectionsMax(2));
                var first = RawClient.to(server);
                var second = RawClient.to(server)) {
            assertThat(first.send(GET).reply().status()).isEqualTo(200);
            assertThat(second.send(GET).reply().status()).isEqualTo(200);
            try (var third = RawClient.to(server)) {
                var reply = third.send(GET).reply();
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.body()).startsWith("{\"code\":\"ServiceUnavailable\"");
                assertThat(third.isClosed()).isTrue();
            }
            first.reset();
            Await.until("there is room", () -> server.connectionCount() == 1);
            try (var fourth = RawClient.to(server)) {
                assertThat(fourth.send(GET).reply().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aCrowdThatIsTurnedAwayLeavesRoomWhenItHasGone() throws Exception {
        try (var server = serve(HttpLimits.defaults().withConnectionsMax(1))) {
            var crowd = new ArrayList<RawClient>();
            for (var i = 0; i < 400; i++) {
                crowd.add(RawClient.to(server));
            }
            for (var client : crowd) {
                client.close();
            }
            // Not all of the crowd need have come in yet.
            Await.until("there is room", () -> isServed(server));
        }
    }

    @Test
    void allBodiesTogetherAreLimited() throws Exception {
        var megabyte = 1024 * 1024;
        var head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + 2 * megabyte + "\r\n\r\n";
        try (var server = serve(HttpLimits.defaults().withBodiesBytesMax(2L * megabyte + 100))) {
            var first = RawClient.to(server).send(head).send(new byte[2 * megabyte - 1]);
            Await.until("most of a body is there", () -> server.bodyBytes() == 2L * megabyte);
            try (var second = RawClient.to(server)) {
                second.send(head).sendIfTaken(new byte[2 * megabyte]);
                var refused = second.reply();
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.header("x-ms-substatus")).isEqualTo("3092");
                assertThat(refused.header("x-ms-retry-after-ms")).isNotEmpty();
            }
            try (var small = RawClient.to(server)) {
                small.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16000\r\n\r\n")
                        .send(new byte[16_000]);
                assertThat(small.reply().status()).isEqualTo(200);
            }
            first.reset();
            Await.until("the memory is given back", () -> server.bodyBytes() == 0);
            try (var third = RawClient.to(server)) {
                third.send(head).send(new byte[2 * megabyte]);
                assertThat(third.reply().status()).isEqualTo(200);
                assertThat(server.bodyBytes()).isZero();
            }
        }
    }

    @Test
    void anAnnouncedBodyCostsNothingUntilItArrives() throws Exception {
        try (var server = serve(HttpLimits.defaults());
                var client = RawClient.to(server)) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\na");
            Await.until("the first byte is there", () -> server.bodyBytes() > 0);
            assertThat(server.bodyBytes()).isLessThanOrEqualTo(64 * 1024);
        }
    }

    private HttpServer serve(HttpLimits limits) {
        return HttpServer.start(
                time.loopback().withLimits(limits),
                (request, reply) -> reply.accept(HttpReply.status(200).build()));
    }

    private static boolean isServed(HttpServer server) {
        try (var client = RawClient.to(server)) {
            return client.send(GET).reply().status() == 200;
        } catch (IOException closed) {
            return false;
        }
    }
}
