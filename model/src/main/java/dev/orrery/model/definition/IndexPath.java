package dev.orrery.model.definition;

import dev.orrery.model.json.JsonPath;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A path of an indexing policy, such as <code>/tags/[]/?</code> or <code>/"first name"/*</code>: which places of an item
 * it covers. The text is kept as the client wrote it.
 */
public record IndexPath(String text, List<Step> steps, Ending ending) {

    /** One level down, in a path or in the place of a value. */
    public sealed interface Step {
        record Property(String name) implements Step {}

        /** One element of an array, {@code [2]}. */
        record Position(int index) implements Step {}

        /** All elements of an array together, {@code []}. */
        record AnyPosition() implements Step {}

        /** Several values of one array element indexed as one, <code>{name, price/net}</code>. */
        record Tuple(List<List<Step>> fields) implements Step {
            public Tuple {
                fields = List.copyOf(fields);
            }
        }
    }

    public enum Ending {
        /** {@code ?}: the number, string, boolean or null at this very place. */
        SCALAR,
        /** {@code *}: this place and all below it. */
        SUBTREE,
        /** Nothing: the policy's other indexes name a property and imply the rest. */
        NONE
    }

    public IndexPath {
        steps = List.copyOf(steps);
    }

    /** Reads a path; {@code place} says in which member it stands. */
    static IndexPath parse(String place, String text) {
        return new IndexPathParser(place, text).parse();
    }

    public boolean isRoot() {
        return steps.isEmpty() && ending == Ending.SUBTREE;
    }

    /** True if the path leads to or below a top-level property. */
    public boolean startsWith(String property) {
        return !steps.isEmpty() && steps.getFirst().equals(new Step.Property(property));
    }

    public boolean isTuple() {
        return steps.stream().anyMatch(Step.Tuple.class::isInstance);
    }

    /** True if a value at that place is meant by this path. A tuple is an index of its own and covers no single value. */
    public boolean covers(List<Step> place) {
        boolean reaches = ending == Ending.SUBTREE ? place.size() >= steps.size() : place.size() == steps.size();
        if (!reaches) {
            return false;
        }
        for (int i = 0; i < steps.size(); i++) {
            if (!matches(steps.get(i), place.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(Step pattern, Step actual) {
        return switch (pattern) {
            case Step.Property _, Step.Position _ -> pattern.equals(actual);
            case Step.AnyPosition _ -> actual instanceof Step.AnyPosition || actual instanceof Step.Position;
            case Step.Tuple _ -> false;
        };
    }

    /** Of two paths that cover the same place, the more precise one decides: it is the greater one. */
    int comparePrecision(IndexPath other) {
        if (steps.size() != other.steps.size()) {
            return Integer.compare(steps.size(), other.steps.size());
        }
        if (ending != other.ending) {
            return ending == Ending.SCALAR ? 1 : -1;
        }
        for (int i = 0; i < steps.size(); i++) {
            boolean any = steps.get(i) instanceof Step.AnyPosition;
            boolean otherAny = other.steps.get(i) instanceof Step.AnyPosition;
            if (any != otherAny) {
                return any ? -1 : 1;
            }
        }
        return 0;
    }

    /** The place that a path without arrays leads to. */
    public static List<Step> place(JsonPath path) {
        return path.names().stream().<Step>map(Step.Property::new).toList();
    }

    /** How a policy spells the way to a place, without an ending. */
    public static String spelled(List<Step> place) {
        var text = new StringBuilder();
        for (var step : place) {
            text.append('/')
                    .append(
                            switch (step) {
                                case Step.Property(var name) -> spelled(name);
                                case Step.Position(var index) -> "[" + index + "]";
                                case Step.AnyPosition _ -> "[]";
                                case Step.Tuple(var fields) ->
                                    fields.stream()
                                            .map(field -> spelled(field).substring(1))
                                            .collect(Collectors.joining(", ", "{", "}"));
                            });
        }
        return text.toString();
    }

    static String spelled(String name) {
        boolean plain = !name.isEmpty()
                && name.chars().allMatch(character -> Character.isLetterOrDigit(character) || character == '_');
        return plain ? name : '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Two spellings of the same path are equal: {@code /a/?} and {@code /"a"/?}. */
    @Override
    public boolean equals(Object other) {
        return other instanceof IndexPath that && steps.equals(that.steps) && ending == that.ending;
    }

    @Override
    public int hashCode() {
        return 31 * steps.hashCode() + ending.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
