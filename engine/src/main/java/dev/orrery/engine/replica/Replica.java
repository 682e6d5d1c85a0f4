package dev.orrery.engine.replica;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.CatalogShipment;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.catalog.Ranges;
import dev.orrery.engine.feed.Shipment;
import dev.orrery.engine.item.ShippedChange;
import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.ResourceKey;
import dev.orrery.engine.key.RowPlace;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.engine.resource.Redefinition;
import dev.orrery.model.Rid;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.key.EpkRange;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This copy of the data, as other copies and whoever decides which of them takes the writes see it. */
public final class Replica {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    private static final int CHANGES_MAX = 2_000;

    private final Catalog catalog;
    private final Partitions partitions;
    private final WriteRight right;
    private final Consumer<Runnable> later;
    private final Runnable roleChanged;
    private Salvage salvage = (_, _) -> {};

    /**
     * @param later does something when no read is under way any more that began before
     * @param roleChanged told when this copy begins to take the writes
     */
    public Replica(
            Catalog catalog, Partitions partitions, WriteRight right, Consumer<Runnable> later, Runnable roleChanged) {
        this.later = later;
        this.catalog = catalog;
        this.partitions = partitions;
        this.right = right;
        this.roleChanged = roleChanged;
    }

    // ---- telling others ----

    public CatalogVersion catalogVersion() {
        return catalog.place();
    }

    public CatalogShipment catalogAfter(CatalogVersion after) {
        return catalog.shipment(after);
    }

    public List<RangeId> ranges() {
        var all = new ArrayList<RangeId>();
        for (var container : catalog.containers()) {
            container.ranges().live().forEach(range -> all.add(new RangeId(container.number(), range.id())));
        }
        return all;
    }

    public boolean has(RangeId range) {
        return find(range.container()).stream()
                .flatMap(container -> container.ranges().live().stream())
                .anyMatch(live -> live.id() == range.range());
    }

    public long lsn(RangeId range) {
        return partition(range).lsn();
    }

    /** How many document numbers have been drawn, here or in the copies that it has followed. */
    public long documents(RangeId range) {
        return partition(range).state().documents();
    }

    public Epochs epochs(RangeId range) {
        return partition(range).epochs();
    }

    /** What a copy lacks that has come to an LSN, its last in some epoch; nothing when the range is not here. */
    public Optional<RangeNews> newsAfter(RangeId range, long epoch, long afterLsn, long bytesMax) {
        if (!has(range)) {
            return Optional.empty();
        }
        var partition = partition(range);
        try (var snapshot = partition.snapshot()) {
            var state = PartitionState.of(snapshot);
            var epochs = partition.epochs();
            long fork = Math.min(epochs.lastLsnOf(epoch), state.lsn());
            if (afterLsn > fork) {
                return Optional.of(new RangeNews(
                        range,
                        epochs,
                        state.lsn(),
                        state.forgottenLsn(),
                        state.forgottenSecond(),
                        new Shipment(List.of(), afterLsn, 0, 0),
                        fork));
            }
            return Optional.of(new RangeNews(
                    range,
                    epochs,
                    state.lsn(),
                    state.forgottenLsn(),
                    state.forgottenSecond(),
                    withFrontier(Shipment.read(snapshot, afterLsn, CHANGES_MAX, bytesMax), snapshot, state),
                    Long.MAX_VALUE));
        }
    }

    /** Where several regions write, what is settled goes along once nothing is left to tell. */
    private Shipment withFrontier(Shipment shipment, Snapshot snapshot, PartitionState state) {
        return partitions.writers().isPresent() && shipment.completeLsn() == state.lsn()
                ? shipment.withFrontier(Frontier.of(snapshot))
                : shipment;
    }

    /**
     * Keeps the log of a range for a copy that lacks what comes behind an LSN, its last in some epoch; up to a bound, and
     * until this process ends.
     */
    public void keepLog(String reader, RangeId range, long epoch, long lsn) {
        if (has(range)) {
            var partition = partition(range);
            partition.readers().note(reader, Math.min(lsn, partition.epochs().lastLsnOf(epoch)));
        }
    }

    /** Has somebody told of changes of any range; he must be quick. */
    public Partitions.Watch watch(Consumer<RangeId> watcher) {
        return partitions.watchAll(id -> {
            if (!Partitions.isFront(id)) {
                watcher.accept(rangeId(id));
            }
        });
    }

    /** Has somebody told of changes of the catalog; he must be quick. */
    public void watchCatalog(Runnable watcher) {
        catalog.onChange(watcher);
    }

    public static RangeId rangeId(PartitionId id) {
        return new RangeId((int) (id.value() >>> 32), (int) id.value());
    }

    // ---- following ----

    /** Says where to put the items of containers that nobody else has heard of. */
    public void salvageBy(Salvage place) {
        salvage = place;
    }

    /**
     * Makes the catalog what it is elsewhere. Ranges that were split there are split here, wherever they have come to.
     *
     * @return how many items this copy had of containers that the new epoch does not have; they are put aside
     */
    public long follow(CatalogShipment shipment) {
        long items = putAside(shipment);
        catalog.foresee(shipment).forEach((theirs, mine) -> mine.ifPresent(here -> splitAlike(here, theirs)));
        var gone = catalog.follow(
                shipment,
                (theirs, mine) -> mine.map(
                                here -> Redefinition.of(here, theirs.resource(), theirs.definition(), theirs.ranges()))
                        .orElse(theirs));
        for (var container : gone) {
            container.ranges().live().forEach(range -> partitions.drop(container.number(), range.id()));
        }
        return items;
    }

    /** Within an epoch a container only goes when somebody has deleted it. */
    private long putAside(CatalogShipment shipment) {
        if (!shipment.isComplete()
                || shipment.version().epoch() == catalog.place().epoch()) {
            return 0;
        }
        var there = new HashSet<Rid>();
        shipment.rows().forEach(row -> there.add(ResourceKey.decode(row.key())));
        long items = 0;
        for (var container : catalog.containers()) {
            long count = there.contains(container.rid()) ? 0 : itemCount(container);
            if (count > 0) {
                LOG.warn(
                        "Container {} with {} items is not known in epoch {}; they are put aside",
                        container.ownerPath(),
                        count,
                        shipment.version().epoch());
                salvage.keep(container, each -> items(container, each));
                items += count;
            }
        }
        return items;
    }

    private long itemCount(Container container) {
        return container.ranges().live().stream()
                .mapToLong(range -> partitions
                        .resolve(container.number(), range.id())
                        .state()
                        .items())
                .sum();
    }

    private void items(Container container, Consumer<ItemText> each) {
        for (var range : container.ranges().live()) {
            try (var snapshot =
                            partitions.resolve(container.number(), range.id()).snapshot();
                    var cursor = snapshot.scan(KeyRange.prefix(KeySpace.ITEM.start()), Direction.FORWARD)) {
                while (cursor.next()) {
                    each.accept(StoredItem.decode(cursor.value()).text());
                }
            }
        }
    }

    private void splitAlike(Container here, Container theirs) {
        var byParent = new LinkedHashMap<Range, List<Range>>();
        for (var range : theirs.ranges().live()) {
            var parent = here.ranges().live().stream()
                    .filter(live -> range.parents().contains(live.id()))
                    .findFirst();
            parent.ifPresent(found ->
                    byParent.computeIfAbsent(found, same -> new ArrayList<>()).add(range));
        }
        byParent.forEach((parent, children) -> {
            var parts = new LinkedHashMap<Integer, EpkRange>();
            children.forEach(child -> parts.put(child.id(), child.epks()));
            partitions.split(
                    here.number(),
                    parent.id(),
                    new RowPlace(here.definition().partitionKey()),
                    parts,
                    Shipment.follower(() -> find(here.number()).orElseThrow()),
                    () -> catalog.note(edit -> {
                        var now = edit.findContainer(here.rid()).orElseThrow();
                        edit.put(now.withRanges(replaced(now.ranges(), parent, children, theirs.ranges())));
                        return null;
                    }));
            LOG.info("Split range {} of {} as elsewhere", parent.name(), here.ownerPath());
            later.accept(() -> partitions.drop(here.number(), parent.id()));
        });
    }

    private static Ranges replaced(Ranges now, Range parent, List<Range> children, Ranges theirs) {
        var live = new ArrayList<>(now.live());
        live.remove(parent);
        live.addAll(children);
        return new Ranges(live, theirs.version(), theirs.nextId());
    }

    /**
     * Applies what another copy told of a range; the promise is kept when it is durable. A copy that is too far behind is
     * emptied and begins anew.
     */
    public CompletableFuture<Void> apply(RangeNews news) {
        var container = find(news.range().container());
        if (container.isEmpty() || !has(news.range())) {
            return CompletableFuture.completedFuture(null); // It has been deleted or split meanwhile.
        }
        var partition = partition(news.range());
        long here = partition.lsn();
        if (here < news.forgottenLsn()) {
            // Of what was forgotten since it began, also while it was being made, nobody can tell it the deletes.
            if (here > PartitionState.EMPTY.lsn()
                    && news.forgottenLsn() > partition.state().forgottenLsn()) {
                LOG.info("This copy of {} is too far behind and is made anew", news.range());
                empty(news.range(), news.lsn());
                return CompletableFuture.completedFuture(null);
            }
            if (!partition.isIncomplete()) {
                partition.beginCopy(news.lsn());
            }
            partition.forget(news.forgottenLsn(), news.forgottenSecond());
        }
        if (!news.epochs().equals(partition.epochs())) {
            partition.enter(news.epochs());
        }
        return news.shipment().apply(partition, container.get());
    }

    /** What this copy of a range has behind an LSN, in the order in which it was made. */
    public List<LostChange> changesBehind(RangeId range, long lsn) {
        var lost = new ArrayList<LostChange>();
        var partition = partition(range);
        long epoch = partition.epochs().last();
        try (var snapshot = partition.snapshot()) {
            for (var bundle : Shipment.read(snapshot, lsn, Integer.MAX_VALUE).bundles()) {
                for (ShippedChange change : bundle.changes()) {
                    lost.add(new LostChange(
                            range, epoch, bundle.lsn(), change.sequence(), change.entry(), change.item()));
                }
            }
        }
        return lost;
    }

    /**
     * Keeps changes that another region had and lost as conflicts of their containers, each once.
     *
     * @param region where they were made
     */
    public void keepLost(String region, List<LostChange> changes, long nowSecond) {
        catalog.change(edit -> {
            changes.forEach(change -> find(change.range().container())
                    .ifPresent(container -> LostConflict.keep(edit, container, region, change, nowSecond)));
            return null;
        });
    }

    /**
     * Forgets everything a range holds, so that it is made anew from another copy.
     *
     * @param completeLsn up to where that must have come before anyone may read it
     */
    public void empty(RangeId range, long completeLsn) {
        partitions.dropSettled(range.container(), range.range());
        partition(range).beginCopy(completeLsn);
    }

    // ---- who takes the writes ----

    public boolean takesWrites() {
        return right.isHeld();
    }

    /** From the return of this on no change is made here; what was let in before is committed. */
    public void stepDown(String reason) {
        right.withdraw(reason);
        drain();
    }

    /** Returns when everything is committed that was let in before. */
    public void drain() {
        catalog.note(edit -> null); // Behind a change that is under way.
        partitions.drain();
    }

    /** Takes up writing, in an epoch of its own. */
    public void stepUp(long epoch) {
        for (var range : ranges()) {
            var partition = partition(range);
            if (partition.epochs().last() < epoch) {
                partition.begin(epoch);
            }
        }
        if (catalog.place().epoch() < epoch) {
            catalog.enter(epoch);
        }
        right.grant();
        roleChanged.run();
    }

    private Optional<Container> find(int number) {
        return catalog.containers().stream()
                .filter(container -> container.number() == number)
                .findFirst();
    }

    private Partition partition(RangeId range) {
        return partitions.resolve(range.container(), range.range());
    }

    /** How many items each range holds, for those who compare copies. */
    public Map<RangeId, Long> itemCounts() {
        var counts = new LinkedHashMap<RangeId, Long>();
        ranges().forEach(range -> counts.put(range, partition(range).state().items()));
        return counts;
    }
}
