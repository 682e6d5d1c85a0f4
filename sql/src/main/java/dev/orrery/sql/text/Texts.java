package dev.orrery.sql.text;

import dev.orrery.model.definition.FullTextPolicy.Language;
import dev.orrery.sql.memory.Workspace;
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
    private static final long KEPT_BYTES_MAX = 4 << 20;

    /** A word of a few letters, its place, and both in lists that grow. */
    private static final int CHARACTER_BYTES = 44;

    private record TextKey(Language language, String text) {}

    private record TermKey(Language language, Term term) {}

    private final Map<Language, Analysis> analyses = new EnumMap<>(Language.class);
    private final Map<TermKey, TermFinder> finders = new HashMap<>();
    private final LinkedHashMap<TextKey, Words> texts = new LinkedHashMap<>();
    private final Workspace workspace;
    private final Workspace.Shelf termShelf;
    private final Workspace.Shelf textShelf;

    public Texts(Workspace workspace) {
        this.workspace = workspace;
        this.termShelf = workspace.shelf();
        this.textShelf = workspace.shelf();
    }

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
        var key = new TermKey(language, term);
        var known = finders.get(key);
        if (known != null) {
            return known;
        }
        var words = analyse(language, term.text());
        long bytes = TermFinder.bytes(term, words);
        workspace.build(bytes);
        var finder = new TermFinder(term, words);
        if (finders.size() == TERMS_KEPT_MAX || termShelf.held() + bytes > KEPT_BYTES_MAX) {
            finders.clear();
            termShelf.remove(termShelf.held());
        }
        finders.put(key, finder);
        termShelf.add(bytes);
        return finder;
    }

    private Words words(Language language, String text) {
        var key = new TextKey(language, text);
        var known = texts.get(key);
        if (known != null) {
            return known;
        }
        var words = analyse(language, text);
        long bytes = bytes(text);
        while (!texts.isEmpty() && (texts.size() == TEXTS_KEPT_MAX || textShelf.held() + bytes > KEPT_BYTES_MAX)) {
            textShelf.remove(bytes(texts.pollFirstEntry().getKey().text()));
        }
        texts.put(key, words);
        textShelf.add(bytes);
        return words;
    }

    private Words analyse(Language language, String text) {
        workspace.build(bytes(text));
        return analyses.computeIfAbsent(language, Analysis::new).words(text);
    }

    private static long bytes(String text) {
        return (long) CHARACTER_BYTES * text.length();
    }
}
