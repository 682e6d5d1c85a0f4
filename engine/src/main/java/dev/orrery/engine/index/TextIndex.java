package dev.orrery.engine.index;

import dev.orrery.engine.index.ItemIndex.Row;
import dev.orrery.engine.key.EntryValue;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.IndexKey.Kind;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.FullTextPolicy.Language;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.text.WordCondition;
import dev.orrery.sql.text.WordIndexing;
import dev.orrery.store.KeyRange;
import java.util.List;
import java.util.function.Consumer;

/** An index of the words of the texts at a path. */
record TextIndex(JsonPath path, Language language) {
    // Kept, because the analysers of a language are slow to load.
    private static final WordIndexing WORDS = new WordIndexing();

    static List<TextIndex> of(ContainerDefinition definition) {
        return definition.indexingPolicy().fullText().stream()
                .map(index -> new TextIndex(
                        index.path(),
                        definition
                                .fullTextPolicy()
                                .map(policy -> policy.languageAt(index.path()))
                                .orElse(Language.ENGLISH)))
                .toList();
    }

    boolean covers(List<Step> place) {
        return IndexPath.place(path).equals(place);
    }

    /** Words of another language are another index. */
    private long number() {
        return Place.property(Place.of(IndexPath.place(path)), language.spelling());
    }

    void addRows(Obj item, byte[] locator, long document, Consumer<Row> rows) {
        if (!(path.in(item) instanceof Str(String text))) {
            return;
        }
        long number = number();
        var words = WORDS.words(language, text);
        rows.accept(new Row(IndexKey.text(number, document), EntryValue.counted(words.count(), locator), false));
        words.frequencies()
                .forEach((word, count) -> rows.accept(
                        new Row(IndexKey.word(number, word, document), EntryValue.counted(count, locator), true)));
    }

    WordCondition words(Condition.Words condition) {
        return condition.all() ? WORDS.all(language, condition.terms()) : WORDS.any(language, condition.terms());
    }

    /** The entries of all texts with a word. */
    KeyRange target(String word) {
        return IndexKey.words(number(), word);
    }

    /** The entries of all texts. */
    KeyRange texts() {
        return IndexKey.all(Kind.TEXT, number());
    }
}
