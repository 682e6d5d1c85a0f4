package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StreamedReplyTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    /** Whoever waited for it would not come back before the net against hanging. */
    private static final HttpLimits LONG_DRAIN = HttpLimits.defaults().withDrainTimeout(Duration.ofDays(1));

    private final Source source = new Source();
    private final HeldTime time = new HeldTime();
    private HttpServer server;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyPieceIsAChunkAndTheEndIsTold() throws Exception {
        serve(HttpLimits.defaults());
        try (var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            source.give("first");
            assertThat(until(client, "first\r\n"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Connection: close\r\n", "Transfer-Encoding: chunked\r\n")
                    .doesNotContain("Content-Length")
                    .endsWith("\r\n\r\n5\r\nfirst\r\n");
            source.give("a second one");
            source.end();
            assertThat(rest(client)).isEqualTo("c\r\na second one\r\n0\r\n\r\n");
            Await.until("the stream is closed", () -> source.closes.get() > 0);
        }
    }

    @Test
    void aClientThatDoesNotKnowChunksGetsTheBodyAsItIs() throws Exception {
        serve(HttpLimits.defaults());
        try (var client = connect()) {
            client.getOutputStream().write(ascii("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
            source.give("first");
            source.give("second");
            source.end();
            assertThat(rest(client))
                    .contains("Connection: close\r\n")
                    .doesNotContain("chunked")
                    .endsWith("\r\n\r\nfirstsecond");
        }
    }

    @Test
    void aPieceIsAskedForOnlyWhenTheClientHasTakenTheLast() throws Exception {
        serve(HttpLimits.defaults());
        source.endless = Optional.of(new byte[256 * 1024]);
        try (var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            Await.until("the first piece is asked for", () -> source.asked.get() > 0);
            var asked = settled();
            assertThat(asked).as("pieces that sockets hold").isLessThan(100);
            client.getInputStream().readNBytes(64 * 1024 * 1024);
            Await.until("more is asked for", () -> source.asked.get() > asked);
        }
        Await.until("the stream is closed", () -> source.closes.get() > 0);
    }

    @Test
    void aStreamThatHasNothingToSayOutlivesEveryTimeout() throws Exception {
        var brief = Duration.ofMillis(20);
        serve(HttpLimits.defaults()
                .withIdleTimeout(brief)
                .withReplyTimeout(brief)
                .withRequestTimeout(brief));
        try (var idle = connect();
                var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            until(client, "\r\n\r\n");
            time.pass(Duration.ofHours(1));
            assertThat(rest(idle)).as("time has passed").isEmpty();
            source.give("late");
            assertThat(until(client, "late\r\n")).isEqualTo("4\r\nlate\r\n");
        }
    }

    @Test
    void aClientThatTakesNothingIsGivenUp() throws Exception {
        serve(HttpLimits.defaults().withReplyTimeout(Duration.ofMillis(20)));
        time.flow();
        source.endless = Optional.of(new byte[256 * 1024]);
        try (var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            Await.until("the stream is closed", () -> source.closes.get() > 0);
            Await.until("the connection is closed", () -> server.connectionCount() == 0);
        }
    }

    @Test
    void aClientThatLeavesEndsTheStreamAtOnce() throws Exception {
        serve(HttpLimits.defaults());
        try (var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            until(client, "\r\n\r\n");
        }
        Await.until("the stream is closed", () -> source.closes.get() > 0);
    }

    @Test
    void aClientThatLeftBeforeTheReplyEndsTheStreamToo() throws Exception {
        var late = new CompletableFuture<Runnable>();
        server = HttpServer.start(
                time.loopback(),
                (request, reply) -> late.complete(
                        () -> reply.accept(HttpReply.status(200).stream(source).build())));
        try (var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            late.get();
        }
        late.get().run();
        Await.until("the stream is closed", () -> source.closes.get() > 0);
    }

    @Test
    void whatElseAClientSendsIsIgnored() throws Exception {
        serve(HttpLimits.defaults());
        try (var client = connect()) {
            client.getOutputStream().write(ascii(GET + GET + GET));
            until(client, "\r\n\r\n");
            client.getOutputStream().write(ascii(GET));
            source.give("one");
            source.end();
            assertThat(rest(client)).isEqualTo("3\r\none\r\n0\r\n\r\n");
        }
    }

    @Test
    void aServerThatClosesDoesNotWaitAndDoesNotPretendThatItWasTheEnd() throws Exception {
        serve(LONG_DRAIN);
        try (var quiet = connect()) {
            quiet.getOutputStream().write(ascii(GET));
            source.give("one");
            until(quiet, "one\r\n");
            server.close();
            assertThat(rest(quiet)).isEmpty();
            assertThat(source.closes.get()).isPositive();
        }
    }

    @Test
    void aClientThatIsSlowDoesNotHoldUpTheEndOfTheServer() throws Exception {
        serve(LONG_DRAIN);
        source.endless = Optional.of(new byte[256 * 1024]);
        try (var slow = connect()) {
            slow.getOutputStream().write(ascii(GET));
            Await.until("the first piece is asked for", () -> source.asked.get() > 0);
            settled();
            server.close();
        }
    }

    @Test
    void aStreamThatFailsBreaksTheConnection() throws Exception {
        serve(HttpLimits.defaults());
        try (var log = new LogCapture(HttpConnection.class);
                var client = connect()) {
            client.getOutputStream().write(ascii(GET));
            until(client, "\r\n\r\n");
            source.fail(new IllegalStateException("broken"));
            assertThat(rest(client)).isEmpty();
            Await.until("it is logged", () -> !log.errors().isEmpty());
            assertThat(log.errors())
                    .singleElement()
                    .extracting(Object::toString)
                    .asString()
                    .contains("A stream failed");
        }
    }

    private void serve(HttpLimits limits) {
        server = HttpServer.start(
                time.loopback().withLimits(limits),
                (request, reply) ->
                        reply.accept(HttpReply.status(200).stream(source).build()));
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port());
        socket.setSoTimeout((int) Await.PATIENCE.toMillis());
        return socket;
    }

    /** How many pieces were asked for, when it does not seem to be getting more; it may still. */
    private int settled() throws InterruptedException {
        int seen = -1;
        while (seen != source.asked.get()) {
            seen = source.asked.get();
            Await.pause(300, "sockets have room for a while");
        }
        return seen;
    }

    private static String until(Socket client, String end) throws IOException {
        var text = new StringBuilder();
        InputStream in = client.getInputStream();
        while (text.indexOf(end) < 0) {
            int read = in.read();
            assertThat(read).as("the end came after " + text).isNotNegative();
            text.append((char) read);
        }
        return text.toString();
    }

    private static String rest(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Gives what it is told to, or the same for ever. */
    private static final class Source implements BodyStream {
        private final BlockingQueue<CompletableFuture<Optional<ByteBuffer>>> waiting = new ArrayBlockingQueue<>(1);
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();
        private volatile Optional<byte[]> endless = Optional.empty();

        @Override
        public CompletionStage<Optional<ByteBuffer>> next() {
            asked.incrementAndGet();
            if (endless.isPresent()) {
                return CompletableFuture.completedFuture(endless.map(ByteBuffer::wrap));
            }
            var promise = new CompletableFuture<Optional<ByteBuffer>>();
            assertThat(waiting.offer(promise))
                    .as("asked for one piece at a time")
                    .isTrue();
            return promise;
        }

        void give(String text) throws InterruptedException {
            promise().complete(Optional.of(ByteBuffer.wrap(ascii(text))));
        }

        void end() throws InterruptedException {
            promise().complete(Optional.empty());
        }

        void fail(RuntimeException problem) throws InterruptedException {
            promise().completeExceptionally(problem);
        }

        private CompletableFuture<Optional<ByteBuffer>> promise() throws InterruptedException {
            return waiting.take();
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }
}
