package dev.orrery.gateway.direct;

import dev.orrery.gateway.http.HttpHandler;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import java.util.function.Consumer;

/** What Direct mode needs of the gateway: answers, and refusals in the same words. */
public interface DirectService extends HttpHandler {
    /** Refuses what never became a request that could be served. */
    void refuse(HttpRequest request, Failure failure, Consumer<HttpReply> reply);
}
