package dev.orrery.sql.plan;

import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Source;
import java.util.Arrays;
import java.util.Collection;

/**
 * Tells queries that take hardly longer for an item than to read it: they compare and pick properties, each mentioned once,
 * and neither go over elements nor make values that are larger than the item.
 */
public final class Lightness {
    private static final int PARTS_MAX = 16;

    private int parts;

    private Lightness() {}

    public static boolean of(BoundQuery query) {
        var lightness = new Lightness();
        return query.sources().size() == 1
                && query.sources().getFirst() instanceof Source.Items
                && query.grouping().isEmpty()
                && !query.distinct()
                && query.sortKeys().isEmpty()
                && query.fusion().isEmpty()
                && lightness.areLight(query.filter().stream().toList())
                && lightness.isLight(query.projection());
    }

    private boolean areLight(Collection<Bound> expressions) {
        return expressions.stream().allMatch(this::isLight);
    }

    private boolean areLight(Bound... expressions) {
        return areLight(Arrays.asList(expressions));
    }

    private boolean isLight(Bound expression) {
        if (++parts > PARTS_MAX) {
            return false;
        }
        return switch (expression) {
            case Bound.Constant _, Bound.Parameter _, Bound.Slot _ -> true;
            case Bound.Property(var target, var _) -> isLight(target);
            case Bound.Unary(var _, var operand) -> isLight(operand);
            case Bound.Binary(var operator, var left, var right) ->
                switch (operator) {
                    case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> areLight(left, right);
                    case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> areLight(left, right);
                    case BIT_OR, BIT_XOR, BIT_AND, SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_UNSIGNED ->
                        areLight(left, right);
                    case CONCAT -> false;
                };
            case Bound.And(var terms) -> areLight(terms);
            case Bound.Or(var terms) -> areLight(terms);
            case Bound.Between(var target, var low, var high) -> areLight(target, low, high);
            case Bound.In(var target, var choices) -> isLight(target) && areLight(choices);
            case Bound.NewObject(var members) ->
                areLight(members.stream().map(Bound.Member::value).toList());
            case Bound.Element _,
                    Bound.Computed _,
                    Bound.Like _,
                    Bound.Conditional _,
                    Bound.Coalesce _,
                    Bound.Call _,
                    Bound.UserCall _,
                    Bound.NewArray _,
                    Bound.Subquery _ -> false;
        };
    }
}
