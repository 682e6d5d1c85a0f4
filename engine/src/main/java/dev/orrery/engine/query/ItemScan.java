package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.index.Documents;
import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.SortedDocuments.Sorted;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.item.ScopeSlices;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.engine.operation.Outcome.IndexUse;
import dev.orrery.engine.partition.RangeView;
import dev.orrery.model.definition.IndexingMode;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The live items of a part of a container in key order, which is the order of effective partition keys. */
final class ItemScan {
    /** Takes one item after another. */
    interface Visitor {
        /** False to end the walk. */
        boolean visit(byte[] key, StoredItem item);

        /** Whether it looks at keys; otherwise it may be given none, which saves a long walk some time. */
        default boolean needsKeys() {
            return true;
        }

        /** Told after the last item of a range, unless it has had enough before. */
        default void endRange() {}

        static Visitor ofItems(Predicate<StoredItem> taking) {
            return ofItems(taking, () -> {});
        }

        static Visitor ofItems(Predicate<StoredItem> taking, Runnable endOfRange) {
            return new Visitor() {
                @Override
                public void endRange() {
                    endOfRange.run();
                }

                @Override
                public boolean visit(byte[] key, StoredItem item) {
                    return taking.test(item);
                }

                @Override
                public boolean needsKeys() {
                    return false;
                }
            };
        }
    }

    /** Keys in one range, ascending and apart from each other. */
    private record Slice(Range range, RangeView view, Collection<KeyRange> keys) {
        /**
         * The part of it that has some places. What begins alike may be most of a container, where an index is asked, and
         * it is asked about one stretch only: from the first of these places to the last.
         */
        Slice within(KeyLookup.Places places) {
            var common = intersection(keys, places.keys());
            return new Slice(
                    range,
                    view,
                    places.access() == Access.PREFIX && common.size() > 1
                            ? List.of(new KeyRange(
                                    common.getFirst().from(), common.getLast().to()))
                            : common);
        }

        boolean isWhole() {
            return keys.size() == 1 && keys.iterator().next().equals(ItemKey.keysOf(range.epks()));
        }
    }

    private static final byte[] NO_KEY = {};

    private final ScopeSlices covered;
    private final Container container;
    private final TimeToLive timeToLive;
    private final Access access;
    private final List<Slice> slices;
    private final Optional<IndexChoice> choice;
    private final boolean indexedOnly;
    private final Optional<NearestItems> nearest;
    private final ScanTrace trace = new ScanTrace();

    private ItemScan(
            ScopeSlices covered,
            Access access,
            List<Slice> slices,
            Optional<IndexChoice> choice,
            boolean indexedOnly,
            Optional<NearestItems> nearest) {
        this.nearest = nearest;
        this.covered = covered;
        this.container = covered.container();
        this.timeToLive = TimeToLive.of(container.definition());
        this.access = access;
        this.slices = slices;
        this.choice = choice;
        this.indexedOnly = indexedOnly;
    }

    static ItemScan of(ScopeSlices covered) {
        var slices = covered.slices().stream()
                .map(slice -> new Slice(slice.route().range(), slice.view(), List.of(slice.keys())))
                .toList();
        return new ItemScan(covered, covered.access(), slices, Optional.empty(), false, Optional.empty());
    }

    /** The same scan, looking at some places only. */
    ItemScan within(Optional<KeyLookup.Places> places) {
        return places.map(some -> new ItemScan(
                        covered,
                        some.access(),
                        slices.stream().map(slice -> slice.within(some)).toList(),
                        choice,
                        indexedOnly,
                        nearest))
                .orElse(this);
    }

    /** The same scan, passing over items that do not satisfy a condition where an index saves looking at them. */
    ItemScan where(Condition condition, long rowsWanted, Checkpoint checkpoint) {
        var indexes = new IndexChoice(container, condition, rowsWanted, checkpoint);
        return new ItemScan(covered, access, slices, Optional.of(indexes), indexedOnly, nearest);
    }

    /**
     * The same scan as a query sees it: one that chooses or sorts its items has none that their writers wanted out of the
     * index, also where no index is used. What a query gives must not depend on how its rows are found.
     */
    ItemScan seenBy(Query query) {
        boolean asksIndex = query.choosesOrSorts()
                && container.definition().indexingPolicy().mode() != IndexingMode.NONE;
        return new ItemScan(covered, access, slices, choice, asksIndex, nearest);
    }

    /** The same scan, giving only items among which are all that a search for the nearest may find, in any order. */
    ItemScan lookingFor(Optional<NearestItems> items) {
        return new ItemScan(covered, access, slices, choice, indexedOnly, items);
    }

    /**
     * Whether so few items satisfy the conditions that reading and sorting them is quicker than meeting as many as are
     * wanted in the order of an index: of n items, e of which fit, n / e are met for each.
     */
    boolean isSoonerSorted(SortIndex index, long rowsWanted) {
        if (choice.isEmpty() || index.fixed() > 0) {
            return false;
        }
        double found = 0;
        for (var slice : slices) {
            for (var keys : slice.keys()) {
                var snapshot = slice.view().snapshot();
                if (choice.get().isSmallPartition(snapshot, keys)) {
                    return true;
                }
                var estimate = choice.get().estimateBesides(index.places().getFirst(), snapshot, keys);
                if (estimate.isEmpty()) {
                    return false;
                }
                found += estimate.get();
            }
        }
        double met = itemsOfRanges() / Math.max(1, found);
        return found * IndexChoice.LOAD_COST < rowsWanted * IndexChoice.costInOrder(met);
    }

    /** The items in the order of an index, from one on; empty when the index does not serve all of them. */
    Optional<SortedScan> sorted(SortIndex index, Optional<Sorted> start) {
        var scan = new SortedScan(index);
        for (var slice : slices) {
            boolean served = slice.keys().isEmpty()
                    || (slice.keys().size() == 1
                            && scan.add(
                                    container,
                                    slice.view(),
                                    slice.keys().iterator().next(),
                                    choice,
                                    start));
            if (!served) {
                scan.close();
                return Optional.empty();
            }
        }
        trace.order(scan);
        return Optional.of(scan);
    }

    /** What it covers of each range; empty when that are many places. */
    Optional<List<CoveredRows.Part>> parts() {
        var parts = new ArrayList<CoveredRows.Part>();
        for (var slice : slices) {
            if (slice.keys().size() > 1) {
                return Optional.empty();
            }
            for (var keys : slice.keys()) {
                parts.add(new CoveredRows.Part(slice.view(), keys, slice.isWhole()));
            }
        }
        return Optional.of(parts);
    }

    /** Notes that nothing but so many entries of an index were looked at. */
    void answeredByIndex(long entries) {
        trace.answer();
        trace.read(entries);
    }

    /** Whether it looks at all partitions that begin alike in a hierarchical key. */
    boolean isOfGroups() {
        return access == Access.PREFIX;
    }

    /** How many ranges it goes to. */
    int rangesAsked() {
        return (int) slices.stream().filter(slice -> !slice.keys().isEmpty()).count();
    }

    /** How many items there are in the ranges it goes to. */
    long itemsOfRanges() {
        return slices.stream()
                .filter(slice -> !slice.keys().isEmpty())
                .mapToLong(slice -> slice.view().itemsRoughly())
                .sum();
    }

    /** Whether an item that is stored is not there for the query: it has expired, or is out of the index. */
    boolean isPassedOver(StoredItem item, long nowSecond) {
        return timeToLive.isOver(item, nowSecond) || (indexedOnly && !item.indexed());
    }

    /** How it looks for the items of a query. */
    Explanation explanation(Query query, IndexWords words, IndexMetrics metrics) {
        var found = query.readsItems() ? slices : List.<Slice>of();
        return new Explanation(
                query.readsItems() ? trace.access(access) : Access.NONE,
                found.stream().mapToInt(slice -> slice.keys().size()).sum(),
                query.readsItems() ? rangesAsked() : 0,
                container.ranges().live().size(),
                query.shape() == Query.Shape.STREAMING,
                query.steps(),
                new IndexUse(trace.used(words), entriesRead(), words.hints(query, metrics), metrics));
    }

    /** How many entries of indexes were read, also to choose among them. */
    long entriesRead() {
        return trace.entriesRead() + choice.map(IndexChoice::entriesRead).orElse(0L);
    }

    private static List<KeyRange> intersection(Collection<KeyRange> ones, Collection<KeyRange> others) {
        var common = new ArrayList<KeyRange>();
        for (var one : ones) {
            for (var other : others) {
                var from = later(one.from(), other.from());
                var to = Arrays.compareUnsigned(one.to(), other.to()) < 0 ? one.to() : other.to();
                if (Arrays.compareUnsigned(from, to) < 0) {
                    common.add(new KeyRange(from, to));
                }
            }
        }
        return common;
    }

    private static byte[] later(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) > 0 ? one : other;
    }

    /**
     * Visits items from a key on (or from the start) until the visitor has enough.
     *
     * @return true when the end was reached
     */
    boolean walk(byte[] start, long nowSecond, Visitor visitor) {
        for (var slice : slices) {
            if (slice.keys().isEmpty()) {
                continue;
            }
            if (!walk(slice, start, nowSecond, visitor)) {
                return false;
            }
            visitor.endRange();
        }
        return true;
    }

    private boolean walk(Slice slice, byte[] start, long nowSecond, Visitor visitor) {
        for (var keys : slice.keys()) {
            if (!isBefore(keys, start) && !walk(slice, keys, start, nowSecond, visitor)) {
                return false;
            }
        }
        return true;
    }

    private boolean walk(Slice slice, KeyRange keys, byte[] start, long nowSecond, Visitor visitor) {
        var snapshot = slice.view().snapshot();
        if (choice.isEmpty() || keys.isSingle() || slice.keys().size() > 1) {
            return walk(snapshot, keys, start, nowSecond, visitor);
        }
        var from = later(start, keys.from());
        var documents = choice.get().documents(snapshot, slice.view().itemsRoughly(), new KeyRange(from, keys.to()));
        if (documents.isEmpty()) {
            var near = nearest.flatMap(items ->
                    items.keys(snapshot, keys, slice.isWhole(), slice.view().itemsRoughly()));
            return near.isPresent()
                    ? walk(snapshot, near.get(), nowSecond, visitor)
                    : walk(snapshot, keys, start, nowSecond, visitor);
        }
        return walk(snapshot, documents.get(), new KeyRange(from, keys.to()), nowSecond, visitor);
    }

    private Checkpoint checkpoint() {
        return choice.map(IndexChoice::checkpoint).orElse(Checkpoint.NONE);
    }

    /**
     * Visits the items that satisfy a condition and no others, in any order.
     *
     * @return false when an index cannot tell which these are; some may have been visited then
     */
    boolean walkExactly(Condition condition, long nowSecond, Visitor visitor) {
        for (var slice : slices) {
            if (slice.keys().size() > 1) {
                return false;
            }
            for (var keys : slice.keys()) {
                var snapshot = slice.view().snapshot();
                var search = IndexChoice.search(container, UsableIndexes.of(container), snapshot, keys, checkpoint());
                var documents = search.exactly(condition, IndexChoice.ENTRIES_MAX);
                if (documents.isEmpty()) {
                    return false;
                }
                walk(snapshot, documents.get(), keys, nowSecond, visitor);
            }
            visitor.endRange();
        }
        return true;
    }

    private boolean walk(Snapshot snapshot, Documents documents, KeyRange keys, long nowSecond, Visitor visitor) {
        trace.lookUp();
        try (var found = new FoundItems(documents, container, keys, checkpoint())) {
            while (found.next()) {
                if (!visit(found.key(), snapshot.get(found.key()), nowSecond, visitor)) {
                    return false;
                }
            }
        } finally {
            trace.read(documents.entriesRead());
        }
        return true;
    }

    private boolean walk(Snapshot snapshot, List<byte[]> found, long nowSecond, Visitor visitor) {
        trace.findNearest();
        for (var key : found) {
            if (!visit(key, snapshot.get(key), nowSecond, visitor)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBefore(KeyRange keys, byte[] start) {
        return Arrays.compareUnsigned(start, keys.to()) >= 0;
    }

    private boolean walk(Snapshot snapshot, KeyRange keys, byte[] start, long nowSecond, Visitor visitor) {
        if (keys.isSingle()) {
            return visit(keys.from(), snapshot.get(keys.from()), nowSecond, visitor);
        }
        var from = later(start, keys.from());
        boolean needsKeys = visitor.needsKeys();
        try (var cursor = snapshot.scan(new KeyRange(from, keys.to()), Direction.FORWARD)) {
            while (cursor.next()) {
                if (!visit(needsKeys ? cursor.key() : NO_KEY, cursor.value(), nowSecond, visitor)) {
                    return false;
                }
            }
        }
        return true;
    }

    boolean isOverSeveralRanges() {
        return slices.stream().filter(slice -> !slice.keys().isEmpty()).count() > 1;
    }

    /** False when the visitor has enough; what is absent or not there for the query is passed over. */
    private boolean visit(byte[] key, byte[] value, long nowSecond, Visitor visitor) {
        if (value == null) {
            return true;
        }
        var item = StoredItem.decode(value);
        return isPassedOver(item, nowSecond) || visitor.visit(key, item);
    }
}
