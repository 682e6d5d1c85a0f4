package dev.orrery.engine.index;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.orrery.engine.index.Outline.Thing;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.IndexKey.Kind;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.OutlineKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.definition.IndexedPath;
import dev.orrery.model.definition.IndexingMode;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Makes the index entries of items as the indexing policy of their container says. */
public final class ItemIndex {
    // Definitions are replaced, never changed, so that each one is looked into once.
    private static final LoadingCache<ContainerDefinition, ItemIndex> KNOWN =
            Caffeine.newBuilder().weakKeys().build(ItemIndex::new);

    /** Longer values cost no more than this. */
    public static final int TERM_BYTES_MAX = 64;

    /** Of no use in a query, and different in every item. */
    static final Set<String> LEFT_OUT =
            Set.of(SystemProperties.RID, SystemProperties.SELF, SystemProperties.ATTACHMENTS);

    /**
     * A row to be stored with an item; all rows of an item have different keys, except the same row twice.
     *
     * @param isTerm whether it is for a property that the writer chose to have: neither what every item has nor the
     *     partition key, under which it is stored anyway
     */
    @SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
    public record Row(byte[] key, byte[] value, boolean isTerm) {

        /** Whether other items may have the same row: it is the description of an outline. */
        public boolean isShared() {
            return key[0] == KeySpace.OUTLINE.tag();
        }

        /** How long what it says of the item is: a value in the key, the end of a long one left out, or a vector beside it. */
        public int termBytes() {
            return Math.min(IndexKey.targetBytes(key), TERM_BYTES_MAX)
                    + (IndexKey.kind(key) == Kind.VECTOR ? value.length : 0);
        }
    }

    private final boolean nothing;
    private final PolicyTree policy;
    private final ComputedValues computed;
    private final long[] placesOfAll;
    private final List<Composite> composites;
    private final List<Tuple> tuples;
    private final List<ShapeIndex> shapes;
    private final List<TextIndex> texts;
    private final List<VectorColumn> vectors;

    private record Composite(long number, List<List<Step>> paths, List<Boolean> descending) {}

    private record Tuple(long number, List<Step> array, List<List<Step>> fields) {}

    private ItemIndex(ContainerDefinition definition) {
        var indexing = definition.indexingPolicy();
        nothing = indexing.mode() == IndexingMode.NONE;
        policy = PolicyTree.of(definition);
        computed = new ComputedValues(definition);
        placesOfAll = placesOfAll(definition);
        composites = indexing.composite().stream()
                .map(index -> new Composite(
                        number(index),
                        index.parts().stream().map(part -> part.path().steps()).toList(),
                        descending(index)))
                .toList();
        tuples = indexing.included().stream()
                .map(IndexedPath::path)
                .filter(IndexPath::isTuple)
                .map(ItemIndex::tuple)
                .toList();
        shapes = ShapeIndex.of(definition);
        texts = TextIndex.of(definition);
        vectors = VectorColumn.of(definition);
    }

    private static long[] placesOfAll(ContainerDefinition definition) {
        var names = Stream.of("id", SystemProperties.ETAG, SystemProperties.TIMESTAMP)
                .map(name -> Place.property(Place.ROOT, name));
        var keys = definition.partitionKey().paths().stream().map(path -> Place.of(IndexPath.place(path)));
        return Stream.concat(names, keys).mapToLong(Long::longValue).toArray();
    }

    public static ItemIndex of(ContainerDefinition definition) {
        return KNOWN.get(definition);
    }

    /** Whether items have the same entries by two definitions. */
    public static boolean isSame(ContainerDefinition one, ContainerDefinition other) {
        return one.indexingPolicy().equals(other.indexingPolicy())
                && one.computedProperties().equals(other.computedProperties())
                && one.geospatialConfig().equals(other.geospatialConfig())
                && one.vectorEmbeddingPolicy().equals(other.vectorEmbeddingPolicy())
                && one.fullTextPolicy().equals(other.fullTextPolicy());
    }

    // ---- numbers of indexes over several values ----

    static long number(CompositeIndex index) {
        return Place.sequence(index.parts().stream()
                .flatMapToLong(part -> LongStream.of(
                        Place.of(part.path().steps()), part.order() == CompositeIndex.Order.DESCENDING ? 1 : 0))
                .toArray());
    }

    static List<Boolean> descending(CompositeIndex index) {
        return index.parts().stream()
                .map(part -> part.order() == CompositeIndex.Order.DESCENDING)
                .toList();
    }

    private static Tuple tuple(IndexPath path) {
        var array = path.steps().subList(0, path.steps().size() - 2);
        var fields = ((Step.Tuple) path.steps().getLast()).fields();
        return new Tuple(tupleNumber(array, fields), array, fields);
    }

    static long tupleNumber(List<Step> array, List<List<Step>> fields) {
        var parts = new long[fields.size() + 1];
        parts[0] = Place.of(array);
        for (int i = 0; i < fields.size(); i++) {
            parts[i + 1] = Place.of(fields.get(i));
        }
        return Place.sequence(parts);
    }

    // ---- entries ----

    /** All rows of an item, the description of its outline among them. */
    public List<Row> rows(ItemKey key, StoredItem item) {
        return rows(key, item, _ -> {});
    }

    /**
     * All rows of an item.
     *
     * @param memory told of more bytes to be taken from what all requests share, for what is computed of the item
     */
    public List<Row> rows(ItemKey key, StoredItem item, LongConsumer memory) {
        if (nothing) {
            return List.of();
        }
        if (!item.indexed()) {
            return List.of(new Row(IndexKey.outline(Outline.UNINDEXED, item.document()), key.locator(), false));
        }
        return new Walk(key.locator(), item.document())
                .rows(computed.in(item.text().asValue(), memory));
    }

    /** An item as its entries describe it. */
    Obj seen(Obj item) {
        return computed.in(item, _ -> {});
    }

    /** Refuses an item whose computed properties take more than they may, if it would be indexed by them. */
    public void demandComputable(StoredItem item, LongConsumer memory) {
        if (!nothing && item.indexed()) {
            computed.demand(item.text().asValue(), memory);
        }
    }

    private final class Walk {
        private final byte[] locator;
        private final long document;
        private final List<Row> rows = new ArrayList<>();
        private final TreeMap<Long, Thing> things = new TreeMap<>();

        Walk(byte[] locator, long document) {
            this.locator = locator;
            this.document = document;
        }

        List<Row> rows(Obj item) {
            if (item.size() > Outline.MEMBERS_MAX) {
                things.put(Place.ROOT, Thing.CLOSED_OBJECT);
            }
            boolean outlined = things.isEmpty();
            item.members().forEach((name, value) -> {
                if (!LEFT_OUT.contains(name)) {
                    walk(value, Place.property(Place.ROOT, name), policy.member(name), outlined ? 1 : -1);
                }
            });
            composites.forEach(index -> add(composite(index, item)));
            tuples.forEach(index -> addTuples(index, item));
            shapes.forEach(index -> index.addEntries(item, document, this::add));
            texts.forEach(index -> index.addRows(item, locator, document, rows::add));
            vectors.forEach(index -> index.addRows(item, locator, document, rows::add));
            var outline = new Outline(things);
            rows.add(new Row(IndexKey.outline(outline.number(), document), locator, false));
            rows.add(new Row(OutlineKey.encode(outline.number()), outline.encode(), false));
            return rows;
        }

        private void add(byte[] entry) {
            rows.add(new Row(entry, locator, true));
        }

        /** @param depth how far down, or -1 where the outline does not reach */
        private void walk(JsonValue value, long place, PolicyTree node, int depth) {
            if (node.isBare()) {
                return;
            }
            switch (value) {
                case Arr(var elements) -> {
                    note(place, Thing.ARRAY, depth);
                    long each = Place.elements(place);
                    for (var element : elements) {
                        walk(element, each, node.elements(), -1);
                    }
                }
                case Obj object -> {
                    boolean closed = depth >= Outline.DEPTH_MAX || object.size() > Outline.MEMBERS_MAX;
                    note(place, closed ? Thing.CLOSED_OBJECT : Thing.OBJECT, depth);
                    int below = closed || depth < 0 ? -1 : depth + 1;
                    object.members()
                            .forEach((name, member) ->
                                    walk(member, Place.property(place, name), node.member(name), below));
                }
                case JsonValue.Null _, JsonValue.Bool _, JsonValue.Num _, JsonValue.Str _ -> {
                    if (node.isIndexed()) {
                        note(place, Thing.SINGLE, depth);
                        rows.add(new Row(IndexKey.value(place, value, document), locator, isChosen(place)));
                    }
                }
                case JsonValue.Undefined _ -> throw new IllegalStateException("Nothing stored is undefined");
            }
        }

        private boolean isChosen(long place) {
            for (long other : placesOfAll) {
                if (place == other) {
                    return false;
                }
            }
            return true;
        }

        private void note(long place, Thing thing, int depth) {
            if (depth > 0) {
                things.put(place, thing);
            }
        }

        private byte[] composite(Composite index, Obj item) {
            var values =
                    index.paths().stream().map(path -> Place.in(item, path)).toList();
            return IndexKey.composite(index.number(), values, index.descending(), document);
        }

        private void addTuples(Tuple index, Obj item) {
            if (Place.in(item, index.array()) instanceof Arr(var elements)) {
                for (var element : elements) {
                    if (element instanceof Obj) {
                        var values = index.fields().stream()
                                .map(field -> Place.in(element, field))
                                .toList();
                        add(IndexKey.tuple(index.number(), values, document));
                    }
                }
            }
        }
    }
}
