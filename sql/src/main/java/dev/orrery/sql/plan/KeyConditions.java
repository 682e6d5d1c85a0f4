package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.syntax.BinaryOperator;
import dev.orrery.sql.syntax.UnaryOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Finds out from the WHERE clause which values an item must have at given paths, such as its id and its partition key.
 *
 * <p>The answer is a list of alternatives. Every item that contributes to the result fits at least one of them; the
 * reverse need not be true. No alternatives means that no item can contribute.
 */
public final class KeyConditions {
    // Conditions beyond this are rare and not worth the time: knowing less is always allowed.
    private static final int ALTERNATIVES_MAX = 10_000;

    private static final List<Alternative> ANYTHING = List.of(new Alternative(Map.of()));
    private static final List<Alternative> NOTHING = List.of();

    private final Set<JsonPath> paths;
    private final IntFunction<JsonValue> parameters;
    private final Map<Integer, List<String>> slots = new HashMap<>();

    private KeyConditions(Set<JsonPath> paths, IntFunction<JsonValue> parameters) {
        this.paths = paths;
        this.parameters = parameters;
    }

    /**
     * One possibility.
     *
     * @param values the values that a path may have, undefined standing for none; paths without condition are left out
     */
    public record Alternative(Map<JsonPath, Set<JsonValue>> values) {
        public Alternative {
            values = Map.copyOf(values);
        }

        /** Whether a path may have one of a few known values only. */
        public Optional<Set<JsonValue>> at(JsonPath path) {
            return Optional.ofNullable(values.get(path));
        }
    }

    /** The alternatives for a query; {@code parameters} gives the values of its parameters by their index. */
    public static List<Alternative> of(BoundQuery query, Set<JsonPath> paths, IntFunction<JsonValue> parameters) {
        return new KeyConditions(paths, parameters).query(query);
    }

    private List<Alternative> query(BoundQuery query) {
        var within = ANYTHING;
        for (var source : query.sources()) {
            switch (source) {
                case Source.Items(int slot) -> slots.put(slot, List.of());
                case Source.ItemRows(var rows, var _) -> within = query(rows);
                case Source.Single(var value, int slot) -> names(value).ifPresent(names -> slots.put(slot, names));
                case Source.Elements _, Source.Rows _ -> {}
            }
        }
        return both(within, query.filter().map(this::condition).orElse(ANYTHING));
    }

    private List<Alternative> condition(Bound condition) {
        return switch (condition) {
            case Bound.And(var terms) -> all(terms);
            case Bound.Or(var terms) -> any(terms);
            case Bound.Binary(var operator, var left, var right)
            when operator == BinaryOperator.EQUAL -> equality(left, right);
            case Bound.In(var target, var choices) -> membership(target, choices);
            case Bound.Unary(var operator, Bound.Call call) when operator == UnaryOperator.NOT -> missing(call);
            case Bound.Call call when call.function().name().equals("ARRAY_CONTAINS") -> contained(call.arguments());
            case Bound.Constant(var value) when !value.equals(Bool.TRUE) -> NOTHING;
            default -> ANYTHING;
        };
    }

    private List<Alternative> equality(Bound left, Bound right) {
        if (left instanceof Bound.Call call && Optional.of(Bool.FALSE).equals(value(right))) {
            return missing(call);
        }
        return path(left).isPresent() ? membership(left, List.of(right)) : membership(right, List.of(left));
    }

    /** {@code ARRAY_CONTAINS(@list, c.pk)} asks for the same as {@code c.pk IN (...)}. */
    private List<Alternative> contained(List<Bound> arguments) {
        return arguments.size() == 2 && value(arguments.getFirst()).orElse(null) instanceof Arr(var list)
                ? membership(
                        arguments.getLast(),
                        list.stream().<Bound>map(Bound.Constant::new).toList())
                : ANYTHING;
    }

    private List<Alternative> membership(Bound target, List<Bound> choices) {
        var path = path(target);
        var values = choices.stream().map(this::value).toList();
        if (path.isEmpty() || values.stream().anyMatch(Optional::isEmpty)) {
            return ANYTHING;
        }
        // Nothing equals undefined, so that such a choice can never be the right one.
        var possible = values.stream()
                .map(Optional::get)
                .filter(value -> !value.isUndefined())
                .collect(Collectors.toUnmodifiableSet());
        return possible.isEmpty() ? NOTHING : List.of(new Alternative(Map.of(path.get(), possible)));
    }

    /** The condition that a type function is false; only IS_DEFINED says something about the value then. */
    private List<Alternative> missing(Bound.Call call) {
        var path = call.function().name().equals("IS_DEFINED")
                ? path(call.arguments().getFirst())
                : Optional.<JsonPath>empty();
        return path.map(missing -> List.of(new Alternative(Map.of(missing, Set.of(JsonValue.UNDEFINED)))))
                .orElse(ANYTHING);
    }

    private List<Alternative> all(List<Bound> terms) {
        var alternatives = ANYTHING;
        for (var term : terms) {
            alternatives = both(alternatives, condition(term));
        }
        return alternatives;
    }

    private List<Alternative> any(List<Bound> terms) {
        var all = new ArrayList<Alternative>();
        for (var term : terms) {
            var alternatives = condition(term);
            if (alternatives.equals(ANYTHING) || all.size() + alternatives.size() > ALTERNATIVES_MAX) {
                return ANYTHING;
            }
            all.addAll(alternatives);
        }
        return List.copyOf(new LinkedHashSet<>(all));
    }

    private static List<Alternative> both(List<Alternative> left, List<Alternative> right) {
        if (left.equals(ANYTHING) || right.isEmpty()) {
            return right;
        }
        if (right.equals(ANYTHING) || left.isEmpty()) {
            return left;
        }
        if ((long) left.size() * right.size() > ALTERNATIVES_MAX) {
            return left.size() < right.size() ? left : right;
        }
        var all = new ArrayList<Alternative>();
        for (var one : left) {
            for (var other : right) {
                both(one, other).ifPresent(all::add);
            }
        }
        return all;
    }

    private static Optional<Alternative> both(Alternative left, Alternative right) {
        var values = new LinkedHashMap<>(left.values());
        for (var condition : right.values().entrySet()) {
            var shared = new HashSet<>(condition.getValue());
            var already = values.get(condition.getKey());
            if (already != null) {
                shared.retainAll(already);
            }
            if (shared.isEmpty()) {
                return Optional.empty();
            }
            values.put(condition.getKey(), Set.copyOf(shared));
        }
        return Optional.of(new Alternative(values));
    }

    private Optional<JsonValue> value(Bound expression) {
        return switch (expression) {
            case Bound.Constant(var value) -> Optional.of(value);
            case Bound.Parameter(int index) -> Optional.of(parameters.apply(index));
            default -> Optional.empty();
        };
    }

    private Optional<JsonPath> path(Bound expression) {
        return names(expression)
                .flatMap(names -> paths.stream()
                        .filter(path -> path.names().equals(names))
                        .findFirst());
    }

    /** The names on the way from the item to what an expression stands for, if it is such a way. */
    private Optional<List<String>> names(Bound expression) {
        return switch (expression) {
            case Bound.Slot(int slot) -> Optional.ofNullable(slots.get(slot));
            case Bound.Property(var target, var name) ->
                names(target).map(names -> {
                    var all = new ArrayList<>(names);
                    all.add(name);
                    return List.copyOf(all);
                });
            default -> Optional.empty();
        };
    }
}
