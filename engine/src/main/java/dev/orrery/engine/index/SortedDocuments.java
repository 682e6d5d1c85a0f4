package dev.orrery.engine.index;

import dev.orrery.engine.index.Outline.Presence;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The documents of one range in the order of a {@link SortIndex}: entries where there is one for each, and around them
 * what has no entry of its own, nothing before and arrays and objects behind. For one thread.
 */
public final class SortedDocuments implements AutoCloseable {
    /** More than this that only their items tell apart are better sorted with everything else. */
    private static final int ROUGH_MAX = 20_000;

    private static final int SORTED_BYTES = 96;

    /** A document, what it is sorted by, and the key of its item. */
    @SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
    public record Sorted(List<JsonValue> values, long number, byte[] key) {}

    /** Thrown when the index turns out not to serve; whatever was given before is right. */
    public static final class NotServedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotServedException() {
            super(null, null, false, false);
        }
    }

    private interface Part extends AutoCloseable {
        /** Adds the next documents, all of them in order; false when there are none. */
        boolean read(Deque<Sorted> target);

        @Override
        void close();
    }

    private final SortIndex index;
    private final IndexSearch search;
    private final Snapshot snapshot;
    private final ItemIndex items;
    private final PartitionKeyDefinition definition;
    private final long from;
    private final long to;
    private final Optional<Sieve> sieve;
    private final Deque<Supplier<Part>> parts = new ArrayDeque<>();
    private final Deque<Sorted> ready = new ArrayDeque<>();
    private Part open;
    private Sorted current;
    private long passed;
    private long loadedBytes;

    private SortedDocuments(
            SortIndex index, IndexSearch search, ContainerDefinition definition, Optional<Sieve> sieve) {
        this.index = index;
        this.search = search;
        this.snapshot = search.snapshot();
        this.items = ItemIndex.of(definition);
        this.definition = definition.partitionKey();
        this.from = search.from();
        this.to = search.to();
        this.sieve = sieve;
    }

    /**
     * Those of a range; empty when it cannot be told which of them have no entry.
     *
     * @param sieve what is known of those that are wanted; others may be given as well
     * @param start where to begin: values and document number of the first
     */
    public static Optional<SortedDocuments> open(
            SortIndex index,
            IndexSearch search,
            ContainerDefinition definition,
            Optional<Sieve> sieve,
            Optional<Sorted> start) {
        var documents = new SortedDocuments(index, search, definition, sieve);
        return documents.addParts(search, start) ? Optional.of(documents) : Optional.empty();
    }

    private boolean addParts(IndexSearch search, Optional<Sorted> start) {
        Supplier<Part> entries = () -> new Entries(snapshot.scan(
                start.filter(SortedDocuments::isSingle)
                        .map(first -> index.entriesFrom(first.values(), first.number()))
                        .orElse(index.entries()),
                index.direction()));
        if (!index.complete()) {
            parts.add(entries);
            return true;
        }
        var place = index.places().getFirst();
        var nothing = search.outlines(place, Presence.NOTHING::equals);
        var others = search.outlines(place, presence -> presence == Presence.ARRAY || presence == Presence.OBJECT);
        if (nothing.isEmpty() || others.isEmpty()) {
            return false;
        }
        int rank = start.map(first -> rank(first.values().getFirst())).orElse(-1);
        long first = start.filter(one -> rank == 0).map(Sorted::number).orElse(-1L);
        var inOrder = List.<Supplier<Part>>of(
                () -> new Without(nothing.get(), first), entries, () -> new Rough(others.get()));
        boolean downwards = index.direction() == Direction.BACKWARD;
        for (int i = 0; i < inOrder.size(); i++) {
            int part = downwards ? inOrder.size() - 1 - i : i;
            if (rank < 0 || (downwards ? part <= rank : part >= rank)) {
                parts.add(inOrder.get(part));
            }
        }
        return true;
    }

    private static int rank(JsonValue value) {
        return switch (value) {
            case JsonValue.Undefined _ -> 0;
            case JsonValue.Null _, JsonValue.Bool _, JsonValue.Num _, JsonValue.Str _ -> 1;
            case JsonValue.Arr _, JsonValue.Obj _ -> 2;
        };
    }

    private static boolean isSingle(Sorted start) {
        return start.values().size() > 1 || rank(start.values().getFirst()) == 1;
    }

    /** Goes to the next document; false when there is none. */
    public boolean next() {
        while (ready.isEmpty()) {
            if (open == null) {
                if (parts.isEmpty()) {
                    return false;
                }
                open = parts.removeFirst().get();
            }
            if (!open.read(ready)) {
                open.close();
                open = null;
            }
        }
        current = ready.removeFirst();
        return true;
    }

    public Sorted current() {
        return current;
    }

    /** How many entries were passed over because they are not of what is looked at. */
    public long passed() {
        return passed;
    }

    private boolean isWithin(long number) {
        boolean within =
                number >= from && number < to && (sieve.isEmpty() || sieve.get().leaves(number));
        passed += within ? 0 : 1;
        return within;
    }

    private byte[] itemKey(byte[] value) {
        return ItemKey.ofLocator(value, index.kind().locatorStart(), value.length, definition)
                .bytes();
    }

    /** Sorts documents by what their items hold. */
    private List<Sorted> loaded(List<byte[]> keys) {
        search.keep(-loadedBytes); // Those before have all been taken.
        loadedBytes = 0;
        var sorted = new ArrayList<Sorted>(keys.size());
        for (var key : keys) {
            var item = StoredItem.decode(snapshot.get(key));
            var values = index.valuesOf(items.seen(item.text().asValue()));
            long bytes = (long) SORTED_BYTES + key.length;
            for (var value : values) {
                bytes += JsonSize.of(value) + JsonSize.unfolding(value);
            }
            loadedBytes += bytes;
            search.keep(bytes);
            sorted.add(new Sorted(values, item.document(), key));
        }
        sorted.sort((one, other) -> index.compare(one.values(), one.number(), other.values(), other.number()));
        return sorted;
    }

    private static void demandFew(List<byte[]> keys) {
        if (keys.size() > ROUGH_MAX) {
            throw new NotServedException();
        }
    }

    /** Documents with an entry. */
    private final class Entries implements Part {
        private final Cursor cursor;
        private boolean ahead;

        Entries(Cursor cursor) {
            this.cursor = cursor;
            this.ahead = cursor.next();
        }

        @Override
        public boolean read(Deque<Sorted> target) {
            if (!ahead) {
                return false;
            }
            var key = cursor.key();
            var values = index.values(key);
            if (values.isEmpty()) {
                readRough(index.rough(key), target);
                return true;
            }
            if (index.tiesTurned()) {
                readTies(values.get(), Arrays.copyOf(key, key.length - Long.BYTES), target);
                return true;
            }
            add(values.get(), key, target::addLast);
            ahead = cursor.next();
            return true;
        }

        private void add(List<JsonValue> values, byte[] key, Consumer<Sorted> target) {
            long number = index.document(key);
            if (isWithin(number)) {
                target.accept(new Sorted(values, number, itemKey(cursor.value())));
            }
        }

        /** Reads all entries with the same values and turns their order. */
        private void readTies(List<JsonValue> values, byte[] prefix, Deque<Sorted> target) {
            var ties = new ArrayDeque<Sorted>();
            while (ahead && startsWith(cursor.key(), prefix)) {
                add(values, cursor.key(), ties::addFirst);
                if (ties.size() > ROUGH_MAX) {
                    throw new NotServedException();
                }
                ahead = cursor.next();
            }
            target.addAll(ties);
        }

        private void readRough(byte[] prefix, Deque<Sorted> target) {
            var keys = new ArrayList<byte[]>();
            while (ahead && startsWith(cursor.key(), prefix)) {
                if (isWithin(index.document(cursor.key()))) {
                    keys.add(itemKey(cursor.value()));
                }
                demandFew(keys);
                ahead = cursor.next();
            }
            target.addAll(loaded(keys));
        }

        private static boolean startsWith(byte[] key, byte[] prefix) {
            return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    /** Documents with nothing at the place. */
    private final class Without implements Part {
        private final List<Cursor> cursors = new ArrayList<>();

        Without(List<Long> outlines, long first) {
            boolean forward = index.direction() == Direction.FORWARD;
            long low = first >= 0 && forward ? Math.clamp(first, from, to) : from;
            long high = first >= 0 && !forward ? Math.clamp(first + 1, from, to) : to;
            for (long outline : outlines) {
                var cursor = snapshot.scan(IndexKey.outlines(outline, low, high), index.direction());
                if (cursor.next()) {
                    cursors.add(cursor);
                } else {
                    cursor.close();
                }
            }
        }

        @Override
        public boolean read(Deque<Sorted> target) {
            Cursor best = null;
            for (var cursor : cursors) {
                if (best == null || isBefore(cursor, best)) {
                    best = cursor;
                }
            }
            if (best == null) {
                return false;
            }
            target.add(new Sorted(index.nothing(), IndexKey.document(best.key()), itemKey(best.value())));
            if (!best.next()) {
                best.close();
                cursors.remove(best);
            }
            return true;
        }

        private boolean isBefore(Cursor one, Cursor other) {
            int order = Long.compare(IndexKey.document(one.key()), IndexKey.document(other.key()));
            return index.direction() == Direction.FORWARD ? order < 0 : order > 0;
        }

        @Override
        public void close() {
            cursors.forEach(Cursor::close);
        }
    }

    /** Documents with an array or an object at the place. */
    private final class Rough implements Part {
        private List<byte[]> keys = new ArrayList<>();

        Rough(List<Long> outlines) {
            for (long outline : outlines) {
                try (var cursor = snapshot.scan(IndexKey.outlines(outline, from, to), Direction.FORWARD)) {
                    while (cursor.next()) {
                        keys.add(itemKey(cursor.value()));
                        demandFew(keys);
                    }
                }
            }
        }

        @Override
        public boolean read(Deque<Sorted> target) {
            boolean any = !keys.isEmpty();
            target.addAll(loaded(keys));
            keys = List.of();
            return any;
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
