package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.socket.Transport;
import dev.orrery.store.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HttpConnectionTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void repliesKeepTheOrderOfTheRequestsHoweverLateTheyCome() throws Exception {
        var random = new Random(7);
        try (var server = serve(
                        (request, reply) -> CompletableFuture.delayedExecutor(random.nextInt(3), TimeUnit.MILLISECONDS)
                                .execute(() -> Handlers.echo(request, reply)));
                var client = RawClient.to(server)) {
            client.send(IntStream.range(0, 300)
                    .mapToObj("POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"::formatted)
                    .reduce("", String::concat));
            for (var i = 0; i < 300; i++) {
                assertThat(client.reply().body()).isEqualTo("POST /" + i + " ? ab");
            }
        }
    }

    @Test
    void requestsSentFarAheadDoNotNest() throws Exception {
        try (var server = serve(Handlers::echo);
                var client = RawClient.to(server)) {
            var sender = CompletableFuture.runAsync(
                    () -> client.sendIfTaken(GET.repeat(10_000).getBytes(StandardCharsets.US_ASCII)));
            for (var i = 0; i < 10_000; i++) {
                assertThat(client.reply().status()).isEqualTo(200);
            }
            sender.join();
        }
    }

    @Test
    void requestsThatWaitForALateAnswerDoNotNest() throws Exception {
        var first = new AtomicReference<Consumer<HttpReply>>();
        var count = new AtomicInteger();
        try (var server = serve((request, reply) -> {
                    if (count.getAndIncrement() == 0) {
                        first.set(reply);
                    } else {
                        reply.accept(HttpReply.status(200).build());
                    }
                });
                var client = RawClient.to(server)) {
            client.send(GET.repeat(20_000));
            Await.until("the first request is there", () -> first.get() != null);
            first.get().accept(HttpReply.status(201).build());
            assertThat(client.reply().status()).isEqualTo(201);
            for (var i = 1; i < 20_000; i++) {
                assertThat(client.reply().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aClientThatDoesNotReadIsNotServedAhead() throws Exception {
        var requests = 2_000;
        var body = new byte[100_000];
        var served = new AtomicInteger();
        try (var server = serve((request, reply) -> {
                    served.incrementAndGet();
                    reply.accept(HttpReply.status(200).body(body).build());
                });
                var client = RawClient.to(server)) {
            client.send(GET.repeat(requests));
            for (var before = -1; before != served.get(); ) {
                before = served.get();
                Await.pause(100, "sockets have room for a while");
            }
            assertThat(served.get()).isLessThan(requests);
            assertThat(server.bufferBytes()).isLessThan(4 * 1024 * 1024);
            for (var i = 0; i < requests; i++) {
                assertThat(client.reply().body()).hasSize(body.length);
            }
        }
    }

    @Test
    void aClientThatStopsSendingStillGetsItsReplies() throws Exception {
        var late = new ArrayList<Runnable>();
        try (var server = serve((request, reply) -> {
                    synchronized (late) {
                        late.add(() -> Handlers.echo(request, reply));
                    }
                });
                var client = RawClient.to(server)) {
            client.send(GET + GET).stopSending();
            for (var i = 0; i < 2; i++) {
                var answered = i;
                Await.until("a request is there", () -> size(late) > answered);
                late.get(i).run();
                assertThat(client.reply().body()).isEqualTo("GET / ? ");
            }
            assertThat(client.isClosed()).isTrue();
        }
    }

    // Not on epoll: there Netty loses a socket whose input has ended when it has to wait for its output.
    @Test
    void aClientThatStopsSendingWhileItReadsGetsTheWholeReply() throws Exception {
        var reply = HttpReply.status(200).body(new byte[20_000_000]).build();
        try (var server =
                        HttpServer.start(HeldTime.config(), (request, answer) -> answer.accept(reply), Transport.NIO);
                var client = RawClient.to(server)) {
            client.send(GET);
            Await.until("the reply does not fit", () -> server.bufferBytes() > 0);
            client.stopSending();
            assertThat(client.reply().body()).hasSize(20_000_000);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void theClientDecidesWhetherTheConnectionStays() throws Exception {
        try (var server = serve(Handlers::echo)) {
            assertStays(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "");
            assertStays(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n", "");
            assertStays(server, "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "keep-alive");
            assertCloses(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertCloses(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n" + GET);
            assertCloses(server, "GET / HTTP/1.0\r\n\r\n");
            assertCloses(server, "GET / HTTP/1.1\r\nHost: x\r\nA: " + "b".repeat(40_000) + "\r\n\r\n");
        }
    }

    @Test
    void theHandlerMayEndTheConnection() throws Exception {
        try (var server = serve(
                (request, reply) -> reply.accept(HttpReply.status(200).close().build()))) {
            assertCloses(server, GET);
        }
    }

    @Test
    void aBodyIsLeftOutWhereHttpForbidsOne() throws Exception {
        var status = new AtomicInteger(200);
        try (var server = serve((request, reply) -> reply.accept(
                        HttpReply.status(status.get()).body(new byte[5]).build()));
                var client = RawClient.to(server)) {
            var head = client.send(GET.replace("GET", "HEAD")).replyToHead();
            assertThat(head.header("content-length")).isEqualTo("5");
            for (var bodiless : List.of(204, 304)) {
                status.set(bodiless);
                var reply = client.send(GET).reply();
                assertThat(reply.status()).isEqualTo(bodiless);
                assertThat(reply.headers()).doesNotContainKey("content-length");
            }
            status.set(200);
            assertThat(client.send(GET).reply().body()).hasSize(5);
        }
    }

    @Test
    void aLargeReplyInPartsArrivesWhole() throws Exception {
        var random = new Random(11);
        var parts = IntStream.range(0, 60)
                .mapToObj(i -> {
                    var bytes = new byte[random.nextInt(100_000)];
                    random.nextBytes(bytes);
                    for (var j = 0; j < bytes.length; j++) {
                        bytes[j] = (byte) ('a' + (bytes[j] & 15));
                    }
                    return i % 3 == 0
                            ? ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()
                            : ByteBuffer.wrap(bytes);
                })
                .toList();
        var reply = HttpReply.status(200);
        parts.forEach(reply::body);
        var built = reply.build();
        try (var server = serve((request, answer) -> answer.accept(built));
                var client = RawClient.to(server)) {
            var expected = new String(built.bodyBytes(), StandardCharsets.US_ASCII);
            for (var i = 0; i < 2; i++) {
                assertThat(client.send(GET).reply().body().equals(expected)).isTrue();
            }
        }
    }

    @Test
    void headersGoOutInOrderWithTheServersOwn() throws Exception {
        var block = HeaderBlock.of("x-a", "1", "x-b", "");
        var config = HttpServerConfig.loopback(InstantSource.fixed(Instant.parse("2026-03-01T04:05:06.789Z")), () -> 0);
        HttpHandler handler = (request, reply) -> reply.accept(HttpReply.status(449)
                .header("x-first", "f")
                .headers(block)
                .header("x-last", "l")
                .body("{}".getBytes(StandardCharsets.US_ASCII))
                .build());
        try (var server = HttpServer.start(config, handler);
                var client = RawClient.to(server)) {
            var reply = client.send(GET).reply();
            assertThat(reply.status()).isEqualTo(449);
            assertThat(reply.headers())
                    .containsEntry("x-first", "f")
                    .containsEntry("x-a", "1")
                    .containsEntry("x-b", "")
                    .containsEntry("x-last", "l")
                    .containsEntry("date", "Sun, 01 Mar 2026 04:05:06 GMT")
                    .containsEntry("content-length", "2")
                    .hasSize(6);
        }
    }

    @Test
    void aBodyIsAskedForWhenTheClientWaitsForThat() throws Exception {
        try (var server = serve(Handlers::echo);
                var client = RawClient.to(server)) {
            client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n");
            assertThat(client.reply().status()).isEqualTo(100);
            assertThat(client.send("abc").reply().body()).isEqualTo("PUT / ? abc");
            client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(client.reply().status()).isEqualTo(100);
            assertThat(client.send("1\r\na\r\n0\r\n\r\n").reply().body()).isEqualTo("PUT / ? a");
        }
    }

    @Test
    void aBodyMayBeAsLongAsTheLimitAndNoLonger() throws Exception {
        var limit = HttpLimits.defaults().bodyBytesMax();
        try (var server = serve((request, reply) -> reply.accept(HttpReply.status(200)
                .header("x-length", Integer.toString(request.body().length))
                .build()))) {
            for (var excess : List.of(0, 1)) {
                try (var client = RawClient.to(server)) {
                    client.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: " + (limit + excess) + "\r\n\r\n")
                            .sendIfTaken(new byte[limit + excess]);
                    assertTakenOrTooLarge(client, excess, limit);
                }
                try (var client = RawClient.to(server)) {
                    client.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
                    client.sendIfTaken(chunked(new byte[limit + excess], 10_000));
                    assertTakenOrTooLarge(client, excess, limit);
                }
            }
        }
    }

    @Test
    void headersAreFoundInAnyCaseAndEmptyOnesAreAbsent() throws Exception {
        try (var server = serve((request, reply) -> reply.accept(HttpReply.status(200)
                        .header("x-found", request.header("X-Ms-Date").orElse("absent"))
                        .header("x-empty", request.header("x-ms-continuation").orElse("absent"))
                        .header("x-remote", request.remote().getHostString())
                        .build()));
                var client = RawClient.to(server)) {
            var reply = client.send("GET / HTTP/1.1\r\nHost: x\r\nx-mS-dAte: now\r\nx-ms-continuation:\r\n\r\n")
                    .reply();
            assertThat(reply.header("x-found")).isEqualTo("now");
            assertThat(reply.header("x-empty")).isEqualTo("absent");
            assertThat(reply.header("x-remote")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void servesWithoutNativeTransportAsWell() throws Exception {
        try (var server = HttpServer.start(HeldTime.config(), Handlers::echo, Transport.NIO);
                var client = RawClient.to(server)) {
            client.send(GET + GET).stopSending();
            assertThat(client.reply().body()).isEqualTo("GET / ? ");
            assertThat(client.reply().body()).isEqualTo("GET / ? ");
            assertThat(client.isClosed()).isTrue();
        }
    }

    private static HttpServer serve(HttpHandler handler) {
        return HttpServer.start(HeldTime.config(), handler);
    }

    private static int size(List<?> list) {
        synchronized (list) {
            return list.size();
        }
    }

    private static void assertStays(HttpServer server, String request, String connection) throws IOException {
        try (var client = RawClient.to(server)) {
            var reply = client.send(request).reply();
            assertThat(reply.header("connection")).isEqualTo(connection);
            assertThat(client.send(request).reply().status()).isEqualTo(200);
        }
    }

    private static void assertCloses(HttpServer server, String request) throws IOException {
        try (var client = RawClient.to(server)) {
            assertThat(client.send(request).reply().header("connection")).isEqualTo("close");
            assertThat(client.isClosed()).isTrue();
        }
    }

    private static void assertTakenOrTooLarge(RawClient client, int excess, int limit) throws IOException {
        var reply = client.reply();
        if (excess == 0) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("x-length")).isEqualTo(Integer.toString(limit));
        } else {
            assertThat(reply.status()).isEqualTo(413);
            assertThat(client.isClosed()).isTrue();
        }
    }

    private static byte[] chunked(byte[] body, int chunkLength) {
        var out = new java.io.ByteArrayOutputStream();
        for (var at = 0; at < body.length; at += chunkLength) {
            var length = Math.min(chunkLength, body.length - at);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body, at, length);
            out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }
}
