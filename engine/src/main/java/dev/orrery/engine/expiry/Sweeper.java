package dev.orrery.engine.expiry;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.item.ItemExpiry;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.ExpiryKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.partition.Bites;
import dev.orrery.engine.partition.Lane;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes items whose time to live has ended. It takes small bites through the lanes and waits for each, so that writers
 * in between are never kept long. One thread calls it.
 */
public final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    private final Catalog catalog;
    private final Router router;
    private final WriteRight right;
    private final InstantSource clock;
    // Up to where each partition is clean. What lies before is deleted, and walking over it again each time is slow.
    private final Map<PartitionId, Long> sweptSeconds = new HashMap<>();
    // What is redone while a range beside it could not be: once is enough.
    private final Map<PartitionId, ContainerDefinition> redone = new HashMap<>();

    public Sweeper(Catalog catalog, Router router, WriteRight right, InstantSource clock) {
        this.right = right;
        this.catalog = catalog;
        this.router = router;
        this.clock = clock;
    }

    /** Does all that is due now. */
    public void sweep() {
        for (var container : catalog.containers()) {
            if (container.expiryStale() && inEachRange(container, range -> redoEntries(container, range))) {
                noteRedone(container);
            }
            if (right.isHeld() && container.definition().defaultTtlSeconds().isPresent()) {
                inEachRange(container, range -> sweep(container, range));
            }
        }
    }

    /** Does something in each range, whatever becomes of the others; tells whether all of it could be done. */
    private static boolean inEachRange(Container container, Consumer<Range> work) {
        boolean all = true;
        for (var range : container.ranges().live()) {
            try {
                work.accept(range);
            } catch (RuntimeException problem) {
                // The container may just have been deleted or split; whatever was left undone is due again next time.
                LOG.debug("Sweeping range {} of {} stopped early", range.name(), container.ownerPath(), problem);
                all = false;
            }
        }
        return all;
    }

    private void sweep(Container container, Range range) {
        long now = clock.instant().getEpochSecond();
        var route = router.settled().route(container, range);
        long from = sweptSeconds.getOrDefault(route.partition().id(), 0L);
        var due = new KeyRange(ExpiryKey.after(from - 1), ExpiryKey.after(now));
        inBites(
                route,
                due,
                Partition::submit,
                (unit, key) -> ItemExpiry.expire(unit, container, ExpiryKey.decode(key)));
        sweptSeconds.put(route.partition().id(), now);
    }

    /** After the container's default changed, its items are due at other times. */
    private void redoEntries(Container container, Range range) {
        for (var route : router.copies(container, range)) {
            var id = route.partition().id();
            if (!container.definition().equals(redone.get(id))) {
                inBites(
                        route,
                        KeyRange.prefix(KeySpace.ITEM.start()),
                        Partition::submitUpkeep,
                        (unit, key) -> ItemExpiry.redo(unit, container, ItemKey.decode(key)));
                sweptSeconds.remove(id);
                redone.put(id, container.definition());
            }
        }
    }

    private void noteRedone(Container container) {
        redone.clear(); // It is rare enough that others begin anew as well.
        catalog.note(edit -> edit.findContainer(container.rid())
                .filter(now -> now.definition().equals(container.definition())
                        && now.ranges().equals(container.ranges()))
                .map(now -> {
                    edit.put(now.withExpiryRedone());
                    return now;
                }));
    }

    /** How a bite gets into the lane: as a change or as upkeep. */
    private interface Submission {
        CompletableFuture<?> submit(Partition partition, Lane.Work<Void> work);
    }

    private static void inBites(Route route, KeyRange rows, Submission submission, BiConsumer<Unit, byte[]> work) {
        try (var snapshot = route.partition().snapshot();
                var cursor = snapshot.scan(rows, Direction.FORWARD)) {
            var bite = new ArrayList<byte[]>();
            while (cursor.next()) {
                bite.add(cursor.key());
                if (bite.size() == Limits.SWEEP_BITE_ROWS) {
                    swallow(route, bite, submission, work);
                    bite = new ArrayList<>();
                }
            }
            swallow(route, bite, submission, work);
        }
    }

    private static void swallow(Route route, List<byte[]> bite, Submission submission, BiConsumer<Unit, byte[]> work) {
        Bites.swallow(
                bite,
                keys -> submission.submit(route.partition(), unit -> {
                    keys.forEach(key -> work.accept(unit, key));
                    return null;
                }));
    }
}
