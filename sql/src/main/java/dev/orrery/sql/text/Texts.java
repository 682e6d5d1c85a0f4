package dev.orrery.sql.text;

import dev.orrery.model.definition.FullTextPolicy.Language;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The texts and terms of one running query. Terms are analysed once, and so is the text of an item though several
 * functions may look at it.
 *
 * <p>The analysers are large and slow to load: nothing here touches them before a query searches a text.
 */
public final class Texts {
    // Terms may come from the items, one for each; then keeping them is of no use.
    private static final int TERMS_KEPT_MAX = 256;
    private static final int TEXTS_KEPT_MAX = 4;

    private record TextKey(Language language, String text) {}

    private record TermKey(Language language, Term term) {}

    private final Map<Language, Analysis> analyses = new EnumMap<>(Language.class);
    private final Map<TermKey, TermFinder> finders = new HashMap<>();
    private final LinkedHashMap<TextKey, Words> texts = new LinkedHashMap<>();

    public boolean contains(Language language, String text, Term term) {
        return finder(language, term).isIn(words(language, text));
    }

    /** How often a term is in a text. */
    public int count(Language language, String text, Term term) {
        return finder(language, term).count(words(language, text));
    }

    public int wordCount(Language language, String text) {
        return words(language, text).count();
    }

    private TermFinder finder(Language language, Term term) {
        if (finders.size() >= TERMS_KEPT_MAX) {
            finders.clear();
        }
        return finders.computeIfAbsent(
                new TermKey(language, term), key -> new TermFinder(key.term(), analyse(language, term.text())));
    }

    private Words words(Language language, String text) {
        var words = texts.computeIfAbsent(new TextKey(language, text), key -> analyse(key.language(), key.text()));
        if (texts.size() > TEXTS_KEPT_MAX) {
            texts.pollFirstEntry();
        }
        return words;
    }

    private Words analyse(Language language, String text) {
        return analyses.computeIfAbsent(language, Analysis::new).words(text);
    }
}
