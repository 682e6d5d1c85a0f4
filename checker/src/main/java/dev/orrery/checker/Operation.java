package dev.orrery.checker;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * One request, as its client saw it.
 *
 * @param session requests with the same number promise each other what a session promises
 * @param begin when it was sent, on a clock that all sessions share
 * @param end when it was answered, or given up
 */
public record Operation(int session, long begin, long end, Action action, Outcome outcome) {
    public Operation {
        if (end < begin) {
            throw new IllegalArgumentException("an operation ends before it begins");
        }
    }

    /** Whether it was over when another one began. */
    boolean isBefore(Operation other) {
        return end < other.begin;
    }

    boolean isDone() {
        return outcome == Outcome.DONE;
    }

    /** What it wrote, or may have written. */
    Optional<Version> written() {
        if (outcome == Outcome.NOT_DONE || outcome == Outcome.CONDITION_FAILED) {
            return Optional.empty();
        }
        return switch (action) {
            case Action.Write write -> Optional.of(write.version());
            case Action.WriteIf conditional -> Optional.of(conditional.write().version());
            case Action.Read _ -> Optional.empty();
        };
    }

    /** The write that was answered with success. */
    Optional<Version> acknowledged() {
        return isDone() ? written() : Optional.empty();
    }

    Optional<Action.Read> read() {
        return isDone() && action instanceof Action.Read read ? Optional.of(read) : Optional.empty();
    }

    Stream<String> keys() {
        return switch (action) {
            case Action.Write write -> Stream.of(write.key());
            case Action.WriteIf conditional -> Stream.of(conditional.write().key());
            case Action.Read read -> read.seen().keySet().stream();
        };
    }

    @Override
    public String toString() {
        return "session %d, %d to %d: %s, %s".formatted(session, begin, end, action, outcome);
    }
}
