package dev.orrery.server;

import dev.orrery.gateway.http.HttpHandler;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers probes on a port of their own, at the paths where the official emulators do. */
final class Probes implements HttpHandler {
    private final Map<String, Supplier<HttpReply>> replies;
    private final Executor threads;

    /** @param threads none that requests keep busy */
    Probes(Supplier<HttpReply> alive, Supplier<HttpReply> ready, Executor threads) {
        this.replies = Map.of("/", alive, "/alive", alive, "/ready", ready, "/status", ready);
        this.threads = threads;
    }

    @Override
    public void handle(HttpRequest request, Consumer<HttpReply> reply) {
        var known = replies.get(request.rawPath());
        if (known == null) {
            reply.accept(HttpReply.status(404)
                    .header("content-type", "text/plain")
                    .body("There are /, /alive, /ready and /status.\n".getBytes(StandardCharsets.US_ASCII))
                    .build());
        } else {
            threads.execute(() -> reply.accept(known.get()));
        }
    }
}
