package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.Sieve;
import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.SortedDocuments;
import dev.orrery.engine.index.SortedDocuments.Sorted;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.partition.RangeView;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Documents of several ranges in the order of an index, one after another whichever range they are in. */
final class SortedScan implements AutoCloseable {
    /** So many entries are passed over for each that is wanted before it is not worth it. */
    private static final long PASSED_PER_FOUND = 16;

    private static final long PASSED_MIN = 128;

    private final SortIndex index;
    private final List<Source> ended = new ArrayList<>();
    private final List<Source> open = new ArrayList<>();
    private Source current;
    private long found;
    private long sieved;
    private long sieveEntries;

    private record Source(KeyRange keys, RangeView view, SortedDocuments documents) {
        /** Goes to the next one that is in the range of keys. */
        boolean next() {
            while (documents.next()) {
                if (keys.contains(documents.current().key())) {
                    return true;
                }
            }
            return false;
        }
    }

    SortedScan(SortIndex index) {
        this.index = index;
    }

    SortIndex index() {
        return index;
    }

    /** Adds the items of a range; false when its index does not serve. */
    boolean add(
            Container container, RangeView view, KeyRange keys, Optional<IndexChoice> choice, Optional<Sorted> start) {
        var snapshot = view.snapshot();
        var sieve = choice.filter(_ -> index.fixed() == 0)
                .flatMap(some -> some.sieve(index.places().getFirst(), snapshot, keys, view.itemsRoughly()));
        var search = IndexChoice.search(
                container,
                UsableIndexes.of(container),
                snapshot,
                keys,
                choice.map(IndexChoice::checkpoint).orElse(Checkpoint.NONE));
        var documents = SortedDocuments.open(index, search, container.definition(), sieve, start);
        if (documents.isEmpty()) {
            return false;
        }
        sieved += sieve.map(Sieve::size).orElse(0L);
        sieveEntries += sieve.map(Sieve::entriesRead).orElse(0L);
        var source = new Source(keys, view, documents.get());
        (source.next() ? open : ended).add(source);
        return true;
    }

    /** Goes to the next document; false when there is none. */
    boolean next() {
        if (current != null && !current.next()) {
            open.remove(current);
            ended.add(current);
        }
        current = null;
        for (var source : open) {
            if (current == null || compare(source, current) < 0) {
                current = source;
            }
        }
        found += current == null ? 0 : 1;
        return current != null;
    }

    /** Says that the document is left to another scan, which will count it. */
    void putBack() {
        found--;
    }

    private int compare(Source one, Source other) {
        return compare(one.documents().current(), other.documents().current());
    }

    int compare(Sorted left, Sorted right) {
        return index.compare(left.values(), left.number(), right.values(), right.number());
    }

    Sorted current() {
        return current.documents().current();
    }

    /** The stored item, which is there: entries are of the same moment. */
    byte[] value() {
        return current.view().get(current().key());
    }

    /** Whether other indexes tell which of the items are not wanted. */
    boolean isSieved() {
        return sieveEntries > 0;
    }

    /** Whether so many entries are not wanted that all items that are would have been read and sorted meanwhile. */
    boolean isPoor() {
        long passed = 0;
        for (var source : open) {
            passed += source.documents().passed();
        }
        long sortCost = sieved * IndexChoice.LOAD_COST / IndexChoice.ENTRY_COST;
        return passed > PASSED_MIN + Math.max(found * PASSED_PER_FOUND, sortCost);
    }

    /** How many entries were read, those that were passed over included. */
    long entriesRead() {
        return found
                + sieveEntries
                + Stream.concat(open.stream(), ended.stream())
                        .mapToLong(source -> source.documents().passed())
                        .sum();
    }

    @Override
    public void close() {
        open.forEach(source -> source.documents().close());
        ended.forEach(source -> source.documents().close());
    }
}
