package dev.orrery.checker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Looks whether all requests of an item can be put in one order that explains every answer and in which whatever was over
 * before something else began also comes before it.
 *
 * <p>It is the search of Wing and Gong with the refinements of Lowe: each item for itself; a request is put in order only when
 * an answer has to be explained; and what can be reached in several ways is followed once.
 */
public final class Linearizability {
    private static final String PROMISE = "linearizable";

    /**
     * A way to explain all answers so far.
     *
     * @param value what the item has now
     * @param placed which of the pending requests have happened already
     */
    private record Explanation(Optional<String> value, Set<Integer> placed) {
        Explanation {
            placed = Set.copyOf(placed);
        }
    }

    /** The moment when a request begins, or when its answer has come. */
    private record Event(long time, boolean isEnd, int request) {}

    private final String key;
    private final List<Operation> requests;
    private final Set<Integer> pending = new TreeSet<>();

    private Linearizability(String key, List<Operation> requests) {
        this.key = key;
        this.requests = requests;
    }

    /** The first answer of each item that has no explanation. Items are not there before the first write. */
    public static List<Violation> check(List<Operation> operations) {
        Map<String, List<Operation>> byKey = new LinkedHashMap<>();
        for (var operation : operations) {
            operation
                    .keys()
                    .forEach(key ->
                            byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(operation));
        }
        return byKey.entrySet().stream()
                .map(entry -> new Linearizability(entry.getKey(), useful(entry.getKey(), entry.getValue())).search())
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Leaves out what explains nothing. A write that nobody knows of need not have happened, and when nobody has seen its value it
     * could only explain why a condition failed; as it stays pending for ever, each one kept would double the search.
     */
    private static List<Operation> useful(String key, List<Operation> operations) {
        boolean conditionFailed =
                operations.stream().anyMatch(operation -> operation.outcome() == Outcome.CONDITION_FAILED);
        var needed = operations.stream()
                .map(operation -> needed(key, operation))
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        return operations.stream()
                .filter(operation -> switch (operation.outcome()) {
                    case DONE, CONDITION_FAILED -> true;
                    case NOT_DONE -> false;
                    case UNKNOWN ->
                        operation
                                .written()
                                .filter(version -> conditionFailed || needed.contains(version.value()))
                                .isPresent();
                })
                .toList();
    }

    /** The value that an item must have had for a request to be answered, or done, as it was. */
    private static Optional<Optional<String>> needed(String key, Operation operation) {
        return switch (operation.action()) {
            case Action.Read read
            when operation.isDone() -> Optional.of(read.seen().get(key));
            case Action.WriteIf conditional when operation.written().isPresent() -> Optional.of(conditional.expected());
            case Action.Read _, Action.Write _, Action.WriteIf _ -> Optional.empty();
        };
    }

    private Optional<Violation> search() {
        var explanations = Set.of(new Explanation(Optional.empty(), Set.of()));
        for (var event : events()) {
            if (!event.isEnd()) {
                pending.add(event.request());
                continue;
            }
            var before = explanations;
            explanations = explain(before, event.request());
            if (explanations.isEmpty()) {
                return Optional.of(violation(event.request(), before));
            }
            pending.remove(event.request());
        }
        return Optional.empty();
    }

    /** In the order of time; of two at the same time the one that begins comes first, as neither was before the other. */
    private List<Event> events() {
        var events = new ArrayList<Event>();
        for (int i = 0; i < requests.size(); i++) {
            var request = requests.get(i);
            events.add(new Event(request.begin(), false, i));
            if (request.outcome() != Outcome.UNKNOWN) {
                events.add(new Event(request.end(), true, i));
            }
        }
        events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isEnd));
        return events;
    }

    /** Every way to go on in which a request has happened; as it is answered now, nothing has to remember it any more. */
    private Set<Explanation> explain(Set<Explanation> before, int answered) {
        var known = new HashSet<>(before);
        var open = new ArrayDeque<>(before);
        var explained = new HashSet<Explanation>();
        while (!open.isEmpty()) {
            var way = open.pop();
            if (way.placed().contains(answered)) {
                var rest = new HashSet<>(way.placed());
                rest.remove(answered);
                explained.add(new Explanation(way.value(), rest));
                continue;
            }
            for (int request : pending) {
                if (way.placed().contains(request)) {
                    continue;
                }
                var next = place(way, request);
                if (next.isPresent() && known.add(next.get())) {
                    open.push(next.get());
                }
            }
        }
        return explained;
    }

    private Optional<Explanation> place(Explanation way, int request) {
        return after(way.value(), requests.get(request)).map(value -> {
            var placed = new HashSet<>(way.placed());
            placed.add(request);
            return new Explanation(value, placed);
        });
    }

    /** What the item has after a request that finds a certain value, unless that would have been answered otherwise. */
    private Optional<Optional<String>> after(Optional<String> value, Operation operation) {
        return switch (operation.action()) {
            case Action.Read read -> read.seen().get(key).equals(value) ? Optional.of(value) : Optional.empty();
            case Action.Write write -> Optional.of(write.value());
            case Action.WriteIf conditional -> {
                boolean holds = conditional.expected().equals(value);
                boolean claimed = operation.outcome() != Outcome.CONDITION_FAILED;
                yield holds == claimed
                        ? Optional.of(claimed ? conditional.write().value() : value)
                        : Optional.empty();
            }
        };
    }

    private Violation violation(int request, Set<Explanation> before) {
        var values = before.stream()
                .map(way -> way.value().orElse("none"))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        var others = pending.stream()
                .filter(other -> other != request)
                .map(other -> "\n  meanwhile " + requests.get(other))
                .collect(Collectors.joining());
        return new Violation(
                PROMISE, "%s: %s\n  though it had %s%s".formatted(key, requests.get(request), values, others));
    }
}
