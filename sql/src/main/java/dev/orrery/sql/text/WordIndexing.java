package dev.orrery.sql.text;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.FullTextPolicy.Language;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.text.WordCondition.AllOf;
import dev.orrery.sql.text.WordCondition.AnyOf;
import dev.orrery.sql.text.WordCondition.Phrase;
import dev.orrery.sql.text.WordCondition.Unknown;
import dev.orrery.sql.text.WordCondition.Word;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Texts and searches as an index by words sees them: what to keep of a text, and what to look up for a search.
 *
 * <p>Many threads can use it at once. It should be kept, since the analysers of a language are slow to load.
 */
public final class WordIndexing {
    private final Map<Language, Analysis> analyses = new ConcurrentHashMap<>();

    public TextWords words(Language language, String text) {
        return TextWords.of(analyse(language, text));
    }

    /** What FullTextContains and FullTextContainsAll demand of a text. */
    public WordCondition all(Language language, List<JsonValue> terms) {
        return parts(language, terms).<WordCondition>map(AllOf::new).orElseGet(Unknown::new);
    }

    /** What FullTextContainsAny demands of a text, and FullTextScore of one to which it gives more than 0. */
    public WordCondition any(Language language, List<JsonValue> terms) {
        return parts(language, terms)
                .filter(parts -> parts.stream().noneMatch(Unknown.class::isInstance))
                .<WordCondition>map(AnyOf::new)
                .orElseGet(Unknown::new);
    }

    /** What each term demands; empty for terms that the functions refuse, since that is theirs to say. */
    private Optional<List<WordCondition>> parts(Language language, List<JsonValue> values) {
        if (values.isEmpty() || !values.stream().allMatch(Term::isTerm)) {
            return Optional.empty();
        }
        var parts = new ArrayList<WordCondition>();
        for (var term : Term.all(values).orElseThrow()) {
            var words = analyse(language, term.text());
            if (words.count() > Limits.SEARCH_TERM_WORDS_MAX) {
                return Optional.empty();
            }
            parts.add(part(term, words));
        }
        return Optional.of(parts);
    }

    private static WordCondition part(Term term, Words words) {
        if (words.count() == 0) {
            return new AnyOf(List.of());
        }
        if (term.editsMax() > 0) {
            return new Unknown();
        }
        if (words.count() == 1) {
            return new Word(words.word(0));
        }
        var together = new HashSet<String>();
        for (var index = 0; index < words.count(); index++) {
            together.add(words.word(index));
        }
        return new Phrase(together);
    }

    private Words analyse(Language language, String text) {
        return analyses.computeIfAbsent(language, Analysis::new).words(text);
    }
}
