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
            row("IS_ARRAY", "IS_ARRAY([1])", "true", value -> value instanceof Arr),
            row("IS_BOOL IS_BOOLEAN", "IS_BOOL(false)", "true", value -> value instanceof Bool),
            row("IS_DEFINED", "IS_DEFINED(undefined)", "false", value -> !value.isUndefined()),
            row("IS_FINITE_NUMBER", "IS_FINITE_NUMBER(1.5)", "true", value -> value instanceof Num),
            row("IS_INTEGER", "IS_INTEGER(1.5)", "false", IntegerFunctions::isInteger),
            row("IS_NULL", "IS_NULL(null)", "true", value -> value instanceof Null),
            row("IS_NUMBER", "IS_NUMBER('1')", "false", value -> value instanceof Num),
            row("IS_OBJECT", "IS_OBJECT({a: 1})", "true", value -> value instanceof Obj),
            row("IS_PRIMITIVE", "IS_PRIMITIVE([1])", "false", TypeFunctions::isPrimitive),
            row("IS_STRING", "IS_STRING('a')", "true", value -> value instanceof Str));

    private TypeFunctions() {}

    private static Builtin row(String names, String example, String result, Predicate<JsonValue> question) {
        return Builtin.lenient(
                Builtin.Group.TYPE,
                names,
                1,
                1,
                example,
                result,
                (arguments, _) -> Bool.of(question.test(arguments[0])));
    }

    private static boolean isPrimitive(JsonValue value) {
        return value instanceof Null || value instanceof Bool || value instanceof Num || value instanceof Str;
    }
}
