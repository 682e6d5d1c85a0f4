package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.SortedDocuments;
import dev.orrery.engine.index.SortedDocuments.Sorted;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Documents of several ranges in the order of an index, one after another whichever range they are in. */
final class SortedScan implements AutoCloseable {
    /** So many entries of other partitions are passed over for each that is wanted before it is not worth it. */
    private static final long PASSED_PER_FOUND = 16;

    private static final long PASSED_MIN = 128;

    private final SortIndex index;
    private final List<Source> ended = new ArrayList<>();
    private final List<Source> open = new ArrayList<>();
    private Source current;
    private long found;

    private record Source(KeyRange keys, Snapshot snapshot, SortedDocuments documents) implements AutoCloseable {
        /** Goes to the next one that is in the range of keys. */
        boolean next() {
            while (documents.next()) {
                if (keys.contains(documents.current().key())) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void close() {
            documents.close();
            snapshot.close();
        }
    }

    SortedScan(SortIndex index) {
        this.index = index;
    }

    SortIndex index() {
        return index;
    }

    /** Adds the items of a range; false when its index does not serve. */
    boolean add(Container container, Route route, KeyRange keys, Optional<Sorted> start) {
        var snapshot = route.partition().snapshot();
        var search = IndexChoice.search(container, UsableIndexes.of(container), snapshot, keys);
        var documents = SortedDocuments.open(index, search, container.definition(), start);
        if (documents.isEmpty()) {
            snapshot.close();
            return false;
        }
        var source = new Source(keys, snapshot, documents.get());
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
        return current.snapshot().get(current().key());
    }

    /** Whether too many entries are of partitions that the query does not look at. */
    boolean isPoor() {
        long passed = 0;
        for (var source : open) {
            passed += source.documents().passed();
        }
        return passed > PASSED_MIN + found * PASSED_PER_FOUND;
    }

    /** How many entries were read, those that were passed over included. */
    long entriesRead() {
        return found
                + Stream.concat(open.stream(), ended.stream())
                        .mapToLong(source -> source.documents().passed())
                        .sum();
    }

    @Override
    public void close() {
        open.forEach(Source::close);
        ended.forEach(Source::close);
    }
}
