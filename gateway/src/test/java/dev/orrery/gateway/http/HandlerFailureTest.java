package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class HandlerFailureTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void aHandlerThatThrowsIsAnsweredForAndLoggedOnce() throws Exception {
        for (var failure : List.of(new IllegalStateException("secret"), new StackOverflowError("secret"))) {
            try (var log = new LogCapture(HttpConnection.class);
                    var server = serve((request, reply) -> Handlers.fail(failure));
                    var client = RawClient.to(server)) {
                var reply = client.send(GET).reply();
                assertThat(reply.status()).isEqualTo(500);
                assertThat(reply.header("content-type")).isEqualTo("application/json");
                assertThat(reply.body())
                        .startsWith("{\"code\":\"InternalServerError\",\"message\":")
                        .doesNotContain("secret", "Exception", "Error(", "\\n");
                assertThat(client.send(GET).reply().status()).isEqualTo(500);
                Await.until("both are logged", () -> log.errors().size() == 2);
                assertThat(log.errors().getFirst().getThrowableProxy().getMessage())
                        .isEqualTo("secret");
            }
        }
    }

    @Test
    void aHandlerThatThrowsAfterItsAnswerHarmsNothing() throws Exception {
        try (var log = new LogCapture(HttpConnection.class);
                var server = serve((request, reply) -> {
                    Handlers.echo(request, reply);
                    throw new IllegalStateException("late");
                });
                var client = RawClient.to(server)) {
            assertThat(client.send(GET).reply().status()).isEqualTo(200);
            assertThat(client.send(GET).reply().status()).isEqualTo(200);
            Await.until("both are logged", () -> log.errors().size() == 2);
        }
    }

    @Test
    void theFirstOfTwoAnswersCounts() throws Exception {
        try (var log = new LogCapture(HttpConnection.class);
                var server = serve((request, reply) -> {
                    reply.accept(HttpReply.status(201).build());
                    reply.accept(HttpReply.status(202).build());
                });
                var client = RawClient.to(server)) {
            assertThat(client.send(GET).reply().status()).isEqualTo(201);
            assertThat(client.send(GET).reply().status()).isEqualTo(201);
            Await.until("it is logged", () -> log.errors().size() == 2);
        }
    }

    @Test
    void aHandlerThatNeverAnswersHoldsUpItsOwnConnectionOnly() throws Exception {
        HttpHandler handler = (request, reply) -> {
            if (!request.rawPath().equals("/stuck")) {
                Handlers.echo(request, reply);
            }
        };
        var stuck = new ArrayList<RawClient>();
        var limits = HttpLimits.defaults().withDrainTimeout(java.time.Duration.ofMillis(50));
        try (var server = HttpServer.start(HeldTime.config().withLimits(limits), handler)) {
            for (var i = 0; i < 20; i++) {
                stuck.add(RawClient.to(server).send(GET.replace("/ ", "/stuck ")));
            }
            for (var i = 0; i < 20; i++) {
                try (var client = RawClient.to(server)) {
                    assertThat(client.send(GET).reply().status()).isEqualTo(200);
                }
            }
        } finally {
            for (var client : stuck) {
                client.close();
            }
        }
    }

    @Test
    void anAnswerForAClientThatHasGoneIsDropped() throws Exception {
        var late = new AtomicReference<Consumer<HttpReply>>();
        try (var log = new LogCapture(HttpConnection.class);
                var server = serve((request, reply) -> {
                    if (request.rawPath().equals("/late")) {
                        late.set(reply);
                    } else {
                        Handlers.echo(request, reply);
                    }
                })) {
            var gone = RawClient.to(server).send(GET.replace("/ ", "/late "));
            Await.until("the request is there", () -> late.get() != null);
            gone.reset();
            Await.until("the connection has gone", () -> server.connectionCount() == 0);
            late.get().accept(HttpReply.status(200).body(new byte[100]).build());
            try (var client = RawClient.to(server)) {
                assertThat(client.send(GET).reply().status()).isEqualTo(200);
            }
            Await.until("nothing is held", () -> server.bufferBytes() == 0);
            assertThat(log.errors()).isEmpty();
        }
    }

    @Test
    void aHeaderThatWouldBreakTheReplyApartIsRefusedWhereItIsMade() {
        for (var value : List.of("a\r\nb: c", "a\nb", "\u0000", "\u00e9", "\u20ac")) {
            assertThatThrownBy(() -> HttpReply.status(200).header("x", value))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> HeaderBlock.of("x", value)).isInstanceOf(IllegalArgumentException.class);
        }
        for (var name : List.of("", "a b", "a:", "a\r\n", "\u00e9")) {
            assertThatThrownBy(() -> HttpReply.status(200).header(name, "x"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aStatusThatIsNoReplyIsRefusedWhereItIsMade() {
        for (var status : List.of(-1, 0, 100, 199, 600, 1000)) {
            assertThatThrownBy(() -> HttpReply.status(status)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static HttpServer serve(HttpHandler handler) {
        return HttpServer.start(HeldTime.config(), handler);
    }
}
