package dev.orrery.gateway.http;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Handlers that tests share. */
final class Handlers {
    private Handlers() {}

    /** Answers with what it understood of the request. */
    static void echo(HttpRequest request, Consumer<HttpReply> reply) {
        var text = request.method() + " " + request.rawPath() + " ?" + request.rawQuery() + " "
                + new String(request.body(), StandardCharsets.ISO_8859_1);
        reply.accept(HttpReply.status(200)
                .header("Content-Type", "text/plain")
                .body(text.getBytes(StandardCharsets.UTF_8))
                .build());
    }

    static void fail(Throwable failure) {
        switch (failure) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new IllegalArgumentException(failure);
        }
    }
}
