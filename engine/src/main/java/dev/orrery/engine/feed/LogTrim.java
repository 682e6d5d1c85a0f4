package dev.orrery.engine.feed;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.Confirmed;
import dev.orrery.engine.key.Expired;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.key.ViewProgress;
import dev.orrery.engine.partition.Front;
import dev.orrery.engine.partition.LogReaders;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.model.Limits;
import dev.orrery.store.Snapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the log as long as all versions are to be kept, and beyond that one entry for each item that there is. A change
 * that has become old enough takes away what was left of the one before it, so nothing has to be searched for. One thread
 * calls it.
 */
public final class LogTrim {
    private static final Logger LOG = LoggerFactory.getLogger(LogTrim.class);

    private final Catalog catalog;
    private final Router router;
    private final InstantSource clock;
    private final Retention retention;
    private final WriteRight right;

    public LogTrim(Catalog catalog, Router router, InstantSource clock, Retention retention, WriteRight right) {
        this.catalog = catalog;
        this.router = router;
        this.clock = clock;
        this.retention = retention;
        this.right = right;
    }

    /** Does all that is due now. */
    public void trim() {
        for (var container : catalog.containers()) {
            for (var range : container.ranges().live()) {
                guarded(container, range, () -> {
                    var copies = router.copies(container, range);
                    noteClients(copies);
                    copies.forEach(copy -> guarded(container, range, () -> trim(container, copy)));
                });
            }
        }
    }

    private static void guarded(Container container, Range range, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException problem) {
            // The container may just have been deleted or split; what was left undone is due again next time.
            LOG.debug("Trimming the log of range {} of {} stopped early", range.name(), container.ownerPath(), problem);
        }
    }

    /**
     * What is settled is kept until clients of this region have been told all of it. How far they are is stored, so this
     * holds from the start on.
     */
    private static void noteClients(List<Route> copies) {
        for (var copy : copies) {
            copy.partition()
                    .front()
                    .map(Front::reached)
                    .filter(Confirmed::isComplete)
                    .ifPresent(reached -> copies.stream()
                            .map(Route::partition)
                            .filter(partition -> partition.front().isEmpty())
                            .forEach(settled -> settled.readers().note(LogReaders.CLIENTS, reached.lsn())));
        }
    }

    private void trim(Container container, Route route) {
        long horizon = clock.instant().getEpochSecond()
                - retention.of(container.definition()).toSeconds();
        var partition = route.partition();
        if (partition.isIncomplete()) {
            return; // It has been told that more is forgotten than has come to it yet.
        }
        try (var snapshot = partition.snapshot();
                var walk = new LogWalk(
                        snapshot, partition.state().forgottenLsn(), seenByAll(container, partition, snapshot))) {
            var bite = new Bite();
            while (walk.next() && walk.entry().second() < horizon) {
                if (bite.isFull() && walk.place().lsn() != bite.lsn) {
                    swallow(route, bite);
                    bite = new Bite();
                }
                bite.add(walk);
            }
            if (bite.lsn > 0) {
                swallow(route, bite);
            }
        }
    }

    private long seenByAll(Container source, Partition partition, Snapshot snapshot) {
        var state = PartitionState.of(snapshot);
        long trimmable = partition.readers().trimmable(state.forgottenLsn(), state.lsn(), partition.epochs());
        long seen = Math.min(trimmable, seenByViews(source, partition, snapshot));
        // One who begins anew stands before what has been forgotten.
        return Math.max(seen, partition.state().forgottenLsn());
    }

    /**
     * No further than all views have come: one that never heard of a delete would keep the item for ever. Where another
     * region keeps them, this one is told of them as of any container.
     */
    private long seenByViews(Container source, Partition partition, Snapshot snapshot) {
        long epoch = partition.epochs().last();
        return catalog.containers().stream()
                .filter(container -> right.isHeld() && partition.front().isEmpty() && container.isViewOf(source))
                .mapToLong(view -> ViewProgress.reached(snapshot.get(ViewKeys.progress(view.number())), epoch))
                .min()
                .orElseGet(() -> PartitionState.of(snapshot).lsn());
    }

    private static void swallow(Route route, Bite bite) {
        route.partition()
                .submitUpkeep(unit -> {
                    bite.remove(unit);
                    return null;
                })
                .join();
    }

    /** What goes in one commit; the changes of a commit go together. */
    private static final class Bite {
        private final List<LogKey> superseded = new ArrayList<>();
        private final List<LogKey> ends = new ArrayList<>();
        private final Map<ItemKey, LogKey> expired = new HashMap<>();
        private int changes;
        private long lsn;
        private long second;

        void add(LogWalk walk) {
            walk.entry().previous().ifPresent(superseded::add);
            if (walk.entry().change().isEnd()) {
                ends.add(walk.place());
            }
            if (walk.entry().change() == Change.EXPIRE) {
                walk.entry()
                        .previous()
                        .ifPresent(place -> expired.put(walk.entry().item(), place));
            }
            changes++;
            lsn = walk.place().lsn();
            second = Math.max(second, walk.entry().second());
        }

        boolean isFull() {
            return changes >= Limits.TRIM_BITE_CHANGES;
        }

        void remove(Unit unit) {
            superseded.forEach(place -> {
                unit.deleteUnread(place.encode());
                unit.deleteUnread(VersionKey.encode(place));
            });
            ends.forEach(place -> unit.deleteUnread(place.encode()));
            if (unit.isOfSettledCopy()) {
                expired.forEach((item, place) -> forgetExpired(unit, item, place));
            }
            unit.forget(lsn, second);
        }

        private static void forgetExpired(Unit unit, ItemKey item, LogKey place) {
            var row = unit.get(Expired.rowKey(item));
            if (row != null && Expired.decode(row).equals(place)) {
                unit.delete(Expired.rowKey(item));
            }
        }
    }
}
