package dev.orrery.gateway.http;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A body whose end nobody knows yet. It is asked for one piece at a time, and for the next only when the client has taken
 * most of the last: however slow a client is, one piece is all that waits for it.
 */
public interface BodyStream {
    /**
     * Gives the next piece when there is one, or nothing when the body is complete. Called on an event loop, so it must
     * not block. A stage that fails breaks the connection.
     */
    CompletionStage<Optional<ByteBuffer>> next();

    /** Called when nobody wants any more of it, also after its end; perhaps more than once. */
    void close();
}
