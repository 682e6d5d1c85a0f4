package dev.orrery.sql.run;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.syntax.Expression.SubqueryKind;
import java.util.ArrayList;
import java.util.List;

/** Computes the value of an expression in a frame. */
final class Evaluator {
    private Evaluator() {}

    static JsonValue evaluate(Bound expression, Frame frame) {
        return switch (expression) {
            case Bound.Property(var target, var name) ->
                evaluate(target, frame) instanceof JsonValue.Obj object ? object.member(name) : JsonValue.UNDEFINED;
            case Bound.Slot(int index) -> frame.slot(index);
            case Bound.Constant(var value) -> value;
            case Bound.Parameter(int index) -> frame.parameter(index);
            case Bound.Binary(var operator, var left, var right) ->
                Operators.binary(operator, evaluate(left, frame), evaluate(right, frame));
            case Bound.And(var terms) -> and(terms, frame);
            case Bound.Or(var terms) -> or(terms, frame);
            case Bound.In(var target, var choices) -> in(evaluate(target, frame), choices, frame);
            case Bound.Call call -> call(call, frame);
            case Bound.Unary(var operator, var operand) -> Operators.unary(operator, evaluate(operand, frame));
            case Bound.Element(var target, var index) ->
                Operators.element(evaluate(target, frame), evaluate(index, frame));
            case Bound.Between(var target, var low, var high) ->
                Operators.between(evaluate(target, frame), evaluate(low, frame), evaluate(high, frame));
            case Bound.Like like -> like(like, frame);
            case Bound.Conditional(var condition, var then, var otherwise) ->
                evaluate(isTrue(evaluate(condition, frame)) ? then : otherwise, frame);
            case Bound.Computed(var _, var _, var value) -> evaluate(value, frame);
            case Bound.Coalesce(var value, var fallback) -> {
                var found = evaluate(value, frame);
                yield found.isUndefined() ? evaluate(fallback, frame) : found;
            }
            case Bound.UserCall(var function, var arguments) -> userCall(function, arguments, frame);
            case Bound.NewArray(var items) -> newArray(items, frame);
            case Bound.NewObject(var members) -> {
                var object = JsonValue.Obj.builder();
                members.forEach(member -> object.put(member.name(), evaluate(member.value(), frame)));
                yield object.build();
            }
            case Bound.Subquery(var kind, var query) -> subquery(kind, query, frame);
        };
    }

    static boolean isTrue(JsonValue value) {
        return value instanceof Bool(boolean set) && set;
    }

    private static boolean isFalse(JsonValue value) {
        return value instanceof Bool(boolean set) && !set;
    }

    /** False if any term is false; true if all are true; otherwise undefined. */
    private static JsonValue and(List<Bound> terms, Frame frame) {
        JsonValue result = Bool.TRUE;
        for (var term : terms) {
            var value = evaluate(term, frame);
            if (isFalse(value)) {
                return Bool.FALSE;
            }
            if (!isTrue(value)) {
                result = JsonValue.UNDEFINED;
            }
        }
        return result;
    }

    /** True if any term is true; false if all are false; otherwise undefined. */
    private static JsonValue or(List<Bound> terms, Frame frame) {
        JsonValue result = Bool.FALSE;
        for (var term : terms) {
            var value = evaluate(term, frame);
            if (isTrue(value)) {
                return Bool.TRUE;
            }
            if (!isFalse(value)) {
                result = JsonValue.UNDEFINED;
            }
        }
        return result;
    }

    private static JsonValue in(JsonValue target, List<Bound> choices, Frame frame) {
        if (target.isUndefined()) {
            return JsonValue.UNDEFINED;
        }
        JsonValue result = Bool.FALSE;
        for (var choice : choices) {
            var value = evaluate(choice, frame);
            if (value.isUndefined()) {
                result = JsonValue.UNDEFINED;
            } else if (target.equals(value)) {
                return Bool.TRUE;
            }
        }
        return result;
    }

    private static JsonValue call(Bound.Call call, Frame frame) {
        var arguments = new JsonValue[call.arguments().size()];
        for (var index = 0; index < arguments.length; index++) {
            arguments[index] = evaluate(call.arguments().get(index), frame);
        }
        return call.function().call(arguments, frame.context());
    }

    private static JsonValue userCall(String function, List<Bound> arguments, Frame frame) {
        var values = new ArrayList<JsonValue>(arguments.size());
        for (var argument : arguments) {
            values.add(evaluate(argument, frame));
        }
        return frame.userFunctions().call(function, values);
    }

    private static JsonValue like(Bound.Like like, Frame frame) {
        return evaluate(like.target(), frame) instanceof JsonValue.Str(String text)
                        && evaluate(like.pattern(), frame) instanceof JsonValue.Str(String pattern)
                ? Bool.of(
                        frame.context().patterns().like(pattern, like.escape()).matches(text))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue newArray(List<Bound> items, Frame frame) {
        var values = new ArrayList<JsonValue>(items.size());
        for (var item : items) {
            var value = evaluate(item, frame);
            if (!value.isUndefined()) {
                values.add(value);
            }
        }
        return new JsonValue.Arr(values);
    }

    private static JsonValue subquery(SubqueryKind kind, BoundQuery query, Frame frame) {
        return switch (kind) {
            case EXISTS -> Bool.of(!rows(query, frame, 1).isEmpty());
            case FIRST -> rows(query, frame, 1).stream().findFirst().orElse(JsonValue.UNDEFINED);
            case LAST -> {
                var rows = rows(query, frame, Integer.MAX_VALUE);
                yield rows.isEmpty() ? JsonValue.UNDEFINED : rows.getLast();
            }
            case ARRAY -> new JsonValue.Arr(rows(query, frame, Integer.MAX_VALUE));
            case ALL -> Bool.of(rows(query, frame, Integer.MAX_VALUE).stream().allMatch(Evaluator::isTrue));
            case SCALAR -> scalar(rows(query, frame, 2));
        };
    }

    private static JsonValue scalar(List<JsonValue> rows) {
        if (rows.size() > 1) {
            throw new FailureException(new Failure.BadRequest(
                    "The cardinality of a scalar subquery result set cannot be greater than one."));
        }
        return rows.isEmpty() ? JsonValue.UNDEFINED : rows.getFirst();
    }

    private static List<JsonValue> rows(BoundQuery query, Frame frame, int enough) {
        var rows = new ArrayList<JsonValue>();
        new Pipeline(query, frame, row -> {
                    rows.add(row);
                    return rows.size() < enough;
                })
                .run();
        return rows;
    }
}
