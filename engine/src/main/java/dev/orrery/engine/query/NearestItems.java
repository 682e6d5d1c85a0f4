package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.index.VectorColumn;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.EntryValue;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.NearestSearch;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.run.RowTest;
import dev.orrery.sql.vector.NearestCandidates;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * Finds the items with the nearest vectors of a range by looking at its vectors alone. An item that gives no row must not
 * take the place of another; where that is possible, an item is looked at as soon as its vector is near enough.
 */
final class NearestItems {
    /** With more, keeping candidates costs more than it saves. */
    private static final long WANTED_MAX = 10_000;

    private static final long LOADS_MIN = 1_000;

    /** How many vectors are compared before somebody asks whether there is time left. */
    private static final int BETWEEN_CHECKPOINTS = 1_024;

    private final Container container;
    private final VectorColumn column;
    private final NearestSearch search;
    private final RowTest test;
    private final Checkpoint checkpoint;
    private final int wanted;
    private final long nowSecond;
    private final TimeToLive timeToLive;
    private long itemsRead;
    private long bytesRead;

    private NearestItems(
            Container container,
            VectorColumn column,
            NearestSearch search,
            RowTest test,
            Checkpoint checkpoint,
            int wanted,
            long nowSecond) {
        this.container = container;
        this.column = column;
        this.search = search;
        this.test = test;
        this.checkpoint = checkpoint;
        this.wanted = wanted;
        this.nowSecond = nowSecond;
        this.timeToLive = TimeToLive.of(container.definition());
    }

    /**
     * The search of a query; empty when it is not about vectors of which an index has all.
     *
     * @param rowsMax how many rows are to come out
     */
    static Optional<NearestItems> of(
            Container container, Query query, QueryInputs inputs, long rowsMax, long nowSecond) {
        return query.nearest(inputs).flatMap(search -> {
            long wanted = query.runFirst(rowsMax, inputs, _ -> true).rowsMax();
            return wanted > WANTED_MAX
                    ? Optional.empty()
                    : UsableIndexes.of(container)
                            .vectors(search.place())
                            .filter(column ->
                                    column.dimensions() == search.probe().dimensions())
                            .map(column -> new NearestItems(
                                    container,
                                    column,
                                    search,
                                    query.rowTest(inputs),
                                    inputs.checkpoint(),
                                    (int) wanted,
                                    nowSecond));
        });
    }

    /** How many items were looked at to find out whether they give a row. */
    long itemsRead() {
        return itemsRead;
    }

    long bytesRead() {
        return bytesRead;
    }

    /**
     * Keys of items among which are all that may be among the wanted ones; empty when too many items would have to be
     * looked at, or when items without a distance may be among them.
     *
     * @param whole whether all items of the range are asked for
     * @param items how many there are
     */
    Optional<List<byte[]>> keys(Snapshot snapshot, KeyRange keys, boolean whole, long items) {
        if (comeFirstWithout() && !whole) {
            return Optional.empty();
        }
        var definition = container.definition().partitionKey();
        var entries = column.entries(
                DocumentKey.number(ItemKey.cluster(keys.from(), definition), 0),
                DocumentKey.number(ItemKey.cluster(keys.to(), definition) + 1, 0));
        var candidates = new NearestCandidates(wanted, search.descending(), document -> distance(snapshot, document));
        long distances = 0;
        boolean looks = !test.isSure() || timeToLive.defaultSeconds().isPresent();
        long readMax = itemsRead + LOADS_MIN + items * IndexChoice.SCAN_COST / IndexChoice.LOAD_COST;
        try (var cursor = snapshot.scan(entries, Direction.FORWARD)) {
            for (long count = 0; cursor.next(); count++) {
                if (count % BETWEEN_CHECKPOINTS == 0) {
                    checkpoint.pass();
                }
                var value = cursor.value();
                var distance = search.probe().bounds(EntryValue.form(value));
                if (!search.needed() && distance.isPresent() && distance.get().isUnknown()) {
                    return Optional.empty();
                }
                distances += distance.isPresent() ? 1 : 0;
                if (distance.isPresent()
                        && !candidates.isOut(distance.get())
                        && (whole || keys.contains(itemKey(value)))
                        && (!looks || givesRow(snapshot.get(itemKey(value))))) {
                    candidates.offer(IndexKey.document(cursor.key()), distance.get());
                }
                if (itemsRead > readMax) {
                    return Optional.empty();
                }
            }
        }
        var found = candidates.documents();
        boolean enough = search.needed()
                || (search.descending() && found.size() >= wanted)
                || (whole && distances == items(snapshot));
        return enough
                ? Optional.of(found.stream()
                        .map(document -> itemKey(snapshot, document))
                        .toList())
                : Optional.empty();
    }

    private static long items(Snapshot snapshot) {
        return PartitionState.of(snapshot).items();
    }

    private boolean comeFirstWithout() {
        return !search.needed() && !search.descending();
    }

    private boolean givesRow(byte[] value) {
        var item = StoredItem.decode(value);
        itemsRead++;
        bytesRead += item.sizeBytes();
        return !timeToLive.isOver(item, nowSecond) && test.test(item.text().asValue());
    }

    private double distance(Snapshot snapshot, long document) {
        var item = StoredItem.decode(snapshot.get(itemKey(snapshot, document)));
        return search.probe().distance(column.path().in(item.text().asValue()));
    }

    private byte[] itemKey(Snapshot snapshot, long document) {
        return itemKey(snapshot.get(column.entry(document)));
    }

    private byte[] itemKey(byte[] value) {
        return ItemKey.ofLocator(
                        value,
                        IndexKey.Kind.VECTOR.locatorStart(),
                        EntryValue.locatorEnd(value),
                        container.definition().partitionKey())
                .bytes();
    }
}
