package dev.orrery.sql.run;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.function.Builtin;
import dev.orrery.sql.memory.Workspace;
import dev.orrery.sql.syntax.BinaryOperator;
import dev.orrery.sql.syntax.Expression.SubqueryKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Computes the value of an expression in a frame, and counts the memory that values take as they are made: each of them
 * once more wherever it is mentioned, so that whatever is put together from them is counted with them.
 */
final class Evaluator {
    private static final int ARRAY_BYTES = 96;
    private static final int ELEMENT_BYTES = 16;
    private static final int OBJECT_BYTES = 384;
    private static final int MEMBER_BYTES = 96;

    /** What a user-defined function is given and gives back is written, sent and read again. */
    private static final int TIMES_SENT = 6;

    /** Functions of several texts that look at each of them once. */
    private static final Set<String> SIDE_BY_SIDE = Set.of("CONCAT", "ENDSWITH", "STARTSWITH", "STRINGEQUALS");

    private Evaluator() {}

    static JsonValue evaluate(Bound expression, Frame frame) {
        return switch (expression) {
            case Bound.Property _, Bound.Slot _, Bound.Element _ ->
                frame.workspace().mention(find(expression, frame));
            case Bound.Constant(var value) -> value;
            case Bound.Parameter(int index) -> frame.parameter(index);
            case Bound.Binary binary -> binary(binary, frame);
            case Bound.And(var terms) -> and(terms, frame);
            case Bound.Or(var terms) -> or(terms, frame);
            case Bound.In(var target, var choices) -> in(evaluate(target, frame), choices, frame);
            case Bound.Call call -> call(call, frame);
            case Bound.Unary(var operator, var operand) -> Operators.unary(operator, evaluate(operand, frame));
            case Bound.Between(var target, var low, var high) ->
                Operators.between(evaluate(target, frame), evaluate(low, frame), evaluate(high, frame));
            case Bound.Like like -> like(like, frame);
            case Bound.Conditional(var condition, var then, var otherwise) ->
                evaluate(isTrue(judge(condition, frame)) ? then : otherwise, frame);
            case Bound.Computed(var _, var _, var value) -> evaluate(value, frame);
            case Bound.Coalesce(var value, var fallback) -> {
                var found = evaluate(value, frame);
                yield found.isUndefined() ? evaluate(fallback, frame) : found;
            }
            case Bound.UserCall(var function, var arguments) -> userCall(function, arguments, frame);
            case Bound.NewArray(var items) -> newArray(items, frame);
            case Bound.NewObject(var members) -> newObject(members, frame);
            case Bound.Subquery(var kind, var query) -> subquery(kind, query, frame);
        };
    }

    /** The value that is at a place; nobody holds on to those that it is a part of. */
    private static JsonValue find(Bound expression, Frame frame) {
        if (expression instanceof Bound.Property(var target, var name)) {
            return find(target, frame) instanceof JsonValue.Obj object ? object.member(name) : JsonValue.UNDEFINED;
        }
        if (expression instanceof Bound.Slot(int index)) {
            return frame.slot(index);
        }
        return expression instanceof Bound.Element element ? element(element, frame) : evaluate(expression, frame);
    }

    private static JsonValue element(Bound.Element element, Frame frame) {
        long mark = frame.workspace().mark();
        var target = find(element.target(), frame);
        frame.workspace().unfold(target);
        var value = Operators.element(target, evaluate(element.index(), frame));
        frame.workspace().drop(mark);
        return value;
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
            var value = judge(term, frame);
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
            var value = judge(term, frame);
            if (isTrue(value)) {
                return Bool.TRUE;
            }
            if (!isFalse(value)) {
                result = JsonValue.UNDEFINED;
            }
        }
        return result;
    }

    /** A value of which only matters whether it is true, and nothing is left. */
    static JsonValue judge(Bound expression, Frame frame) {
        long mark = frame.workspace().mark();
        var value = evaluate(expression, frame);
        frame.workspace().look(value);
        frame.workspace().drop(mark);
        return value;
    }

    private static JsonValue binary(Bound.Binary binary, Frame frame) {
        var workspace = frame.workspace();
        long mark = workspace.mark();
        var left = evaluate(binary.left(), frame);
        var right = evaluate(binary.right(), frame);
        if (binary.operator() == BinaryOperator.CONCAT) {
            var text = Operators.binary(binary.operator(), left, right, workspace);
            workspace.drop(mark);
            return workspace.mention(text);
        }
        workspace.unfold(left);
        workspace.unfold(right);
        var result = Operators.binary(binary.operator(), left, right, workspace);
        workspace.drop(mark);
        return result;
    }

    private static JsonValue in(JsonValue target, List<Bound> choices, Frame frame) {
        if (target.isUndefined()) {
            return JsonValue.UNDEFINED;
        }
        frame.workspace().unfold(target);
        JsonValue result = Bool.FALSE;
        for (var choice : choices) {
            long mark = frame.workspace().mark();
            var value = evaluate(choice, frame);
            frame.workspace().unfold(value);
            frame.workspace().drop(mark);
            if (value.isUndefined()) {
                result = JsonValue.UNDEFINED;
            } else if (target.equals(value)) {
                return Bool.TRUE;
            }
        }
        return result;
    }

    private static JsonValue call(Bound.Call call, Frame frame) {
        var workspace = frame.workspace();
        long mark = workspace.mark();
        var arguments = new JsonValue[call.arguments().size()];
        for (var index = 0; index < arguments.length; index++) {
            arguments[index] = evaluate(call.arguments().get(index), frame);
            workspace.unfold(arguments[index]);
        }
        // Most functions give no more than they are given; those that do say so before they do it.
        long given = workspace.mark();
        workspace.build(given - mark);
        countSearch(call.function(), arguments, workspace);
        var result = call.function().call(arguments, frame.context());
        workspace.drop(isSmall(result) ? mark : given);
        return workspace.mention(result);
    }

    /** To look for one text in another, or compare two shapes, takes the product of their lengths at worst. */
    private static void countSearch(Builtin function, JsonValue[] arguments, Workspace workspace) {
        boolean counts = workspace.countsWork();
        for (int index = 1; index < arguments.length; index++) {
            if (counts || areLongTexts(arguments[0], arguments[index])) {
                if (meet(function, arguments[0])) {
                    workspace.meet(JsonSize.length(arguments[0]), JsonSize.length(arguments[index]));
                }
            }
        }
    }

    private static boolean areLongTexts(JsonValue one, JsonValue other) {
        return one instanceof JsonValue.Str(String text)
                && other instanceof JsonValue.Str(String wanted)
                && (long) text.length() * wanted.length() > Limits.QUERY_SEARCH_STEPS_MAX;
    }

    private static boolean meet(Builtin function, JsonValue first) {
        return function.group() == Builtin.Group.SPATIAL
                || (first instanceof JsonValue.Str && !SIDE_BY_SIDE.contains(function.name()));
    }

    private static boolean isSmall(JsonValue value) {
        return !(value instanceof JsonValue.Str || value instanceof JsonValue.Arr || value instanceof JsonValue.Obj);
    }

    private static JsonValue userCall(String function, List<Bound> arguments, Frame frame) {
        var values = new ArrayList<JsonValue>(arguments.size());
        var workspace = frame.workspace();
        long mark = workspace.mark();
        for (var argument : arguments) {
            values.add(evaluate(argument, frame));
        }
        workspace.build(TIMES_SENT * (workspace.mark() - mark));
        var result = frame.userFunctions().call(function, values);
        workspace.drop(mark);
        workspace.build((TIMES_SENT - 1) * workspace.size(result));
        return workspace.mention(result);
    }

    private static JsonValue like(Bound.Like like, Frame frame) {
        if (evaluate(like.target(), frame) instanceof JsonValue.Str(String text)
                && evaluate(like.pattern(), frame) instanceof JsonValue.Str(String pattern)) {
            frame.workspace().meet(text.length(), pattern.length());
            return Bool.of(
                    frame.context().patterns().like(pattern, like.escape()).matches(text));
        }
        return JsonValue.UNDEFINED;
    }

    private static JsonValue newArray(List<Bound> items, Frame frame) {
        frame.workspace().build(ARRAY_BYTES + (long) ELEMENT_BYTES * items.size());
        var values = new ArrayList<JsonValue>(items.size());
        for (var item : items) {
            var value = evaluate(item, frame);
            if (!value.isUndefined()) {
                values.add(value);
            }
        }
        return new JsonValue.Arr(values);
    }

    private static JsonValue newObject(List<Bound.Member> members, Frame frame) {
        frame.workspace().build(OBJECT_BYTES + (long) MEMBER_BYTES * members.size());
        var object = JsonValue.Obj.builder();
        for (var member : members) {
            object.put(member.name(), evaluate(member.value(), frame));
        }
        return object.build();
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
        var workspace = frame.workspace();
        var rows = new ArrayList<JsonValue>();
        long keptBefore = workspace.kept();
        var size = new long[1];
        new Pipeline(query, frame, row -> {
                    // Until they are all there, what else the query builds comes and goes.
                    long more = ELEMENT_BYTES + workspace.size(row);
                    size[0] += more;
                    workspace.keep(more);
                    rows.add(row);
                    return rows.size() < enough;
                })
                .run();
        workspace.forget(keptBefore);
        workspace.build(ARRAY_BYTES + size[0]);
        return rows;
    }
}
