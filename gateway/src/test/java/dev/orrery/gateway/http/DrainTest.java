package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class DrainTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private static final HttpLimits LONG_DRAIN = HttpLimits.defaults().withDrainTimeout(Duration.ofDays(1));

    private final AtomicReference<Runnable> late = new AtomicReference<>();

    @Test
    void aRunningRequestIsAnsweredBeforeTheServerCloses() throws Exception {
        var server = serve(LONG_DRAIN);
        try (var idle = RawClient.to(server);
                var busy = RawClient.to(server)) {
            idle.send(GET.replace("/ ", "/now "));
            assertThat(idle.reply().status()).isEqualTo(200);
            busy.send(GET);
            Await.until("the request is there", () -> late.get() != null);
            var closed = CompletableFuture.runAsync(server::close);
            assertThat(idle.isClosed()).isTrue();
            assertThat(closed).isNotDone();
            late.get().run();
            var reply = busy.reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("connection")).isEqualTo("close");
            assertThat(busy.isClosed()).isTrue();
            busy.hangUp();
            closed.join();
        }
    }

    @Test
    void aRequestOnItsWayIsStillTaken() throws Exception {
        var server = serve(LONG_DRAIN);
        try (var idle = RawClient.to(server);
                var sending = RawClient.to(server)) {
            idle.send(GET.replace("/ ", "/now ")).reply();
            var most = "a".repeat(20_000); // What is small is not counted.
            sending.send("POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 20001\r\n\r\n" + most);
            Await.until("the request has begun", () -> server.bodyBytes() > 0);
            var closed = CompletableFuture.runAsync(server::close);
            assertThat(idle.isClosed()).isTrue();
            assertThat(sending.send("b").reply().body()).isEqualTo("POST /now ? " + most + "b");
            assertThat(sending.isClosed()).isTrue();
            sending.hangUp();
            closed.join();
        }
    }

    @Test
    void aRequestThatNeverEndsDelaysTheEndNoLongerThanAllowed() throws Exception {
        var server = serve(HttpLimits.defaults().withDrainTimeout(Duration.ofMillis(100)));
        try (var client = RawClient.to(server)) {
            client.send(GET);
            Await.until("the request is there", () -> late.get() != null);
            server.close();
            assertThat(client.isClosed()).isTrue();
            late.get().run();
        }
    }

    @Test
    void nobodyIsLetInAfterwards() throws Exception {
        var server = serve(HttpLimits.defaults());
        server.close();
        assertThatThrownBy(() -> RawClient.to(server).send(GET).reply()).isInstanceOf(IOException.class);
    }

    @Test
    void closingTwiceIsClosingOnce() {
        var server = serve(HttpLimits.defaults());
        server.close();
        server.close();
        assertThat(server.connectionCount()).isZero();
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        try (var server = serve(HttpLimits.defaults())) {
            var config = HeldTime.config().withAddress("localhost", server.port());
            assertThatThrownBy(() -> HttpServer.start(config, Handlers::echo))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot listen on localhost port " + server.port());
        }
    }

    @Test
    void aHostThatDoesNotExistIsNamed() {
        var config = HeldTime.config().withAddress("192.0.2.1", 0);
        assertThatThrownBy(() -> HttpServer.start(config, Handlers::echo))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot listen on 192.0.2.1");
    }

    /** Answers {@code /now} at once, anything else when told to. */
    private HttpServer serve(HttpLimits limits) {
        return HttpServer.start(HeldTime.config().withLimits(limits), (request, reply) -> {
            if (request.rawPath().equals("/now")) {
                Handlers.echo(request, reply);
            } else {
                late.set(() -> Handlers.echo(request, reply));
            }
        });
    }
}
