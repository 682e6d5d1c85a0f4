package dev.orrery.engine.index;

import dev.orrery.engine.index.ItemIndex.Row;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An index that a policy names one by one, besides those of single values.
 *
 * @param name its path, or {@code /a ASC, /b DESC}
 * @param places what it is about
 */
public record NamedIndex(Group group, String name, List<List<Step>> places) {
    /** Where it stands in a policy. */
    public enum Group {
        COMPOSITE("composite"),
        SPATIAL("spatial"),
        FULL_TEXT("full-text"),
        VECTOR("vector");

        private final String word;

        Group(String word) {
            this.word = word;
        }

        /** As people call it. */
        public String word() {
            return word;
        }
    }

    public NamedIndex {
        places = List.copyOf(places);
    }

    /** What an item has in each of those that a definition names. */
    public static Map<NamedIndex, List<Row>> rows(ContainerDefinition definition, ItemKey key, StoredItem stored) {
        var rows = new LinkedHashMap<NamedIndex, List<Row>>();
        if (!stored.indexed()) {
            return rows;
        }
        var item = ItemIndex.of(definition).seen(stored.text().asValue());
        var locator = key.locator();
        long document = stored.document();
        for (var index : definition.indexingPolicy().composite()) {
            var places = index.parts().stream().map(part -> part.path().steps()).toList();
            var values = places.stream().map(place -> Place.in(item, place)).toList();
            var entry = IndexKey.composite(ItemIndex.number(index), values, ItemIndex.descending(index), document);
            rows.put(new NamedIndex(Group.COMPOSITE, name(index), places), List.of(new Row(entry, locator, true)));
        }
        for (var index : ShapeIndex.of(definition)) {
            var found = new ArrayList<Row>();
            index.addEntries(item, document, entry -> found.add(new Row(entry, locator, true)));
            rows.put(
                    new NamedIndex(
                            Group.SPATIAL,
                            index.path().text(),
                            List.of(index.path().steps())),
                    found);
        }
        for (var index : TextIndex.of(definition)) {
            var found = new ArrayList<Row>();
            index.addRows(item, locator, document, found::add);
            rows.put(
                    new NamedIndex(Group.FULL_TEXT, index.path().text(), List.of(IndexPath.place(index.path()))),
                    found);
        }
        for (var index : VectorColumn.of(definition)) {
            var found = new ArrayList<Row>();
            index.addRows(item, locator, document, found::add);
            rows.put(new NamedIndex(Group.VECTOR, index.path().text(), List.of(IndexPath.place(index.path()))), found);
        }
        return rows;
    }

    private static String name(CompositeIndex index) {
        return index.parts().stream()
                .map(part -> IndexPath.spelled(part.path().steps())
                        + (part.order() == CompositeIndex.Order.DESCENDING ? " DESC" : " ASC"))
                .collect(Collectors.joining(", "));
    }
}
