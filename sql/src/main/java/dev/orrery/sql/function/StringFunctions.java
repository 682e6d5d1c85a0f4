package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Functions on text. */
final class StringFunctions {
    static final List<Builtin> TABLE = List.of(
            test("CONTAINS", "CONTAINS('abc', 'BC', true)", "true", String::contains),
            test("ENDSWITH", "ENDSWITH('abc', 'bc')", "true", String::endsWith),
            test("STARTSWITH", "STARTSWITH('abc', 'AB')", "false", String::startsWith),
            test("STRINGEQUALS STRING_EQUALS", "STRINGEQUALS('abc', 'ABC', true)", "true", String::equals),
            row("LOWER", 1, "LOWER('A')", "\"a\"", text -> new Str(text.toLowerCase(Locale.ROOT))),
            row("UPPER", 1, "UPPER('a')", "\"A\"", text -> new Str(text.toUpperCase(Locale.ROOT))));

    private StringFunctions() {}

    private static Builtin row(
            String names, int arguments, String example, String result, Function<String, JsonValue> body) {
        return Builtin.row(
                Builtin.Group.STRING,
                names,
                arguments,
                arguments,
                example,
                result,
                (values, _) -> values[0] instanceof Str(String text) ? body.apply(text) : JsonValue.UNDEFINED);
    }

    /** A question about two texts with an optional third argument that says whether to ignore case. */
    private static Builtin test(String names, String example, String result, BiPredicate<String, String> question) {
        return Builtin.row(Builtin.Group.STRING, names, 2, 3, example, result, (values, _) -> {
            var ignoreCase = values.length > 2 ? values[2] : Bool.FALSE;
            return values[0] instanceof Str(String text)
                            && values[1] instanceof Str(String other)
                            && ignoreCase instanceof Bool(boolean fold)
                    ? Bool.of(question.test(fold(text, fold), fold(other, fold)))
                    : JsonValue.UNDEFINED;
        });
    }

    private static String fold(String text, boolean fold) {
        return fold ? text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT) : text;
    }
}
