package dev.orrery.sql.plan;

import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an index can be asked about the items of a query. Every item that contributes to the result satisfies the
 * condition; the reverse is true only where it is {@linkplain #isExact exact}.
 */
public sealed interface Condition {
    Condition ANYTHING = new Anything();
    Condition NOTHING = new Any(List.of());

    /** No condition that an index could help with. */
    record Anything() implements Condition {}

    record All(List<Condition> parts) implements Condition {
        public All {
            parts = List.copyOf(parts);
        }
    }

    record Any(List<Condition> parts) implements Condition {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    /**
     * A number, string, boolean or null that is at a place lies in one of some spans.
     *
     * @param place through all elements of an array where it says so; then one of them has to do
     */
    record Value(List<Step> place, List<Span> spans, boolean exact) implements Condition {
        public Value {
            place = List.copyOf(place);
            spans = List.copyOf(spans);
        }
    }

    /** One element of an array has several values at once. */
    record Element(List<Step> array, Map<List<Step>, JsonValue> fields) implements Condition {
        public Element {
            array = List.copyOf(array);
            fields = Map.copyOf(fields);
        }
    }

    /** Something, or nothing, is at a place that no array leads to. */
    record Presence(List<Step> place, boolean present) implements Condition {
        public Presence {
            place = List.copyOf(place);
        }
    }

    /** A shape at a place is not farther from another one than a distance, which is 0 when they have to meet. */
    record Near(List<Step> place, JsonValue shape, double distanceMax) implements Condition {
        public Near {
            place = List.copyOf(place);
        }
    }

    /** A text at a place that no array leads to has all of some search terms, or any of them. */
    record Words(List<Step> place, List<JsonValue> terms, boolean all) implements Condition {
        public Words {
            place = List.copyOf(place);
            terms = List.copyOf(terms);
        }
    }

    /** A stretch of values in the order of values, all of one kind. */
    sealed interface Span {
        record Exactly(JsonValue value) implements Span {}

        /** Values of one kind, which both ends are of; false and true are of one kind. */
        record Between(Optional<End> low, Optional<End> high) implements Span {}

        record StartingWith(String text) implements Span {}

        /** All values of the kind of an example. */
        record Kind(JsonValue example) implements Span {}
    }

    record End(JsonValue value, boolean inclusive) {}

    // Static, because an interface with default methods is initialized before its records, which its constants need.
    /** Whether every item that satisfies a condition contributes. */
    static boolean isExact(Condition condition) {
        return switch (condition) {
            case Anything _, Element _, Near _, Words _ -> false;
            case All(var parts) -> parts.stream().allMatch(Condition::isExact);
            case Any(var parts) -> parts.stream().allMatch(Condition::isExact);
            case Value value -> value.exact();
            case Presence _ -> true;
        };
    }

    static Condition all(List<Condition> parts) {
        if (parts.contains(NOTHING)) {
            return NOTHING;
        }
        // What no index knows stays among the parts: without it, the others would pass for exact.
        var said = narrowed(parts.stream().distinct().toList());
        return said.isEmpty() ? ANYTHING : said.size() == 1 ? said.getFirst() : new All(said);
    }

    /** One range where two parts say where it begins and where it ends: an index reads what is between, not both. */
    private static List<Condition> narrowed(List<Condition> parts) {
        var narrowed = new ArrayList<Condition>();
        for (var part : parts) {
            if (!isNarrowed(narrowed, part)) {
                narrowed.add(part);
            }
        }
        return narrowed;
    }

    private static boolean isNarrowed(List<Condition> parts, Condition end) {
        for (int i = 0; i < parts.size(); i++) {
            var part = parts.get(i);
            var range = between(part, end).or(() -> between(end, part));
            if (range.isPresent()) {
                parts.set(i, range.get());
                return true;
            }
        }
        return false;
    }

    private static Optional<Condition> between(Condition low, Condition high) {
        // Of the elements of an array, one may be above the one end and another below the other.
        return low instanceof Value(var place, var lows, var lowExact)
                        && high instanceof Value(var samePlace, var highs, var highExact)
                        && place.equals(samePlace)
                        && ItemPlaces.isOne(place)
                        && lows.size() == 1
                        && highs.size() == 1
                        && lows.getFirst() instanceof Span.Between(var from, var above)
                        && highs.getFirst() instanceof Span.Between(var below, var to)
                        && from.isPresent()
                        && above.isEmpty()
                        && below.isEmpty()
                        && to.isPresent()
                        && from.get().value().getClass() == to.get().value().getClass()
                ? Optional.of(new Value(place, List.of(new Span.Between(from, to)), lowExact && highExact))
                : Optional.empty();
    }

    static Condition any(List<Condition> parts) {
        if (parts.contains(ANYTHING)) {
            return ANYTHING;
        }
        var possible =
                parts.stream().filter(part -> !part.equals(NOTHING)).distinct().toList();
        return possible.size() == 1 ? possible.getFirst() : new Any(possible);
    }
}
