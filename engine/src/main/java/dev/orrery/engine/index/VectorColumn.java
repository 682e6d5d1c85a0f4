package dev.orrery.engine.index;

import dev.orrery.engine.index.ItemIndex.Row;
import dev.orrery.engine.key.EntryValue;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.vector.VectorForm;
import dev.orrery.store.KeyRange;
import java.util.List;
import java.util.function.Consumer;

/** The vectors of one length at a path, side by side. */
public record VectorColumn(JsonPath path, int dimensions) {

    static List<VectorColumn> of(ContainerDefinition definition) {
        return definition.indexingPolicy().vector().stream()
                .flatMap(index ->
                        definition.vectorEmbeddingPolicy().flatMap(policy -> policy.find(index.path())).stream())
                .map(embedding -> new VectorColumn(embedding.path(), embedding.dimensions()))
                .toList();
    }

    boolean covers(List<Step> place) {
        return IndexPath.place(path).equals(place);
    }

    private long number() {
        return Place.sequence(Place.of(IndexPath.place(path)), dimensions);
    }

    void addRows(Obj item, byte[] locator, long document, Consumer<Row> rows) {
        VectorForm.encode(path.in(item), dimensions)
                .ifPresent(form -> rows.accept(
                        new Row(IndexKey.vector(number(), document), EntryValue.vector(locator, form), true)));
    }

    /** The key of the entry of a document. */
    public byte[] entry(long document) {
        return IndexKey.vector(number(), document);
    }

    /** The entries of documents from one number on (inclusive) up to another (exclusive). */
    public KeyRange entries(long from, long to) {
        return new KeyRange(entry(from), entry(to));
    }
}
