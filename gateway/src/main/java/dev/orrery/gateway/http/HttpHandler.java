package dev.orrery.gateway.http;

import java.util.function.Consumer;

/** Answers requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Called on an event loop, so it must not block. The reply may be given at once or later, from any thread, exactly
     * once; until then the connection waits, and only this connection. An exception thrown from here becomes a 500.
     */
    void handle(HttpRequest request, Consumer<HttpReply> reply);
}
