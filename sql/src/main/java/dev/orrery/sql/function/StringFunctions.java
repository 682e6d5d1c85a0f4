package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.memory.Workspace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** Functions on text; an argument that is not text gives undefined. */
final class StringFunctions {
    private static final int REPLICATED_MAX = 10_000;

    static final List<Builtin> TABLE = List.of(
            making(
                    "CONCAT",
                    "text, more...",
                    "The texts one after another.",
                    "CONCAT('a', 'b', 'c')",
                    "\"abc\"",
                    StringFunctions::concat),
            test(
                    "CONTAINS",
                    "text, part, ignoreCase?",
                    "Whether a text has a part.",
                    "CONTAINS('abc', 'BC', true)",
                    "true",
                    String::contains),
            containing(
                    "CONTAINS_ALL_CI CONTAINSALLCI",
                    "text, part...",
                    "Whether a text has all the parts, upper and lower case being the same.",
                    "CONTAINS_ALL_CI('abc', 'A', 'C')",
                    "true",
                    true,
                    Logic::all),
            containing(
                    "CONTAINS_ALL_CS CONTAINSALLCS",
                    "text, part...",
                    "Whether a text has all the parts in this very case.",
                    "CONTAINS_ALL_CS('abc', 'a', 'C')",
                    "false",
                    false,
                    Logic::all),
            containing(
                    "CONTAINS_ANY_CI CONTAINSANYCI",
                    "text, part...",
                    "Whether a text has at least one of the parts, upper and lower case being the same.",
                    "CONTAINS_ANY_CI('abc', 'X', 'C')",
                    "true",
                    true,
                    Logic::any),
            containing(
                    "CONTAINS_ANY_CS CONTAINSANYCS",
                    "text, part...",
                    "Whether a text has at least one of the parts in this very case.",
                    "CONTAINS_ANY_CS('abc', 'X', undefined)",
                    "undefined",
                    false,
                    Logic::any),
            test(
                    "ENDSWITH",
                    "text, end, ignoreCase?",
                    "Whether a text ends with another.",
                    "ENDSWITH('abc', 'bc')",
                    "true",
                    String::endsWith),
            row(
                    "INDEX_OF",
                    "text, part, integer start?",
                    "The position of the first occurrence of a part, from 0 on, looking from a position; -1 if there"
                            + " is none.",
                    "INDEX_OF('abcabc', 'c', 3)",
                    "5",
                    StringFunctions::indexOf),
            row(
                    "LASTINDEXOF",
                    "text, part, integer start?",
                    "The position of the last occurrence of a part, looking backwards from a position; -1 if there is"
                            + " none.",
                    "LASTINDEXOF('abcabc', 'abc')",
                    "3",
                    StringFunctions::lastIndexOf),
            part(
                    "LASTSUBSTRINGAFTER",
                    "text, part",
                    "What follows the last occurrence of a part.",
                    "LASTSUBSTRINGAFTER('a.b.c', '.')",
                    "\"c\"",
                    StringFunctions::afterLast),
            part(
                    "LASTSUBSTRINGBEFORE",
                    "text, part",
                    "What stands before the last occurrence of a part.",
                    "LASTSUBSTRINGBEFORE('a.b.c', '.')",
                    "\"a.b\"",
                    StringFunctions::beforeLast),
            row(
                    "LEFT",
                    "text, integer length",
                    "The first characters of a text.",
                    "LEFT('abc', 2)",
                    "\"ab\"",
                    StringFunctions::left),
            text(
                    "LENGTH",
                    "text",
                    "How many characters a text has.",
                    "LENGTH('abc')",
                    "3",
                    text -> new Num(Characters.count(text))),
            text(
                    "LOWER",
                    "text",
                    "A text in lower case.",
                    "LOWER('AbC')",
                    "\"abc\"",
                    text -> new Str(text.toLowerCase(Locale.ROOT))),
            row(
                    "LTRIM",
                    "text, characters?",
                    "A text without the white space, or the given characters, at its beginning.",
                    "LTRIM('  a ')",
                    "\"a \"",
                    values -> trim(values, true, false)),
            making(
                    "REPLACE",
                    "text, part, replacement",
                    "A text with every occurrence of a part replaced.",
                    "REPLACE('abcabc', 'b', '-')",
                    "\"a-ca-c\"",
                    StringFunctions::replace),
            row(
                    "REPLICATE",
                    "text, integer count",
                    "A text a number of times over, at most 10,000 characters of it.",
                    "REPLICATE('ab', 3)",
                    "\"ababab\"",
                    StringFunctions::replicate),
            text(
                    "REVERSE",
                    "text",
                    "The characters of a text from the last to the first.",
                    "REVERSE('abc')",
                    "\"cba\"",
                    text -> new Str(new StringBuilder(text).reverse().toString())),
            row(
                    "RIGHT",
                    "text, integer length",
                    "The last characters of a text.",
                    "RIGHT('abc', 2)",
                    "\"bc\"",
                    StringFunctions::right),
            row(
                    "RTRIM",
                    "text, characters?",
                    "A text without the white space, or the given characters, at its end.",
                    "RTRIM('abcxyx', 'xy')",
                    "\"abc\"",
                    values -> trim(values, false, true)),
            test(
                    "STARTSWITH",
                    "text, start, ignoreCase?",
                    "Whether a text starts with another.",
                    "STARTSWITH('abc', 'AB')",
                    "false",
                    String::startsWith),
            test(
                    "STRINGEQUALS",
                    "text, other, ignoreCase?",
                    "Whether two texts are the same.",
                    "STRINGEQUALS('abc', 'ABC', true)",
                    "true",
                    String::equals),
            making(
                    "STRINGJOIN",
                    "texts, separator",
                    "The texts of an array, one after another with a separator between them.",
                    "STRINGJOIN(['a', 'b'], '-')",
                    "\"a-b\"",
                    StringFunctions::join),
            making(
                    "STRINGSPLIT",
                    "text, separator",
                    "The pieces of a text between the occurrences of a separator.",
                    "STRINGSPLIT('a-b', '-')",
                    "[\"a\",\"b\"]",
                    StringFunctions::split),
            row(
                    "SUBSTRING",
                    "text, integer start, integer length",
                    "The characters of a text from a position, counted from 0, on.",
                    "SUBSTRING('abcdef', 2, 3)",
                    "\"cde\"",
                    StringFunctions::substring),
            part(
                    "SUBSTRINGAFTER",
                    "text, part",
                    "What follows the first occurrence of a part.",
                    "SUBSTRINGAFTER('a.b.c', '.')",
                    "\"b.c\"",
                    StringFunctions::afterFirst),
            part(
                    "SUBSTRINGBEFORE",
                    "text, part",
                    "What stands before the first occurrence of a part.",
                    "SUBSTRINGBEFORE('a.b.c', '.')",
                    "\"a\"",
                    StringFunctions::beforeFirst),
            row(
                    "TRIM",
                    "text, characters?",
                    "A text without the white space, or the given characters, at both ends.",
                    "TRIM('-a-', '-')",
                    "\"a\"",
                    values -> trim(values, true, true)),
            text(
                    "UPPER",
                    "text",
                    "A text in upper case.",
                    "UPPER('AbC')",
                    "\"ABC\"",
                    text -> new Str(text.toUpperCase(Locale.ROOT))));

    private StringFunctions() {}

    private static Builtin row(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            Function<JsonValue[], JsonValue> body) {
        return Builtin.row(
                Builtin.Group.STRING,
                names,
                parameters,
                description,
                example,
                result,
                (values, _) -> body.apply(values));
    }

    /** A function that may give more than it is given, and counts that before it makes it. */
    private static Builtin making(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            BiFunction<JsonValue[], Workspace, JsonValue> body) {
        return Builtin.row(
                Builtin.Group.STRING,
                names,
                parameters,
                description,
                example,
                result,
                (values, context) -> body.apply(values, context.workspace()));
    }

    /** A question about a text and any number of parts, each of which may be undefined. */
    private static Builtin containing(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            boolean fold,
            Function<Stream<JsonValue>, JsonValue> combination) {
        return Builtin.lenient(
                Builtin.Group.STRING,
                names,
                parameters,
                description,
                example,
                result,
                (values, _) ->
                        combination.apply(Arrays.stream(values).skip(1).map(part -> contains(values[0], part, fold))));
    }

    /** A function of one text. */
    private static Builtin text(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            Function<String, JsonValue> body) {
        return row(
                name,
                parameters,
                description,
                example,
                result,
                values -> values[0] instanceof Str(String text) ? body.apply(text) : JsonValue.UNDEFINED);
    }

    /** A function that takes a part of a text around another one. */
    private static Builtin part(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            BiFunction<String, String, JsonValue> body) {
        return row(
                name,
                parameters,
                description,
                example,
                result,
                values -> values[0] instanceof Str(String text) && values[1] instanceof Str(String part)
                        ? body.apply(text, part)
                        : JsonValue.UNDEFINED);
    }

    /** A question about two texts with an optional third argument that says whether to ignore case. */
    private static Builtin test(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            BiPredicate<String, String> question) {
        return row(name, parameters, description, example, result, values -> {
            var ignoreCase = values.length > 2 ? values[2] : Bool.FALSE;
            return values[0] instanceof Str(String text)
                            && values[1] instanceof Str(String other)
                            && ignoreCase instanceof Bool(boolean fold)
                    ? Bool.of(question.test(fold(text, fold), fold(other, fold)))
                    : JsonValue.UNDEFINED;
        });
    }

    /** A text in which letters that differ in case only are the same. */
    private static String fold(String text, boolean fold) {
        return fold ? text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT) : text;
    }

    private static JsonValue concat(JsonValue[] values, Workspace workspace) {
        var length = 0L;
        for (var value : values) {
            if (!(value instanceof Str(String text))) {
                return JsonValue.UNDEFINED;
            }
            length += text.length();
        }
        ValueSize.check(length, workspace);
        var all = new StringBuilder((int) length);
        for (var value : values) {
            all.append(((Str) value).value());
        }
        return new Str(all.toString());
    }

    private static JsonValue contains(JsonValue text, JsonValue part, boolean fold) {
        return text instanceof Str(String whole) && part instanceof Str(String wanted)
                ? Bool.of(fold(whole, fold).contains(fold(wanted, fold)))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue indexOf(JsonValue[] values) {
        return values[0] instanceof Str(String text) && values[1] instanceof Str(String part)
                ? new Num(Characters.indexOf(text, part, Numbers.integer(values, 2, 0)))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue lastIndexOf(JsonValue[] values) {
        return values[0] instanceof Str(String text) && values[1] instanceof Str(String part)
                ? new Num(Characters.lastIndexOf(text, part, Numbers.integer(values, 2, Integer.MAX_VALUE)))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue afterFirst(String text, String part) {
        var index = text.indexOf(part);
        return index < 0 ? JsonValue.UNDEFINED : new Str(text.substring(index + part.length()));
    }

    private static JsonValue beforeFirst(String text, String part) {
        var index = text.indexOf(part);
        return index < 0 ? JsonValue.UNDEFINED : new Str(text.substring(0, index));
    }

    private static JsonValue afterLast(String text, String part) {
        var index = text.lastIndexOf(part);
        return index < 0 ? JsonValue.UNDEFINED : new Str(text.substring(index + part.length()));
    }

    private static JsonValue beforeLast(String text, String part) {
        var index = text.lastIndexOf(part);
        return index < 0 ? JsonValue.UNDEFINED : new Str(text.substring(0, index));
    }

    private static JsonValue left(JsonValue[] values) {
        return values[0] instanceof Str(String text)
                ? new Str(Characters.slice(text, 0, Numbers.integer(values[1])))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue right(JsonValue[] values) {
        if (!(values[0] instanceof Str(String text))) {
            return JsonValue.UNDEFINED;
        }
        var length = Math.clamp(Numbers.integer(values[1]), 0, Characters.count(text));
        return new Str(Characters.slice(text, Characters.count(text) - length, length));
    }

    private static JsonValue substring(JsonValue[] values) {
        return values[0] instanceof Str(String text)
                ? new Str(Characters.slice(text, Numbers.integer(values[1]), Numbers.integer(values[2])))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue trim(JsonValue[] values, boolean left, boolean right) {
        if (values.length == 1) {
            return values[0] instanceof Str(String text)
                    ? new Str(Characters.trim(text, StringFunctions::isSpace, left, right))
                    : JsonValue.UNDEFINED;
        }
        if (!(values[0] instanceof Str(String text)) || !(values[1] instanceof Str(String characters))) {
            return JsonValue.UNDEFINED;
        }
        IntPredicate trimmed = codePoint -> characters.indexOf(codePoint) >= 0;
        return new Str(Characters.trim(text, trimmed, left, right));
    }

    private static boolean isSpace(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }

    private static JsonValue replace(JsonValue[] values, Workspace workspace) {
        if (!(values[0] instanceof Str(String text))
                || !(values[1] instanceof Str(String part))
                || !(values[2] instanceof Str(String replacement))
                || part.isEmpty()) {
            return JsonValue.UNDEFINED;
        }
        var occurrences = 0L;
        for (var index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + part.length())) {
            occurrences++;
        }
        ValueSize.check(text.length() + occurrences * (replacement.length() - part.length()), workspace);
        return new Str(text.replace(part, replacement));
    }

    private static JsonValue replicate(JsonValue[] values) {
        var times = Numbers.integer(values[1]);
        if (!(values[0] instanceof Str(String text)) || times < 0) {
            return JsonValue.UNDEFINED;
        }
        if (text.isEmpty()) {
            return new Str("");
        }
        return times <= REPLICATED_MAX / Characters.count(text)
                ? new Str(text.repeat((int) times))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue join(JsonValue[] values, Workspace workspace) {
        if (!(values[0] instanceof Arr(var items)) || !(values[1] instanceof Str(String separator))) {
            return JsonValue.UNDEFINED;
        }
        var texts = new ArrayList<String>(items.size());
        var length = (long) separator.length() * items.size();
        for (var item : items) {
            if (!(item instanceof Str(String text))) {
                return JsonValue.UNDEFINED;
            }
            texts.add(text);
            length += text.length();
        }
        ValueSize.check(length, workspace);
        return new Str(String.join(separator, texts));
    }

    private static JsonValue split(JsonValue[] values, Workspace workspace) {
        if (!(values[0] instanceof Str(String text)) || !(values[1] instanceof Str(String separator))) {
            return JsonValue.UNDEFINED;
        }
        var parts = new ArrayList<String>();
        var start = 0;
        while (!separator.isEmpty() && text.indexOf(separator, start) >= 0) {
            var end = text.indexOf(separator, start);
            workspace.build(ValueSize.TEXT_BYTES);
            parts.add(text.substring(start, end));
            start = end + separator.length();
        }
        parts.add(text.substring(start));
        return JsonValue.strings(parts);
    }
}
