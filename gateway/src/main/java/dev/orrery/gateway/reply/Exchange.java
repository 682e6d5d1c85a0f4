package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Operation;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.request.ReplyWish;
import dev.orrery.gateway.request.TypedHeaders;
import java.util.Optional;
import java.util.Set;

/**
 * A request on its way to a reply.
 *
 * @param activityId by which client and server can speak of this request
 * @param wishes what it wants of its reply
 * @param operation what it asks of the database, once that is understood
 * @param by what proves who sent it, in words, once that is known
 */
public record Exchange(
        HttpRequest request,
        String activityId,
        long startNanos,
        Set<ReplyWish> wishes,
        Optional<Operation> operation,
        String by) {

    public Exchange {
        wishes = Set.copyOf(wishes);
    }

    /** One of which nothing is known but that it came. */
    public static Exchange begun(HttpRequest request, String activityId, long startNanos) {
        var wishes = ReplyWish.of(new TypedHeaders(request));
        return new Exchange(request, activityId, startNanos, wishes, Optional.empty(), "");
    }

    public Exchange asking(Operation understood, String provedBy) {
        return new Exchange(request, activityId, startNanos, wishes, Optional.of(understood), provedBy);
    }

    public Exchange by(String provedBy) {
        return new Exchange(request, activityId, startNanos, wishes, operation, provedBy);
    }

    boolean wants(ReplyWish wish) {
        return wishes.contains(wish);
    }
}
