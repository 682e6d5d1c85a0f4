package dev.orrery.engine.feed;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.ShippedChange;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.partition.Partition;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The changes of a range after some LSN, for another copy of it.
 *
 * <p>What the log has forgotten is not told: of items that changed often, only the latest version. So a copy that begins
 * from nothing is not as the range ever was before it has come to {@link #completeLsn}.
 *
 * @param bundles ascending
 * @param completeLsn nothing is left out up to here but what the log has forgotten
 * @param completeSecond no change up to there is later
 */
public record Shipment(List<Bundle> bundles, long completeLsn, long completeSecond) {

    public Shipment {
        bundles = List.copyOf(bundles);
    }

    /** What happened under one LSN. */
    public record Bundle(long lsn, long second, List<ShippedChange> changes) {
        public Bundle {
            changes = List.copyOf(changes);
        }
    }

    /** Reads on from an LSN, so many changes or a few more: those of one LSN stay together. */
    public static Shipment read(Snapshot snapshot, long afterLsn, int changesMax) {
        var state = PartitionState.of(snapshot);
        var bundles = new ArrayList<Bundle>();
        int count = 0;
        try (var walk = new LogWalk(snapshot, afterLsn, state.lsn())) {
            boolean more = walk.next();
            while (more && count < changesMax) {
                long lsn = walk.place().lsn();
                long second = walk.entry().second();
                var changes = new ArrayList<ShippedChange>();
                while (more && walk.place().lsn() == lsn) {
                    find(snapshot, walk.place(), walk.entry()).ifPresent(changes::add);
                    count++;
                    more = walk.next();
                }
                bundles.add(new Bundle(lsn, second, changes));
            }
            return more
                    ? new Shipment(
                            bundles, bundles.getLast().lsn(), bundles.getLast().second())
                    : new Shipment(bundles, state.lsn(), state.second());
        }
    }

    /** Empty for a change whose version the log has forgotten. */
    private static Optional<ShippedChange> find(Snapshot snapshot, LogKey place, LogEntry entry) {
        if (entry.change().isEnd()) {
            return Optional.of(new ShippedChange(place.sequence(), entry, Optional.empty()));
        }
        return Optional.ofNullable(snapshot.get(entry.item().bytes()))
                .map(StoredItem::decode)
                .filter(live -> LogKey.of(live).equals(place))
                .or(() -> Optional.ofNullable(snapshot.get(VersionKey.encode(place)))
                        .map(StoredItem::decode))
                .map(item -> new ShippedChange(place.sequence(), entry, Optional.of(item)));
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
                intact.set(true);
                return null;
            }));
        }
        return CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new))
                .thenCompose(_ -> completeLsn > copy.lsn()
                        ? copy.<Void>submitGiven(completeLsn, completeSecond, unit -> null)
                                .thenApply(done -> done.result())
                        : CompletableFuture.completedFuture(null));
    }
}
