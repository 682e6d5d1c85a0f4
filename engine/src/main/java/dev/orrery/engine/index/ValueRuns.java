package dev.orrery.engine.index;

import dev.orrery.engine.index.Outline.Presence;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.IndexKey.Kind;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.ValueBytes;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonNumber;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The different values at one place of the items of a range, without looking at the items. */
public final class ValueRuns {
    /** With more different values than this, a scan does as well. */
    private static final int RUNS_MAX = 50_000;

    private static final int RUN_BYTES = 64;

    /**
     * A value and the items that have it.
     *
     * @param value undefined for items that have nothing there
     * @param first key of the first of them in the order of keys
     */
    @SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
    public record Run(JsonValue value, long count, byte[] first) {}

    private final IndexSearch search;
    private final Snapshot snapshot;
    private final List<Step> place;
    private final PartitionKeyDefinition definition;
    private final List<Run> runs = new ArrayList<>();

    private ValueRuns(IndexSearch search, List<Step> place, PartitionKeyDefinition definition) {
        this.search = search;
        this.snapshot = search.snapshot();
        this.place = place;
        this.definition = definition;
    }

    /**
     * The runs of a whole range in the order in which a scan meets them first; empty when entries do not tell.
     *
     * @param numbers whether it matters how many items there are of each
     */
    public static Optional<List<Run>> of(
            IndexSearch search, List<Step> place, PartitionKeyDefinition definition, boolean numbers) {
        var runs = new ValueRuns(search, place, definition);
        return runs.readAll(numbers) ? Optional.of(runs.sorted()) : Optional.empty();
    }

    /** The runs of the least and the greatest value only. */
    public static Optional<List<Run>> extremes(
            IndexSearch search, List<Step> place, PartitionKeyDefinition definition) {
        var runs = new ValueRuns(search, place, definition);
        return runs.readExtremes() ? Optional.of(runs.sorted()) : Optional.empty();
    }

    private List<Run> sorted() {
        runs.sort(Comparator.comparing(Run::first, Arrays::compareUnsigned));
        return runs;
    }

    private boolean readAll(boolean numbers) {
        if (!areSingle() || !readNothing()) {
            return false;
        }
        var entries = IndexKey.all(Kind.VALUE, Place.of(place));
        try (var cursor = snapshot.scan(entries, Direction.FORWARD)) {
            boolean ahead = cursor.next();
            while (ahead) {
                var run = new Reading(cursor);
                if (runs.size() == RUNS_MAX || run.isRough()) {
                    return false;
                }
                ahead = numbers ? run.readOn() : run.skip();
                add(run.done());
            }
        }
        return true;
    }

    private boolean readExtremes() {
        if (!areSingle()) {
            return false;
        }
        var entries = IndexKey.all(Kind.VALUE, Place.of(place));
        for (var direction : Direction.values()) {
            try (var cursor = snapshot.scan(entries, direction)) {
                if (cursor.next()) {
                    var value = ValueBytes.startOf(IndexKey.target(cursor.key()));
                    var target = IndexKey.startingWith(Kind.VALUE, Place.of(place), value);
                    try (var all = snapshot.scan(target, Direction.FORWARD)) {
                        all.next();
                        var run = new Reading(all);
                        if (run.isRough()) {
                            return false;
                        }
                        run.skip();
                        runs.add(run.done());
                    }
                }
            }
        }
        return true;
    }

    private void add(Run run) {
        search.keep(RUN_BYTES + JsonSize.of(run.value()) + run.first().length);
        runs.add(run);
    }

    /** Whether no item has an array or an object at the place. */
    private boolean areSingle() {
        return search.outlines(place, presence -> presence == Presence.ARRAY || presence == Presence.OBJECT)
                .filter(outlines -> outlines.stream().allMatch(this::isEmpty))
                .isPresent();
    }

    private boolean isEmpty(long outline) {
        try (var cursor = snapshot.scan(IndexKey.all(Kind.OUTLINE, outline), Direction.FORWARD)) {
            return !cursor.next();
        }
    }

    /** Adds the items that have nothing at the place. */
    private boolean readNothing() {
        var outlines = search.outlines(place, Presence.NOTHING::equals);
        outlines.ifPresent(some -> some.forEach(outline -> {
            try (var cursor = snapshot.scan(IndexKey.all(Kind.OUTLINE, outline), Direction.FORWARD)) {
                if (cursor.next()) {
                    var run = new Reading(cursor);
                    run.readOn();
                    runs.add(new Run(JsonValue.UNDEFINED, run.count, run.first));
                }
            }
        }));
        return outlines.isPresent();
    }

    private byte[] itemKey(byte[] value) {
        return ItemKey.ofLocator(value, 0, value.length, definition).bytes();
    }

    /** Entries with the same target, beginning with the one that a cursor is at. */
    private final class Reading {
        private final Cursor cursor;
        private final byte[] prefix;
        private final byte[] target;
        private final long cluster;
        private long count;
        private byte[] first;

        Reading(Cursor cursor) {
            this.cursor = cursor;
            var key = cursor.key();
            this.prefix = Arrays.copyOf(key, key.length - Long.BYTES);
            this.target = IndexKey.target(key);
            this.cluster = DocumentKey.clusterOf(IndexKey.document(key));
        }

        boolean isRough() {
            return ValueBytes.decode(target, 0).value().isEmpty();
        }

        /** Reads all of them; whether the cursor is at another one then. */
        boolean readOn() {
            boolean ahead = true;
            while (ahead && isSame()) {
                take();
                ahead = cursor.next();
            }
            return ahead;
        }

        /** Reads those that may be the first one in the order of keys, and leaves out the rest. */
        boolean skip() {
            boolean ahead = true;
            while (ahead && isSame() && DocumentKey.clusterOf(IndexKey.document(cursor.key())) == cluster) {
                take();
                ahead = cursor.next();
            }
            if (ahead && isSame()) {
                cursor.seek(KeyRange.prefix(prefix).to());
                ahead = cursor.next();
            }
            return ahead;
        }

        private boolean isSame() {
            var key = cursor.key();
            return key.length == prefix.length + Long.BYTES
                    && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
        }

        private void take() {
            count++;
            // Within a cluster the order of documents is not that of keys.
            if (first == null || DocumentKey.clusterOf(IndexKey.document(cursor.key())) == cluster) {
                var key = itemKey(cursor.value());
                first = first == null || Arrays.compareUnsigned(key, first) < 0 ? key : first;
            }
        }

        Run done() {
            var value = ValueBytes.decode(target, 0).value().orElseThrow();
            return new Run(hasEquals(value) ? stored() : value, count, first);
        }

        /** Whether numbers with other texts are equal to a value, as -0 to 0, so that only the item knows which it has. */
        private static boolean hasEquals(JsonValue value) {
            return value instanceof Num(double number, var _)
                    && (number == 0 || Math.abs(number) >= JsonNumber.WHOLE_MAX);
        }

        private JsonValue stored() {
            return Place.in(StoredItem.decode(snapshot.get(first)).text().asValue(), place);
        }
    }
}
