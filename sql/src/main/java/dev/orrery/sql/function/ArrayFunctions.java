package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.memory.Workspace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Functions on arrays and objects; an argument of another kind gives undefined. */
final class ArrayFunctions {
    // What each element takes besides itself.
    private static final long LIST_BYTES = 20;
    private static final long SET_BYTES = 96;
    private static final long PAIR_BYTES = 640;

    static final List<Builtin> TABLE = List.of(
            fold(
                    "ARRAY_AVG",
                    "array",
                    "The average of the numbers in an array.",
                    "ARRAY_AVG([1, 2, 3, 4])",
                    "2.5",
                    Aggregate.AVG),
            making(
                    "ARRAY_CONCAT",
                    "array, more...",
                    "The elements of all arrays in one array.",
                    "ARRAY_CONCAT([1], [2, 3])",
                    "[1,2,3]",
                    ArrayFunctions::concat),
            row(
                    "ARRAY_CONTAINS",
                    "array, value, partly?",
                    "Whether an array has an element; with true as third argument an object in the array may have more"
                            + " properties than the one looked for.",
                    "ARRAY_CONTAINS([{a: 1, b: 2}], {a: 1}, true)",
                    "true",
                    ArrayFunctions::contains),
            among(
                    "ARRAY_CONTAINS_ALL",
                    "array, value...",
                    "Whether an array has all the values.",
                    "ARRAY_CONTAINS_ALL([1, 2, 3], 1, 4)",
                    "false",
                    ArrayFunctions::containsAll),
            among(
                    "ARRAY_CONTAINS_ANY",
                    "array, value...",
                    "Whether an array has at least one of the values.",
                    "ARRAY_CONTAINS_ANY([1, 2, 3], 1, 4)",
                    "true",
                    ArrayFunctions::containsAny),
            array(
                    "ARRAY_LENGTH",
                    "array",
                    "How many elements an array has.",
                    "ARRAY_LENGTH([7, 8])",
                    "2",
                    items -> new Num(items.size())),
            fold(
                    "ARRAY_MAX",
                    "array",
                    "The last of the elements in the order of values.",
                    "ARRAY_MAX([1, 'a', null])",
                    "\"a\"",
                    Aggregate.MAX),
            array(
                    "ARRAY_MEDIAN",
                    "array",
                    "The number in the middle of the sorted numbers of an array, or the average of the two there.",
                    "ARRAY_MEDIAN([5, 1, 2, 4])",
                    "3",
                    ArrayFunctions::median),
            fold(
                    "ARRAY_MIN",
                    "array",
                    "The first of the elements in the order of values.",
                    "ARRAY_MIN([1, 'a', null])",
                    "null",
                    Aggregate.MIN),
            row(
                    "ARRAY_SLICE",
                    "array, integer start, integer length?",
                    "The elements from a position on, which counts from the end if negative.",
                    "ARRAY_SLICE([1, 2, 3, 4], -3, 2)",
                    "[2,3]",
                    ArrayFunctions::slice),
            fold(
                    "ARRAY_SUM",
                    "array",
                    "The sum of the numbers in an array.",
                    "ARRAY_SUM([1, 2, 3])",
                    "6",
                    Aggregate.SUM),
            Builtin.lenient(
                    Builtin.Group.ARRAY,
                    "CHOOSE",
                    "integer position, value...",
                    "The value at a position, counted from 1.",
                    "CHOOSE(2, 'a', 'b')",
                    "\"b\"",
                    (values, _) -> choose(values)),
            making(
                    "OBJECTTOARRAY",
                    "object, nameOfNames?, nameOfValues?",
                    "An array with one object for each property of an object, holding its name and its value.",
                    "OBJECTTOARRAY({a: 1})",
                    "[{\"k\":\"a\",\"v\":1}]",
                    ArrayFunctions::objectToArray),
            sets(
                    "SETDIFFERENCE",
                    "array, other",
                    "The different elements of an array that another has not.",
                    "SETDIFFERENCE([1, 2, 2, 3], [3])",
                    "[1,2]",
                    ArrayFunctions::difference),
            sets(
                    "SETEQUAL",
                    "array, other",
                    "Whether two arrays have the same elements, however often and in whatever order.",
                    "SETEQUAL([1, 2, 2], [2, 1])",
                    "true",
                    (left, right) -> Bool.of(left.equals(right))),
            sets(
                    "SETINTERSECT",
                    "array, other",
                    "The different elements that two arrays share.",
                    "SETINTERSECT([1, 2, 3], [3, 1])",
                    "[3,1]",
                    ArrayFunctions::intersection),
            sets(
                    "SETUNION",
                    "array, other",
                    "The different elements of two arrays.",
                    "SETUNION([1, 2], [2, 3])",
                    "[1,2,3]",
                    ArrayFunctions::union));

    private ArrayFunctions() {}

    private static Builtin row(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            Function<JsonValue[], JsonValue> body) {
        return Builtin.row(
                Builtin.Group.ARRAY, name, parameters, description, example, result, (values, _) -> body.apply(values));
    }

    /** A function that may give more than it is given, and counts that before it makes it. */
    private static Builtin making(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            BiFunction<JsonValue[], Workspace, JsonValue> body) {
        return Builtin.row(
                Builtin.Group.ARRAY,
                name,
                parameters,
                description,
                example,
                result,
                (values, context) -> body.apply(values, context.workspace()));
    }

    private static Builtin array(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            Function<List<JsonValue>, JsonValue> body) {
        return row(
                name,
                parameters,
                description,
                example,
                result,
                values -> values[0] instanceof Arr(var items) ? body.apply(items) : JsonValue.UNDEFINED);
    }

    /** An aggregate over the elements of one array. */
    private static Builtin fold(
            String name, String parameters, String description, String example, String result, Aggregate aggregate) {
        return array(name, parameters, description, example, result, items -> {
            var accumulator = aggregate.start();
            items.forEach(accumulator::add);
            return accumulator.result();
        });
    }

    /** A question about an array and any number of values, each of which may be undefined. */
    private static Builtin among(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            BiFunction<Set<JsonValue>, List<JsonValue>, JsonValue> body) {
        return Builtin.lenient(
                Builtin.Group.ARRAY,
                name,
                parameters,
                description,
                example,
                result,
                (values, _) -> values[0] instanceof Arr(var items)
                        ? body.apply(new HashSet<>(items), Arrays.asList(values).subList(1, values.length))
                        : JsonValue.UNDEFINED);
    }

    private static Builtin sets(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            BiFunction<Set<JsonValue>, Set<JsonValue>, JsonValue> body) {
        return making(name, parameters, description, example, result, (values, workspace) -> {
            if (!(values[0] instanceof Arr(var left)) || !(values[1] instanceof Arr(var right))) {
                return JsonValue.UNDEFINED;
            }
            workspace.build(SET_BYTES * (left.size() + (long) right.size()));
            return body.apply(new LinkedHashSet<>(left), new LinkedHashSet<>(right));
        });
    }

    private static JsonValue concat(JsonValue[] values, Workspace workspace) {
        var all = new ArrayList<JsonValue>();
        for (var value : values) {
            if (!(value instanceof Arr(var items))) {
                return JsonValue.UNDEFINED;
            }
            ValueSize.check((long) all.size() + items.size());
            workspace.build(LIST_BYTES * items.size());
            all.addAll(items);
        }
        return new Arr(all);
    }

    private static JsonValue contains(JsonValue[] values) {
        var partly = values.length > 2 ? values[2] : Bool.FALSE;
        return values[0] instanceof Arr(var items) && partly instanceof Bool(boolean partial)
                ? Bool.of(items.stream().anyMatch(item -> partial ? matches(item, values[1]) : item.equals(values[1])))
                : JsonValue.UNDEFINED;
    }

    /** Whether a value is the wanted one, or an object that has all members of the wanted one. */
    private static boolean matches(JsonValue value, JsonValue wanted) {
        return (value instanceof Obj object && wanted instanceof Obj part)
                ? part.members().entrySet().stream()
                        .allMatch(member -> matches(object.member(member.getKey()), member.getValue()))
                : value.equals(wanted);
    }

    private static JsonValue containsAll(Set<JsonValue> items, List<JsonValue> wanted) {
        return Logic.all(wanted.stream().map(value -> isAmong(items, value)));
    }

    private static JsonValue containsAny(Set<JsonValue> items, List<JsonValue> wanted) {
        return Logic.any(wanted.stream().map(value -> isAmong(items, value)));
    }

    private static JsonValue isAmong(Set<JsonValue> items, JsonValue value) {
        return value.isUndefined() ? JsonValue.UNDEFINED : Bool.of(items.contains(value));
    }

    private static JsonValue median(List<JsonValue> items) {
        if (items.isEmpty() || !items.stream().allMatch(Num.class::isInstance)) {
            return JsonValue.UNDEFINED;
        }
        var numbers = items.stream()
                .mapToDouble(item -> ((Num) item).value())
                .sorted()
                .toArray();
        var middle = numbers.length / 2;
        return new Num(numbers.length % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2);
    }

    private static JsonValue slice(JsonValue[] values) {
        if (!(values[0] instanceof Arr(var items))) {
            return JsonValue.UNDEFINED;
        }
        var from = Numbers.integer(values[1]);
        var length = Math.clamp(Numbers.integer(values, 2, Integer.MAX_VALUE), 0, items.size());
        var start = Math.clamp(from < 0 ? items.size() + from : from, 0, items.size());
        return new Arr(items.subList(start, Math.min(start + length, items.size())));
    }

    private static JsonValue choose(JsonValue[] values) {
        var position = Numbers.integer(values[0]);
        return position >= 1 && position < values.length ? values[(int) position] : JsonValue.UNDEFINED;
    }

    private static JsonValue objectToArray(JsonValue[] values, Workspace workspace) {
        var name = values.length > 1 ? values[1] : new Str("k");
        var content = values.length > 2 ? values[2] : new Str("v");
        if (!(values[0] instanceof Obj object)
                || !(name instanceof Str(String nameOfName))
                || !(content instanceof Str(String nameOfValue))) {
            return JsonValue.UNDEFINED;
        }
        workspace.build(PAIR_BYTES * object.size());
        return new Arr(object.members().entrySet().stream()
                .<JsonValue>map(member -> Obj.builder()
                        .put(nameOfName, member.getKey())
                        .put(nameOfValue, member.getValue())
                        .build())
                .toList());
    }

    private static JsonValue difference(Set<JsonValue> left, Set<JsonValue> right) {
        left.removeAll(right);
        return new Arr(List.copyOf(left));
    }

    private static JsonValue intersection(Set<JsonValue> left, Set<JsonValue> right) {
        right.retainAll(left);
        return new Arr(List.copyOf(right));
    }

    private static JsonValue union(Set<JsonValue> left, Set<JsonValue> right) {
        left.addAll(right);
        return new Arr(List.copyOf(left));
    }
}
