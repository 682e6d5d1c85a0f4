package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Operation;
import dev.orrery.gateway.http.HttpRequest;
import java.util.Optional;

/**
 * A request on its way to a reply.
 *
 * @param activityId by which client and server can speak of this request
 * @param operation what it asks of the database, once that is understood
 * @param by what proves who sent it, in words, once that is known
 */
public record Exchange(
        HttpRequest request, String activityId, long startNanos, Optional<Operation> operation, String by) {

    /** One of which nothing is known but that it came. */
    public static Exchange begun(HttpRequest request, String activityId, long startNanos) {
        return new Exchange(request, activityId, startNanos, Optional.empty(), "");
    }

    public Exchange asking(Operation understood, String provedBy) {
        return new Exchange(request, activityId, startNanos, Optional.of(understood), provedBy);
    }
}
