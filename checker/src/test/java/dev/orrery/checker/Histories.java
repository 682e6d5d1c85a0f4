package dev.orrery.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes histories down as they are drawn on paper: who, from when to when, what. Most are about one item, {@code x}. */
final class Histories {
    static final String X = "x";

    private final List<Operation> operations = new ArrayList<>();

    static Histories history() {
        return new Histories();
    }

    Histories write(int session, long begin, long end, String value) {
        return add(session, begin, end, Action.Write.of(X, value), Outcome.DONE);
    }

    Histories delete(int session, long begin, long end) {
        return add(session, begin, end, Action.Write.delete(X), Outcome.DONE);
    }

    /** A write that was given up: nobody knows what became of it. */
    Histories maybe(int session, long begin, long end, String value) {
        return add(session, begin, end, Action.Write.of(X, value), Outcome.UNKNOWN);
    }

    Histories read(int session, long begin, long end, String value) {
        return add(session, begin, end, Action.Read.of(X, Optional.of(value)), Outcome.DONE);
    }

    Histories nothing(int session, long begin, long end) {
        return add(session, begin, end, Action.Read.of(X, Optional.empty()), Outcome.DONE);
    }

    Histories swap(int session, long begin, long end, String expected, String value, Outcome outcome) {
        return add(session, begin, end, new Action.WriteIf(Optional.of(expected), Action.Write.of(X, value)), outcome);
    }

    /** A query that shows several items at once. */
    Histories query(int session, long begin, long end, Map<String, Optional<String>> seen) {
        return add(session, begin, end, new Action.Read(seen), Outcome.DONE);
    }

    Histories add(int session, long begin, long end, Action action, Outcome outcome) {
        operations.add(new Operation(session, begin, end, action, outcome));
        return this;
    }

    List<Operation> operations() {
        return List.copyOf(operations);
    }
}
