package dev.orrery.gateway.direct;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import java.util.function.Consumer;

/** What Direct mode needs of the gateway: answers, and refusals in the same words. */
public interface DirectService {
    /**
     * Serves a request; the connection is told as soon as it is proved that its client has a key of the account. Whether the
     * token of a permission is good shows in the reply.
     */
    void handle(HttpRequest request, Runnable proved, Consumer<HttpReply> reply);

    /** Refuses what never became a request that could be served. */
    void refuse(HttpRequest request, Failure failure, Consumer<HttpReply> reply);
}
