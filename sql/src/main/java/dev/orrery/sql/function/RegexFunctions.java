package dev.orrery.sql.function;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.memory.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Regular expressions. The engine matches in time proportional to the text and has therefore no back references and no
 * look-around.
 */
final class RegexFunctions {
    static final List<Builtin> TABLE = List.of(
            row(
                    "REGEXEXTRACT",
                    "text, pattern, modifiers?",
                    "The first part of a text that matches a regular expression.",
                    "REGEXEXTRACT('a1b22', '[0-9]+')",
                    "\"1\"",
                    RegexFunctions::first),
            row(
                    "REGEXEXTRACTALL",
                    "text, pattern, modifiers?",
                    "All parts of a text that match a regular expression.",
                    "REGEXEXTRACTALL('a1b22', '[0-9]+')",
                    "[\"1\",\"22\"]",
                    RegexFunctions::all),
            row(
                    "REGEXMATCH",
                    "text, pattern, modifiers?",
                    "Whether a part of a text matches a regular expression; the modifiers are m (lines), s (dot"
                            + " matches all), i (ignore case), x (ignore white space in the pattern).",
                    "REGEXMATCH('abcd', 'ABC', 'i')",
                    "true",
                    (search, text) -> Bool.of(search.in(text).find())));

    /** Any pattern may be matched against a text that is no longer. */
    private static final int SHORT_CHARACTERS = 64 << 10;

    /** A step of a pattern takes longer than to compare a character. */
    private static final int STEP_TIMES = 16;

    private RegexFunctions() {}

    private record Search(Pattern pattern, Workspace workspace) {
        Matcher in(String text) {
            return pattern.matcher(text);
        }
    }

    private static Builtin row(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            BiFunction<Search, String, JsonValue> body) {
        return Builtin.row(Builtin.Group.STRING, name, parameters, description, example, result, (values, context) -> {
            var modifiers = values.length > 2 ? values[2] : new Str("");
            return values[0] instanceof Str(String text)
                            && values[1] instanceof Str(String regex)
                            && modifiers instanceof Str(String letters)
                    ? compile(regex, letters, context.patterns())
                            .map(pattern -> body.apply(search(pattern, context.workspace(), text), text))
                            .orElse(JsonValue.UNDEFINED)
                    : JsonValue.UNDEFINED;
        });
    }

    /** Each character may meet each step of the pattern. */
    private static Search search(Pattern pattern, Workspace workspace, String text) {
        if (workspace.countsWork() || text.length() > SHORT_CHARACTERS) {
            workspace.meet(text.length(), STEP_TIMES * RegexSize.demanded(pattern.pattern()));
        }
        return new Search(pattern, workspace);
    }

    private static JsonValue first(Search search, String text) {
        var matcher = search.in(text);
        return matcher.find() ? new Str(matcher.group()) : JsonValue.UNDEFINED;
    }

    private static JsonValue all(Search search, String text) {
        var found = new ArrayList<String>();
        var matcher = search.in(text);
        while (matcher.find()) {
            search.workspace().build(ValueSize.TEXT_BYTES);
            search.workspace().goOn(text.length() - (long) matcher.start());
            found.add(matcher.group());
        }
        return JsonValue.strings(found);
    }

    private static Optional<Pattern> compile(String regex, String modifiers, Patterns patterns) {
        var flags = 0;
        var spaced = false;
        for (var index = 0; index < modifiers.length(); index++) {
            switch (modifiers.charAt(index)) {
                case 'i' -> flags |= Pattern.CASE_INSENSITIVE;
                case 'm' -> flags |= Pattern.MULTILINE;
                case 's' -> flags |= Pattern.DOTALL;
                case 'x' -> spaced = true;
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(patterns.regex(spaced ? withoutSpace(regex) : regex, flags));
    }

    /** What the modifier x leaves of a pattern: no white space but in brackets or after a backslash, and no comments. */
    private static String withoutSpace(String regex) {
        var kept = new StringBuilder();
        var inBrackets = false;
        for (var index = 0; index < regex.length(); index++) {
            var character = regex.charAt(index);
            if (character == '\\' && index + 1 < regex.length()) {
                kept.append(character).append(regex.charAt(++index));
            } else if (inBrackets || !(Character.isWhitespace(character) || character == '#')) {
                inBrackets = character == '[' || (inBrackets && character != ']');
                kept.append(character);
            } else if (character == '#') {
                var end = regex.indexOf('\n', index);
                index = end < 0 ? regex.length() : end;
            }
        }
        return kept.toString();
    }
}
