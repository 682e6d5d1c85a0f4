package dev.orrery.sql.bind;

import dev.orrery.sql.bind.BoundQuery.AggregateCall;
import dev.orrery.sql.syntax.Expression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names that one query has introduced, and what its grouping has made of them; inside the scope of a query around it. */
final class Scope {
    private final Optional<Scope> outer;
    private final Map<String, Integer> slots = new HashMap<>();
    private final Map<String, ItemWay> ways = new HashMap<>();

    /** While false, expressions are about single tuples; while true, about groups of them. */
    private boolean grouped;

    private final Map<Expression, Integer> keySlots = new HashMap<>();
    private final List<AggregateCall> aggregates = new ArrayList<>();

    Scope(Optional<Scope> outer) {
        this.outer = outer;
    }

    /** Introduces an alias; false when the query has it already. */
    boolean introduce(String alias, int slot, Optional<ItemWay> way) {
        way.ifPresent(known -> ways.put(alias, known));
        return slots.putIfAbsent(alias, slot) == null;
    }

    /** How the value of an expression is reached from an item, if it is a path from one. */
    Optional<ItemWay> way(Expression expression) {
        return switch (expression) {
            case Expression.Name(var name, var _) ->
                find(name).flatMap(scope -> Optional.ofNullable(scope.ways.get(name)));
            case Expression.Property(var target, var name, var _) -> way(target).map(way -> way.to(name));
            default -> Optional.empty();
        };
    }

    /** The scope, this one or one around it, that has introduced a name. */
    Optional<Scope> find(String name) {
        for (var scope = Optional.of(this); scope.isPresent(); scope = scope.get().outer) {
            if (scope.get().slots.containsKey(name)) {
                return scope;
            }
        }
        return Optional.empty();
    }

    int slot(String name) {
        return slots.get(name);
    }

    boolean grouped() {
        return grouped;
    }

    void group(boolean on) {
        grouped = on;
    }

    void key(Expression expression, int slot) {
        keySlots.put(expression, slot);
    }

    /** The slot of the group key that an expression repeats, in this scope or a grouped one around it. */
    Optional<Integer> findKey(Expression expression) {
        for (var scope = Optional.of(this); scope.isPresent(); scope = scope.get().outer) {
            var slot = scope.get().grouped ? scope.get().keySlots.get(expression) : null;
            if (slot != null) {
                return Optional.of(slot);
            }
        }
        return Optional.empty();
    }

    List<AggregateCall> aggregates() {
        return aggregates;
    }
}
