package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.function.Predicate;

/** Questions about the kind of a value; the answer is always true or false. */
final class TypeFunctions {
    static final List<Builtin> TABLE = List.of(
            row(
                    "IS_ARRAY",
                    "value",
                    "Whether a value is an array.",
                    "IS_ARRAY([1])",
                    "true",
                    value -> value instanceof Arr),
            row(
                    "IS_BOOL IS_BOOLEAN",
                    "value",
                    "Whether a value is true or false.",
                    "IS_BOOL(false)",
                    "true",
                    value -> value instanceof Bool),
            row(
                    "IS_DEFINED",
                    "value",
                    "Whether an expression has a value at all; a property that is null is defined.",
                    "IS_DEFINED(undefined)",
                    "false",
                    value -> !value.isUndefined()),
            row(
                    "IS_FINITE_NUMBER",
                    "value",
                    "Whether a value is a number other than NaN and the infinities, which JSON does not have.",
                    "IS_FINITE_NUMBER(1.5)",
                    "true",
                    value -> value instanceof Num),
            row(
                    "IS_INTEGER",
                    "value",
                    "Whether a value is a whole number that fits into 64 bits.",
                    "IS_INTEGER(1.5)",
                    "false",
                    Numbers::isInteger),
            row(
                    "IS_NULL",
                    "value",
                    "Whether a value is null.",
                    "IS_NULL(null)",
                    "true",
                    value -> value instanceof Null),
            row(
                    "IS_NUMBER",
                    "value",
                    "Whether a value is a number.",
                    "IS_NUMBER('1')",
                    "false",
                    value -> value instanceof Num),
            row(
                    "IS_OBJECT",
                    "value",
                    "Whether a value is an object.",
                    "IS_OBJECT({a: 1})",
                    "true",
                    value -> value instanceof Obj),
            row(
                    "IS_PRIMITIVE",
                    "value",
                    "Whether a value is null, true, false, a number or a text.",
                    "IS_PRIMITIVE([1])",
                    "false",
                    TypeFunctions::isPrimitive),
            row(
                    "IS_STRING",
                    "value",
                    "Whether a value is a text.",
                    "IS_STRING('a')",
                    "true",
                    value -> value instanceof Str));

    private TypeFunctions() {}

    private static Builtin row(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            Predicate<JsonValue> question) {
        return Builtin.lenient(
                Builtin.Group.TYPE,
                names,
                parameters,
                description,
                example,
                result,
                (arguments, _) -> Bool.of(question.test(arguments[0])));
    }

    private static boolean isPrimitive(JsonValue value) {
        return value instanceof Null || value instanceof Bool || value instanceof Num || value instanceof Str;
    }
}
