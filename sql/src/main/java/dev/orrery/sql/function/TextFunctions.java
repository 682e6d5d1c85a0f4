package dev.orrery.sql.function;

import dev.orrery.model.definition.FullTextPolicy.Language;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.text.Term;
import dev.orrery.sql.text.Texts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Searching texts by their words, in the language that the container's full-text policy gives for the path of the text. */
final class TextFunctions {
    static final List<Builtin> TABLE = List.of(
            row(
                    "FULLTEXTCONTAINS",
                    "text, term...",
                    "Whether a term, or each of several, is in a text: a word in any of its forms, or words that stand"
                            + " together. A term may also be {\"term\": ..., \"distance\": n} with up to 2 edits.",
                    "FULLTEXTCONTAINS('Two red bicycles', 'red bicycle')",
                    "true",
                    (search, values) -> contains(search, values, true)),
            row(
                    "FULLTEXTCONTAINSALL",
                    "text, term...",
                    "Whether each of some terms is in a text.",
                    "FULLTEXTCONTAINSALL('Two red bicycles', 'bicycle', 'red')",
                    "true",
                    (search, values) -> contains(search, values, true)),
            row(
                    "FULLTEXTCONTAINSANY",
                    "text, term...",
                    "Whether at least one of some terms is in a text.",
                    "FULLTEXTCONTAINSANY('Two red bicycles', 'car', 'bicycle')",
                    "true",
                    (search, values) -> contains(search, values, false)),
            row(
                    "_FULLTEXTWORDCOUNT",
                    "text",
                    "How many words a text has, not counting those that say nothing. SDKs use it to rank texts.",
                    "_FULLTEXTWORDCOUNT('The two red bicycles')",
                    "2",
                    TextFunctions::wordCount),
            row(
                    "_FULLTEXTSCORE",
                    "text, terms, integer documents, integer words, hits",
                    "How well terms fit a text (BM25), given the number of all documents and of all their words, and"
                            + " for each term the number of documents that have it. SDKs use it to rank texts.",
                    "_FULLTEXTSCORE('red bicycle', ['bicycle'], 1, 2, [1])",
                    "0.2876820724517809",
                    TextFunctions::score));

    // The usual constants of BM25: how soon further occurrences of a term stop to count, and how much length counts.
    private static final double SATURATION = 1.2;
    private static final double LENGTH_WEIGHT = 0.75;

    private TextFunctions() {}

    /** The language and the texts of the query. */
    private record Search(Language language, Texts texts) {}

    private interface SearchBody {
        JsonValue apply(Search search, JsonValue[] values);
    }

    private static Builtin row(
            String name, String parameters, String description, String example, String result, SearchBody body) {
        return Builtin.bound(
                Builtin.Group.SEARCH, name, parameters, description, example, result, (container, paths) -> {
                    var language = language(container, paths.getFirst());
                    return (values, context) -> body.apply(new Search(language, context.texts()), values);
                });
    }

    private static Language language(ContainerTraits container, Optional<JsonPath> path) {
        var texts = container.texts();
        return path.map(texts::languageAt).orElse(texts.defaultLanguage());
    }

    private static JsonValue contains(Search search, JsonValue[] values, boolean all) {
        var terms = Term.all(Arrays.asList(values).subList(1, values.length));
        if (!(values[0] instanceof Str(String text)) || terms.isEmpty()) {
            return JsonValue.UNDEFINED;
        }
        for (var term : terms.get()) {
            if (search.texts().contains(search.language(), text, term) != all) {
                return Bool.of(!all);
            }
        }
        return Bool.of(all);
    }

    private static JsonValue wordCount(Search search, JsonValue[] values) {
        return values[0] instanceof Str(String text)
                ? new Num(search.texts().wordCount(search.language(), text))
                : JsonValue.UNDEFINED;
    }

    private static JsonValue score(Search search, JsonValue[] values) {
        if (!(values[0] instanceof Str(String text)
                && values[1] instanceof Arr(var termValues)
                && values[2] instanceof Num(double documents, var _)
                && values[3] instanceof Num(double words, var _)
                && values[4] instanceof Arr(var hits))) {
            return JsonValue.UNDEFINED;
        }
        var terms = Term.all(termValues);
        if (terms.isEmpty() || hits.size() != termValues.size()) {
            return JsonValue.UNDEFINED;
        }
        var length = search.texts().wordCount(search.language(), text);
        var relativeLength = words > 0 ? length * documents / words : 1;
        var score = 0.0;
        for (var index = 0; index < hits.size(); index++) {
            var count =
                    search.texts().count(search.language(), text, terms.get().get(index));
            var hit = hits.get(index) instanceof Num(double number, var _) ? number : 0;
            score += rarity(documents, hit) * weight(count, relativeLength);
        }
        return Numbers.finite(score);
    }

    private static double rarity(double documents, double hits) {
        return Math.log1p(Math.max(0, documents - hits + 0.5) / (hits + 0.5));
    }

    private static double weight(double count, double relativeLength) {
        var lengthFactor = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relativeLength;
        return count * (SATURATION + 1) / (count + SATURATION * lengthFactor);
    }
}
