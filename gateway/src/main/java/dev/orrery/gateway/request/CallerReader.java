package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.SessionToken;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Reads the headers that any request may carry: the terms on which somebody asks. */
public final class CallerReader {
    private CallerReader() {}

    public static Caller read(Principal principal, TypedHeaders headers) {
        return new Caller(
                principal,
                headers.text("x-ms-session-token").map(SessionToken::parse),
                headers.text("x-ms-consistency-level").map(CallerReader::level),
                headers.text("x-ms-cosmos-intended-collection-rid"));
    }

    private static ConsistencyLevel level(String label) {
        for (var level : ConsistencyLevel.values()) {
            if (level.label().equalsIgnoreCase(label)) {
                return level;
            }
        }
        var known = Arrays.stream(ConsistencyLevel.values())
                .map(ConsistencyLevel::label)
                .collect(Collectors.joining(", "));
        throw new FailureException(new Failure.BadRequest(
                "The header x-ms-consistency-level must be one of " + known + ", not: " + label));
    }
}
