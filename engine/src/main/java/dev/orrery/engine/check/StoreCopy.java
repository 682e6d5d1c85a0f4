package dev.orrery.engine.check;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.check.StoreCheck.Finding;
import dev.orrery.engine.item.RangeCopy;
import dev.orrery.engine.item.TolerantScan;
import dev.orrery.engine.key.DataFormat;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LastNumber;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Writes what one store holds into a new one: everything that can be read of a damaged store, or the items as they were
 * some time ago. Indexes are made anew on the way. Views stay empty: the server fills them again when it starts.
 */
public final class StoreCopy {
    private static final long OWNER_EPOCH = 1;

    /** When the number that rids are drawn from is lost: more than any account has drawn since its last container. */
    private static final int NUMBERS_SKIPPED = 1_000_000;

    private final Store from;
    private final Store to;
    private final Set<PartitionId> existing;
    private final BiConsumer<Long, Long> progress;
    private final List<Finding> lost = new ArrayList<>();
    private long items;
    private long itemsTotal;

    /**
     * What became of it.
     *
     * @param lost what could not be read, and is therefore not in the new store
     */
    public record Report(List<Finding> lost, int containers, long items) {
        public Report {
            lost = List.copyOf(lost);
        }
    }

    private StoreCopy(Store from, Store to, BiConsumer<Long, Long> progress) {
        this.from = from;
        this.to = to;
        this.progress = progress;
        this.existing = existing();
    }

    /** Copies all that can be read; {@code progress} is told of items done and items in all. */
    public static Report ofReadable(Store from, Store to, BiConsumer<Long, Long> progress) {
        return new StoreCopy(from, to, progress).run(RangeCopy::copyReadable);
    }

    /**
     * Copies the items as they were at the end of a second; where several regions write, as they were settled then. Databases,
     * containers and scripts are as they are now.
     *
     * @throws StoreException when the log of a range does not reach back so far, or writes of until then are not settled; nothing
     *     is written then
     */
    public static Report asOf(Store from, Store to, Instant moment, BiConsumer<Long, Long> progress) {
        var copy = new StoreCopy(from, to, progress);
        copy.demandKept(moment);
        copy.demandSettled(moment);
        return copy.run(range -> range.copyAsOf(moment.getEpochSecond()));
    }

    private interface Way {
        void copy(RangeCopy range);
    }

    private Report run(Way way) {
        copyCatalog();
        try (var catalog = Catalog.open(to, 1)) {
            var containers = catalog.containers().stream()
                    .sorted(Comparator.comparing(Container::ownerPath))
                    .toList();
            nameUnknown(catalog);
            var filled = containers.stream().filter(StoreCopy::isNoView).toList();
            filled.forEach(container -> container.ranges().live().forEach(range -> sum(container, range)));
            filled.forEach(container -> container.ranges().live().forEach(range -> {
                copy(container, range, way);
                nameUnsettled(container, range);
            }));
            containers.stream()
                    .filter(container -> !container.superseded().isEmpty())
                    .forEach(container -> catalog.change(edit -> {
                        edit.put(container.withIndexRebuilt());
                        return null;
                    }));
            return new Report(lost, containers.size(), items);
        }
    }

    private static boolean isNoView(Container container) {
        return container.definition().view().isEmpty();
    }

    private Set<PartitionId> existing() {
        try {
            return new HashSet<>(from.partitions());
        } catch (StoreException unreadable) {
            return Set.of(); // Which there are is asked one by one.
        }
    }

    private boolean mayExist(PartitionId id) {
        return existing.isEmpty() || existing.contains(id);
    }

    // ---- the catalog ----

    private void copyCatalog() {
        var rows = new ArrayList<Mutation>();
        rows.add(DataFormat.row());
        try (var account = from.open(Catalog.ACCOUNT_PARTITION, OWNER_EPOCH);
                var snapshot = account.snapshot()) {
            new TolerantScan(snapshot, KeySpace.RESOURCE)
                    .run(
                            (key, value) -> {
                                if (Catalog.isRow(key, value)) {
                                    rows.add(new Mutation.Put(key, value));
                                } else {
                                    lost.add(new Finding("catalog", "a row is not what was written"));
                                }
                            },
                            gap -> lost.add(new Finding("catalog", "some rows cannot be read")));
            rows.add(new Mutation.Put(LastNumber.key(), LastNumber.encode(lastNumber(snapshot))));
        }
        try (var account = to.open(Catalog.ACCOUNT_PARTITION, OWNER_EPOCH)) {
            if (account.commit(new Commit(new CommitId(1, 1), account.lsn(), account.lsn() + 1, rows))
                    != CommitResult.COMMITTED) {
                throw new StoreException("The catalog of a new data folder could not be written");
            }
        }
    }

    private int lastNumber(Snapshot snapshot) {
        try {
            var row = snapshot.get(LastNumber.key());
            return row == null ? 0 : LastNumber.decode(row);
        } catch (StoreException | IndexOutOfBoundsException unreadable) {
            lost.add(new Finding("catalog", "the last number drawn; new resources get numbers far behind it"));
            return existing.stream()
                            .mapToInt(id -> (int) (id.value() >>> Integer.SIZE))
                            .max()
                            .orElse(0)
                    + NUMBERS_SKIPPED;
        }
    }

    /** Items whose container cannot be read belong nowhere. */
    private void nameUnknown(Catalog catalog) {
        if (!lost.isEmpty()) {
            var known = catalog.partitions();
            existing.stream()
                    .filter(id -> !known.contains(id))
                    .sorted()
                    .forEach(id -> lost.add(new Finding(
                            "partition " + Long.toHexString(id.value()),
                            "all its items, for no container is known that it belongs to")));
        }
        for (var container : catalog.containers()) {
            if (container.resource().parent().flatMap(catalog::find).isEmpty()) {
                lost.add(
                        new Finding("catalog", "the database of " + container.ownerPath() + ": nobody can ask for it"));
            }
        }
    }

    // ---- the ranges ----

    private void sum(Container container, Range range) {
        var id = Partitions.id(container.number(), range.id());
        if (mayExist(id)) {
            try (var partition = from.open(id, OWNER_EPOCH)) {
                itemsTotal += PartitionState.ofStored(partition.get(PartitionState.key()))
                        .items();
            } catch (StoreException | IllegalStateException | IndexOutOfBoundsException _) {
                // Said when the range is copied.
            }
        }
    }

    private void copy(Container container, Range range, Way way) {
        var id = Partitions.id(container.number(), range.id());
        if (!mayExist(id)) {
            return;
        }
        var name = container.ownerPath() + ", range " + range.name();
        try (var partition = from.open(id, OWNER_EPOCH);
                var snapshot = partition.snapshot();
                var copy = to.open(id, OWNER_EPOCH)) {
            way.copy(new RangeCopy(
                    container, snapshot, copy, what -> lost.add(new Finding(name, what)), this::itemDone));
        }
    }

    /** What clients wrote and the regions had not settled is no item of theirs yet, and is not copied. */
    private void nameUnsettled(Container container, Range range) {
        var name = container.ownerPath() + ", range " + range.name();
        try {
            var unsettled = unsettled(container, range);
            if (!unsettled.isEmpty()) {
                lost.add(new Finding(
                        name, unsettled.size() + " writes of this region that the regions had not settled yet"));
            }
        } catch (StoreException | IllegalStateException | IndexOutOfBoundsException unreadable) {
            lost.add(
                    new Finding(name, "writes of this region that the regions had not settled yet, if there were any"));
        }
    }

    /** The seconds of the writes of a range, in the order in which they were made, that were acknowledged and not settled. */
    private List<Long> unsettled(Container container, Range range) {
        var settled = Partitions.id(container.number(), range.id());
        var front = Partitions.frontId(settled);
        var seconds = new ArrayList<Long>();
        if (!existing.contains(front)) {
            return seconds;
        }
        try (var writes = from.open(front, OWNER_EPOCH);
                var rows = writes.snapshot();
                var cursor = rows.scan(KeyRange.prefix(KeySpace.TENTATIVE.start()), Direction.FORWARD);
                var known = from.open(settled, OWNER_EPOCH)) {
            while (cursor.next()) {
                var place = Tentative.place(cursor.key());
                var reached = Frontier.decode(known.get(Frontier.key(WriterSlot.ofLsn(place.lsn()))));
                // A write is kept for a while after it was settled.
                if (!Frontier.covers(reached, place)) {
                    seconds.add(Tentative.decode(place, cursor.value()).second());
                }
            }
        }
        return seconds;
    }

    private void itemDone() {
        items++;
        progress.accept(items, Math.max(items, itemsTotal));
    }

    // ---- the past ----

    private void demandKept(Instant moment) {
        Instant earliest = Instant.EPOCH;
        try (var catalog = Catalog.open(from, 1)) {
            for (var container : catalog.containers()) {
                if (isNoView(container)) {
                    for (var range : container.ranges().live()) {
                        var begin = keptFrom(Partitions.id(container.number(), range.id()));
                        earliest = begin.isAfter(earliest) ? begin : earliest;
                    }
                }
            }
        }
        if (moment.isBefore(earliest)) {
            throw new StoreException("All versions are kept from %s on; %s is before that. A longer --change-retention"
                            .formatted(earliest, moment)
                    + " keeps more, from when it is set");
        }
    }

    private void demandSettled(Instant moment) {
        try (var catalog = Catalog.open(from, 1)) {
            for (var container : catalog.containers()) {
                for (var range : container.ranges().live()) {
                    long before = unsettled(container, range).stream()
                            .filter(second -> second <= moment.getEpochSecond())
                            .count();
                    if (before > 0) {
                        throw new StoreException(("Of %s the regions had not settled %d writes yet that were made until"
                                        + " then: what is to become of them cannot be known here. Make a backup when"
                                        + " 'orrery status' tells that all are settled")
                                .formatted(container.ownerPath(), before));
                    }
                }
            }
        }
    }

    private Instant keptFrom(PartitionId id) {
        if (!mayExist(id)) {
            return Instant.EPOCH;
        }
        try (var partition = from.open(id, OWNER_EPOCH)) {
            var state = PartitionState.ofStored(partition.get(PartitionState.key()));
            return Instant.ofEpochSecond(state.forgottenSecond());
        }
    }
}
