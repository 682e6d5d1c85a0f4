package dev.orrery.sql.run;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundStatement;
import dev.orrery.sql.function.LikePattern;
import java.util.List;
import java.util.Optional;

/** The values of those expressions of a query that are the same for every item. */
public final class FixedValues {
    private final Frame frame;

    public FixedValues(BoundStatement statement, QueryInputs inputs) {
        frame = new Frame(statement, inputs);
    }

    public Optional<JsonValue> of(Bound expression) {
        if (!isFixed(expression)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Evaluator.evaluate(expression, frame));
        } catch (FailureException _) {
            return Optional.empty(); // The query will say so when it runs, if there is an item at all.
        }
    }

    public LikePattern like(String pattern, Optional<String> escape) {
        return frame.context().patterns().like(pattern, escape);
    }

    private static boolean isFixed(Bound expression) {
        return switch (expression) {
            case Bound.Constant _, Bound.Parameter _ -> true;
            case Bound.Slot _, Bound.Subquery _, Bound.UserCall _ -> false;
            case Bound.Property(var target, var _) -> isFixed(target);
            case Bound.Computed _ -> false;
            case Bound.Element(var target, var index) -> isFixed(target) && isFixed(index);
            case Bound.Unary(var _, var operand) -> isFixed(operand);
            case Bound.Binary(var _, var left, var right) -> isFixed(left) && isFixed(right);
            case Bound.And(var terms) -> areFixed(terms);
            case Bound.Or(var terms) -> areFixed(terms);
            case Bound.Between(var target, var low, var high) -> isFixed(target) && isFixed(low) && isFixed(high);
            case Bound.In(var target, var choices) -> isFixed(target) && areFixed(choices);
            case Bound.Like(var target, var pattern, var _) -> isFixed(target) && isFixed(pattern);
            case Bound.Conditional(var condition, var then, var otherwise) ->
                isFixed(condition) && isFixed(then) && isFixed(otherwise);
            case Bound.Coalesce(var value, var fallback) -> isFixed(value) && isFixed(fallback);
            case Bound.Call(var function, var arguments) -> !function.name().equals("RAND") && areFixed(arguments);
            case Bound.NewArray(var items) -> areFixed(items);
            case Bound.NewObject(var members) -> members.stream().allMatch(member -> isFixed(member.value()));
        };
    }

    private static boolean areFixed(List<Bound> expressions) {
        return expressions.stream().allMatch(FixedValues::isFixed);
    }
}
