package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.partition.Bites;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes the items of a container anew after its indexing policy has changed, in small bites through the lanes, so that
 * reads and writes go on meanwhile. What was begun is begun again after a restart.
 */
public final class IndexRebuild implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IndexRebuild.class);
    private static final int COMPLETE_PERCENT = 100;

    private final Catalog catalog;
    private final Router router;
    private final Executor workers;
    private final Map<Rid, Progress> running = new ConcurrentHashMap<>();
    private final Map<PartitionId, Container> rebuilt = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /** How many items of how many have been done. */
    private static final class Progress {
        private final AtomicLong itemsDone = new AtomicLong();
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private volatile long items = 1;

        int percent() {
            // Not complete before the container says so.
            return (int) Math.min(COMPLETE_PERCENT - 1L, itemsDone.get() * COMPLETE_PERCENT / Math.max(1, items));
        }
    }

    public IndexRebuild(Catalog catalog, Router router, Executor workers) {
        this.catalog = catalog;
        this.router = router;
        this.workers = workers;
    }

    /** How far the index of a container is what its policy says. */
    public int percent(Container container) {
        if (container.superseded().isEmpty()) {
            return COMPLETE_PERCENT;
        }
        var progress = running.get(container.rid());
        return progress == null ? 0 : progress.percent();
    }

    /** Begins with every container that needs it, and that nobody is at work on. */
    public void startDue() {
        catalog.containers().stream()
                .filter(container -> !container.superseded().isEmpty())
                .forEach(container -> start(container.rid()));
    }

    public void start(Rid container) {
        var progress = new Progress();
        if (stopped || running.putIfAbsent(container, progress) != null) {
            return;
        }
        try {
            workers.execute(() -> run(container, progress));
        } catch (RejectedExecutionException ending) {
            end(container, progress);
        }
    }

    private void end(Rid container, Progress progress) {
        running.remove(container);
        progress.end.complete(null);
    }

    /** Ends what is under way after the bite at hand. */
    public void stop() {
        stopped = true;
    }

    /** Waits until nothing is under way. */
    @Override
    public void close() {
        stop();
        running.values().forEach(progress -> progress.end.join());
    }

    private void run(Rid rid, Progress progress) {
        try {
            for (var due = due(rid); due.isPresent() && !stopped; due = due(rid)) {
                rebuild(due.get(), progress);
            }
        } catch (RuntimeException problem) {
            // The container may just have been deleted or split; whatever was left undone is due again next time.
            LOG.debug("Indexing container {} anew stopped early", rid, problem);
        } finally {
            end(rid, progress);
        }
    }

    private Optional<Container> due(Rid rid) {
        return catalog.findContainer(rid)
                .filter(container -> !container.superseded().isEmpty());
    }

    private void rebuild(Container container, Progress progress) {
        LOG.info("The indexing policy of {} has changed; its items are being indexed anew", container.ownerPath());
        var routes = container.ranges().live().stream()
                .flatMap(range -> router.copies(container, range).stream())
                .toList();
        progress.itemsDone.set(0);
        progress.items = routes.stream()
                .mapToLong(route -> route.partition().state().items())
                .sum();
        rebuildEach(container, routes, progress);
        boolean done = !stopped
                && catalog.note(edit -> {
                    var now = edit.findContainer(container.rid())
                            // A policy that has changed and changed back left some items indexed by the one between.
                            .filter(same -> same.definition().equals(container.definition())
                                    && same.superseded().equals(container.superseded())
                                    && same.ranges().equals(container.ranges()));
                    now.ifPresent(same -> edit.put(same.withIndexRebuilt()));
                    return now.isPresent();
                });
        if (done) {
            routes.forEach(route -> rebuilt.remove(route.partition().id()));
            LOG.info("All items of {} are indexed as its policy says", container.ownerPath());
        }
    }

    /** One range that fails stops none of the others. */
    private void rebuildEach(Container container, List<Route> routes, Progress progress) {
        RuntimeException failure = null;
        for (var route : routes) {
            try {
                if (isRebuilt(container, route)) {
                    progress.itemsDone.addAndGet(route.partition().state().items());
                } else {
                    rebuild(route, progress);
                    noteRebuilt(container, route);
                }
            } catch (RuntimeException problem) {
                failure = problem;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether it was done when a range beside it could not be. */
    private boolean isRebuilt(Container container, Route route) {
        var before = rebuilt.get(route.partition().id());
        return before != null
                && before.definition().equals(container.definition())
                && before.superseded().equals(container.superseded());
    }

    private void noteRebuilt(Container container, Route route) {
        if (!stopped) {
            rebuilt.put(route.partition().id(), container);
        }
    }

    private void rebuild(Route route, Progress progress) {
        // Whatever began before the policy changed is committed behind this, and so in the snapshot.
        route.partition().submitUpkeep(unit -> null).join();
        try (var snapshot = route.partition().snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(KeySpace.ITEM.start()), Direction.FORWARD)) {
            var bite = new ArrayList<ItemKey>();
            while (!stopped && cursor.next()) {
                bite.add(ItemKey.decode(cursor.key()));
                if (bite.size() == Limits.SWEEP_BITE_ROWS) {
                    swallow(route, bite, progress);
                    bite = new ArrayList<>();
                }
            }
            swallow(route, bite, progress);
        }
    }

    private void swallow(Route route, List<ItemKey> bite, Progress progress) {
        Bites.swallow(
                bite,
                keys -> route.partition().submitUpkeep(unit -> {
                    catalog.findContainer(route.container().rid())
                            .ifPresent(now -> keys.forEach(key -> ItemRows.reindex(unit, now, key)));
                    return null;
                }));
        progress.itemsDone.addAndGet(bite.size());
    }
}
