package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.Documents;
import dev.orrery.engine.index.IndexSearch;
import dev.orrery.engine.index.Sieve;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether items are found through an index or by looking at all of them, by what each costs. Costs are in
 * tenths of a microsecond, as measured on items of 1 KB; only their ratios matter.
 */
final class IndexChoice {
    /** Reading the next entry of an index. */
    static final long ENTRY_COST = 3;

    /** Getting an item by its key. */
    static final long LOAD_COST = 25;

    /** Getting an item that is far from the last one, so that its part of a file has often to be unpacked. */
    static final long DISTANT_LOAD_COST = 50;

    /** Looking at the next item in the order of keys: 3 for one that a filter leaves out, 8 for another. */
    static final long SCAN_COST = 5;

    /** Where more of the items than one in so many are wanted, most of what is met in an order is loaded anyway. */
    private static final long SIEVED_PER_ROW = 8;

    private static final long ENTRIES_MIN = 1_024;

    private static final long ENTRIES_OF_PARTITION = 256;

    private static final long ENTRIES_OF_SMALL_PARTITION = 64;

    /** So few items are sooner sorted than met in the order of entries, most of which are of other partitions. */
    private static final int SMALL_PARTITION = 256;

    /** What may be kept in memory. */
    static final long ENTRIES_MAX = 400_000;

    private final Container container;
    private final UsableIndexes usable;
    private final Condition condition;
    private final long rowsWanted;
    private final Checkpoint checkpoint;
    private Optional<IndexSearch> last = Optional.empty();
    private final Map<KeyRange, Boolean> small = new HashMap<>();
    private long entriesRead;

    /** @param rowsWanted after how many rows the query stops, if all that it finds are rows */
    IndexChoice(Container container, Condition condition, long rowsWanted, Checkpoint checkpoint) {
        this.container = container;
        this.usable = UsableIndexes.of(container);
        this.condition = condition;
        this.rowsWanted = rowsWanted;
        this.checkpoint = checkpoint;
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    /**
     * The documents to look at; empty for all.
     *
     * @param items how many there are in the partition
     * @param keys where items are looked for
     */
    Optional<Documents> documents(Snapshot snapshot, long items, KeyRange keys) {
        last.ifPresent(IndexSearch::release); // One range is looked at after another.
        var search = search(container, usable, snapshot, keys, checkpoint);
        last = Optional.of(search);
        // Entries of a range of values are those of all partitions; most partitions are sooner looked through.
        var found = isOnePartition(keys)
                ? search.candidates(withinPartition(condition), () -> entriesOfPartitionMax(snapshot, keys))
                : search.candidates(condition, () -> entriesMax(items));
        var chosen = found.filter(documents -> isWorthIt(documents, items));
        // Looking in vain is the business of whoever chooses, not of whoever asks.
        entriesRead += chosen.isPresent() ? search.entriesRead() : 0;
        return chosen;
    }

    /**
     * The documents that satisfy what is asked of other places than one; empty when that takes longer than to look at all
     * that are met in the order of that place until as many rows are found as are wanted.
     */
    Optional<Sieve> sieve(List<Step> place, Snapshot snapshot, KeyRange keys, long items) {
        double documentsMax = Math.sqrt((double) rowsWanted * items * DISTANT_LOAD_COST / ENTRY_COST);
        return search(container, usable, snapshot, keys, checkpoint)
                .sieve(
                        besides(place, withinPartition(condition)),
                        ENTRIES_OF_PARTITION,
                        Math.min((long) documentsMax, Math.min(items / SIEVED_PER_ROW, ENTRIES_MAX)));
    }

    /**
     * What it takes to come to the next wanted item in the order of an index.
     *
     * @param met how many items lie there for each that is wanted; a sieve passes over the entries of most of them
     */
    static double costInOrder(double met) {
        return met < SIEVED_PER_ROW ? met * LOAD_COST : met * ENTRY_COST + LOAD_COST;
    }

    /** About how many documents satisfy what is asked of other places than one; empty when that cannot be told quickly. */
    Optional<Long> estimateBesides(List<Step> place, Snapshot snapshot, KeyRange keys) {
        var search = search(container, usable, snapshot, keys, checkpoint);
        var found = search.candidates(besides(place, withinPartition(condition)), () -> ENTRIES_OF_PARTITION);
        var estimate = found.map(documents -> {
            try (documents) {
                return documents.estimate();
            }
        });
        search.release();
        return estimate;
    }

    private static Condition besides(List<Step> place, Condition whole) {
        return switch (whole) {
            case Condition.All(var parts) ->
                Condition.all(parts.stream().map(part -> besides(place, part)).toList());
            case Condition.Value value -> value.place().equals(place) ? Condition.ANYTHING : value;
            case Condition.Anything _,
                    Condition.Any _,
                    Condition.Element _,
                    Condition.Presence _,
                    Condition.Near _,
                    Condition.Words _ -> whole;
        };
    }

    /** How many entries were looked at to find out what to read, if that was of use. */
    long entriesRead() {
        return entriesRead;
    }

    /** What a condition says besides which partition it is about. */
    private Condition withinPartition(Condition whole) {
        return switch (whole) {
            case Condition.All(var parts) ->
                Condition.all(parts.stream().map(this::withinPartition).toList());
            case Condition.Value value ->
                container.definition().partitionKey().paths().stream()
                                .anyMatch(path -> IndexPath.place(path).equals(value.place()))
                        ? Condition.ANYTHING
                        : value;
            case Condition.Anything _,
                    Condition.Any _,
                    Condition.Element _,
                    Condition.Presence _,
                    Condition.Near _,
                    Condition.Words _ -> whole;
        };
    }

    private long entriesOfPartitionMax(Snapshot snapshot, KeyRange keys) {
        return isSmallPartition(snapshot, keys) ? ENTRIES_OF_SMALL_PARTITION : ENTRIES_OF_PARTITION;
    }

    /** Whether keys are those of one partition, which has few items. Finding out may take as long as the query. */
    boolean isSmallPartition(Snapshot snapshot, KeyRange keys) {
        return isOnePartition(keys) && small.computeIfAbsent(keys, _ -> hasFewItems(snapshot, keys));
    }

    private static boolean hasFewItems(Snapshot snapshot, KeyRange keys) {
        try (var cursor = snapshot.scan(keys, Direction.FORWARD)) {
            int items = 0;
            while (items <= SMALL_PARTITION && cursor.next()) {
                items++;
            }
            return items <= SMALL_PARTITION;
        }
    }

    private boolean isOnePartition(KeyRange keys) {
        var definition = container.definition().partitionKey();
        return ItemKey.cluster(keys.from(), definition) == ItemKey.cluster(keys.to(), definition);
    }

    static IndexSearch search(
            Container container, UsableIndexes usable, Snapshot snapshot, KeyRange keys, Checkpoint checkpoint) {
        var definition = container.definition().partitionKey();
        return new IndexSearch(
                snapshot,
                usable,
                DocumentKey.number(ItemKey.cluster(keys.from(), definition), 0),
                DocumentKey.number(ItemKey.cluster(keys.to(), definition) + 1, 0),
                checkpoint);
    }

    /**
     * Entries of a range of values have all to be read before the first item can be given in the order of keys. That is
     * not worth it when a scan finds the rows that are wanted sooner: with e of n items it looks at n / e of them for each.
     */
    private long entriesMax(long items) {
        long enough = rowsWanted >= items
                ? items * SCAN_COST / LOAD_COST
                : (long) Math.sqrt((double) rowsWanted * items * SCAN_COST / ENTRY_COST);
        return Math.clamp(enough, ENTRIES_MIN, ENTRIES_MAX);
    }

    private static boolean isWorthIt(Documents found, long items) {
        boolean worth = found.estimate() <= ENTRIES_MIN || found.estimate() * LOAD_COST < items * SCAN_COST;
        if (!worth) {
            found.close();
        }
        return worth;
    }
}
