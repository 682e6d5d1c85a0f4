package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Operation;
import dev.orrery.gateway.http.HttpRequest;
import java.util.Optional;

/**
 * A request on its way to a reply.
 *
 * @param activityId by which client and server can speak of this request
 * @param operation what it asks of the database, once that is understood
 */
public record Exchange(HttpRequest request, String activityId, long startNanos, Optional<Operation> operation) {

    public Exchange asking(Operation understood) {
        return new Exchange(request, activityId, startNanos, Optional.of(understood));
    }
}
