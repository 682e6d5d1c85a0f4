package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Caller.Intended;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Caller.Priority;
import dev.orrery.engine.operation.Caller.Spending;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.SessionToken;
import dev.orrery.model.definition.ThroughputBucket;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Reads the headers that any request may carry: the terms on which somebody asks. */
public final class CallerReader {
    /** The range that a client in Direct mode has chosen; over HTTP the server chooses. */
    public static final String INTENDED_RANGE = "x-orrery-intended-range";

    private CallerReader() {}

    public static Caller read(Principal principal, TypedHeaders headers) {
        return new Caller(
                principal,
                headers.text("x-ms-session-token").map(SessionToken::parse),
                headers.text("x-ms-consistency-level").map(CallerReader::level),
                intended(headers),
                spending(headers));
    }

    private static Intended intended(TypedHeaders headers) {
        var container = headers.text("x-ms-cosmos-intended-collection-rid");
        var range = headers.text(INTENDED_RANGE);
        return container.isEmpty() && range.isEmpty() ? Intended.ANYTHING : new Intended(container, range);
    }

    private static Spending spending(TypedHeaders headers) {
        var priority = headers.text("x-ms-cosmos-priority-level");
        var bucket = headers.text("x-ms-cosmos-throughput-bucket");
        var most = headers.text("x-orrery-max-charge");
        return priority.isEmpty() && bucket.isEmpty() && most.isEmpty()
                ? Spending.FREELY
                : new Spending(
                        priority.map(CallerReader::priority).orElse(Priority.HIGH),
                        bucket.map(CallerReader::bucket),
                        most.map(CallerReader::chargeMax));
    }

    private static Priority priority(String label) {
        return switch (label.toLowerCase(Locale.ROOT)) {
            case "high" -> Priority.HIGH;
            case "low" -> Priority.LOW;
            default ->
                throw new FailureException(new Failure.BadRequest(
                        "The header x-ms-cosmos-priority-level must be High or Low, not: " + label));
        };
    }

    private static int bucket(String number) {
        if (!number.matches("[1-" + ThroughputBucket.ID_MAX + "]")) {
            throw new FailureException(
                    new Failure.BadRequest("The header x-ms-cosmos-throughput-bucket must be from 1 to "
                            + ThroughputBucket.ID_MAX + ", not: " + number));
        }
        return Integer.parseInt(number);
    }

    private static double chargeMax(String number) {
        try {
            double most = Double.parseDouble(number);
            if (most >= 0) {
                return most;
            }
        } catch (NumberFormatException unreadable) {
            // Refused below, in the same words.
        }
        throw new FailureException(new Failure.BadRequest(
                "The header x-orrery-max-charge must be a number of request units such as 12.5, not: " + number));
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
