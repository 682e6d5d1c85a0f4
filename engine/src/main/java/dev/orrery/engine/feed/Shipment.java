package dev.orrery.engine.feed;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.ShippedChange;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.partition.Follower;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Limits;
import dev.orrery.model.key.EpkRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The changes of a range after some LSN, for another copy of it.
 *
 * <p>What the log has forgotten is not told: of items that changed often, only the latest version. So a copy that begins
 * from nothing is not as the range ever was before it has come to {@link #completeLsn}.
 *
 * @param bundles ascending
 * @param completeLsn nothing is left out up to here but what the log has forgotten
 * @param completeSecond no change up to there is later
 * @param documents how many document numbers were drawn; also for items that are gone
 * @param frontier up to where the writes of each region are settled; told only where nothing is left to tell
 */
public record Shipment(
        List<Bundle> bundles,
        long completeLsn,
        long completeSecond,
        long documents,
        SortedMap<Integer, LogKey> frontier) {

    public Shipment {
        bundles = List.copyOf(bundles);
        frontier = Collections.unmodifiableSortedMap(new TreeMap<>(frontier));
    }

    /** With no word of what is settled. */
    public Shipment(List<Bundle> bundles, long completeLsn, long completeSecond, long documents) {
        this(bundles, completeLsn, completeSecond, documents, Collections.emptySortedMap());
    }

    /** What happened under one LSN. */
    public record Bundle(long lsn, long second, List<ShippedChange> changes) {
        public Bundle {
            changes = List.copyOf(changes);
        }
    }

    /** Reads on from an LSN, so many changes or a few more: those of one LSN stay together. */
    public static Shipment read(Snapshot snapshot, long afterLsn, int changesMax) {
        return read(snapshot, afterLsn, changesMax, Long.MAX_VALUE);
    }

    /** The same, up to so many bytes of items or a few more. */
    public static Shipment read(Snapshot snapshot, long afterLsn, int changesMax, long bytesMax) {
        var state = PartitionState.of(snapshot);
        var bundles = new ArrayList<Bundle>();
        int count = 0;
        long bytes = 0;
        try (var walk = new LogWalk(snapshot, afterLsn, state.lsn())) {
            boolean more = walk.next();
            while (more && count < changesMax && bytes < bytesMax) {
                long lsn = walk.place().lsn();
                long second = walk.entry().second();
                var changes = new ArrayList<ShippedChange>();
                while (more && walk.place().lsn() == lsn) {
                    var found = find(snapshot, walk.place(), walk.entry());
                    found.ifPresent(changes::add);
                    bytes += found.flatMap(ShippedChange::item)
                            .map(StoredItem::sizeBytes)
                            .orElse(0);
                    count++;
                    more = walk.next();
                }
                bundles.add(new Bundle(lsn, second, changes));
            }
            return more
                    ? new Shipment(
                            bundles, bundles.getLast().lsn(), bundles.getLast().second(), state.documents())
                    : new Shipment(bundles, state.lsn(), state.second(), state.documents());
        }
    }

    /** Empty for a change whose version the log has forgotten. */
    private static Optional<ShippedChange> find(Snapshot snapshot, LogKey place, LogEntry entry) {
        if (entry.change().isEnd()) {
            return Optional.of(new ShippedChange(place.sequence(), entry, Optional.empty(), Optional.empty()));
        }
        return Optional.ofNullable(snapshot.get(entry.item().bytes()))
                .map(StoredItem::decode)
                .filter(live -> LogKey.of(live).equals(place))
                .or(() -> Optional.ofNullable(snapshot.get(VersionKey.encode(place)))
                        .map(StoredItem::decode))
                .map(item -> new ShippedChange(place.sequence(), entry, Optional.of(item), owner(snapshot, entry)));
    }

    private static Optional<ItemKey> owner(Snapshot snapshot, LogEntry entry) {
        return Optional.ofNullable(snapshot.get(ViewKeys.owner(entry.item()))).map(ItemKey::decode);
    }

    /** Has the children of a range that is split do what their container's log tells, with the container as it is now. */
    public static Follower follower(Supplier<Container> container) {
        return (source, afterLsn, children) -> {
            var shipment = read(source, afterLsn, Limits.SPLIT_BITE_CHANGES, Limits.SPLIT_BITE_BYTES);
            var now = container.get();
            children.forEach(
                    (epks, child) -> shipment.within(epks).apply(child, now).join());
            return shipment.completeLsn();
        };
    }

    /** With up to where the writes of each region are settled at the LSN that it is complete to. */
    public Shipment withFrontier(SortedMap<Integer, LogKey> settled) {
        return new Shipment(bundles, completeLsn, completeSecond, documents, settled);
    }

    /** What concerns a part of the key space. */
    private Shipment within(EpkRange epks) {
        var parts = new ArrayList<Bundle>();
        for (var bundle : bundles) {
            var changes = bundle.changes().stream()
                    .filter(change -> epks.contains(change.entry().item().epk()))
                    .toList();
            if (!changes.isEmpty()) {
                parts.add(new Bundle(bundle.lsn(), bundle.second(), changes));
            }
        }
        return new Shipment(parts, completeLsn, completeSecond, documents, frontier);
    }

    /** Makes the same changes in another copy; the promise is kept when all are durable there. */
    public CompletableFuture<Void> apply(Partition copy, Container container) {
        var pending = new ArrayList<CompletableFuture<?>>();
        // They run one after another, and what comes behind one that failed must not be there without it.
        var intact = new AtomicBoolean(true);
        for (var bundle : bundles) {
            pending.add(copy.submitGiven(bundle.lsn(), bundle.second(), unit -> {
                if (!intact.getAndSet(false)) {
                    throw new IllegalStateException("A change before this one failed");
                }
                bundle.changes().forEach(change -> change.apply(unit, container));
                unit.passCount(documents);
                intact.set(true);
                return null;
            }));
        }
        return CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new))
                .thenCompose(_ -> completeLsn > copy.lsn()
                        ? copy.<Void>submitGiven(completeLsn, completeSecond, this::complete)
                                .thenApply(done -> done.result())
                        : frontier.isEmpty() && documents <= copy.state().documents()
                                ? CompletableFuture.completedFuture(null)
                                : copy.<Void>submitNote(this::complete).thenApply(done -> done.result()));
    }

    private Void complete(Unit unit) {
        unit.passCount(documents);
        frontier.forEach((slot, place) -> ShippedChange.raise(unit, slot, place));
        return null;
    }
}
