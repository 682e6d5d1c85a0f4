package dev.orrery.engine.view;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.feed.LogWalk;
import dev.orrery.engine.item.Items;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.key.ViewProgress;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.Partitions.Watch;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.sql.ViewQuery;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps all views up to date, each range of a source for itself and as soon as something is committed to it. */
public final class Views implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Views.class);

    private final Catalog catalog;
    private final Partitions partitions;
    private final Router router;
    private final Items items;
    private final WriteRight right;
    private final InstantSource clock;
    private final Executor workers;
    private final MemoryBudget memory;
    private final Map<Follower, Following> followings = new ConcurrentHashMap<>();
    private final Map<Integer, Watch> watches = new HashMap<>();
    private volatile boolean stopped;

    /** One view and one range of its source, all by their numbers. */
    private record Follower(int view, int source, int range) {}

    /** How far a view is behind its source; {@code seconds} is the age of the first change that it lacks. */
    public record Lag(String view, String source, long changes, long seconds) {}

    public Views(
            Catalog catalog,
            Partitions partitions,
            Router router,
            Items items,
            WriteRight right,
            InstantSource clock,
            Executor workers,
            MemoryBudget memory) {
        this.memory = memory;
        this.catalog = catalog;
        this.partitions = partitions;
        this.router = router;
        this.items = items;
        this.right = right;
        this.clock = clock;
        this.workers = workers;
    }

    /** Takes up what a view has left behind that was deleted just before the last stop of the server. */
    public void resume() {
        for (var source : catalog.containers()) {
            for (var range : source.ranges().live()) {
                rememberedBy(router.route(source, range).partition())
                        .forEach(view -> follow(new Follower(view, source.number(), range.id())));
            }
        }
        startDue();
    }

    private static List<Integer> rememberedBy(Partition partition) {
        var views = new ArrayList<Integer>();
        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(KeySpace.VIEW_PROGRESS.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                views.add(ViewKeys.view(cursor.key()));
            }
        }
        return views;
    }

    /** Follows every range of every source, also those that there were not the last time. */
    public synchronized void startDue() {
        if (stopped) {
            return;
        }
        var sources = new HashSet<Integer>();
        for (var view : catalog.containers()) {
            source(view).ifPresent(source -> {
                sources.add(source.number());
                watches.computeIfAbsent(
                        source.number(), number -> partitions.watch(number, () -> wakeFollowersOf(number)));
                source.ranges()
                        .live()
                        .forEach(range -> follow(new Follower(view.number(), source.number(), range.id())));
            });
        }
        watches.entrySet().removeIf(watch -> {
            boolean idle = !sources.contains(watch.getKey());
            if (idle) {
                watch.getValue().close();
            }
            return idle;
        });
        followings.values().forEach(Following::wake);
    }

    private void follow(Follower follower) {
        followings.computeIfAbsent(follower, Following::new);
    }

    private void wakeFollowersOf(int source) {
        followings.forEach((follower, following) -> {
            if (follower.source() == source) {
                following.wake();
            }
        });
    }

    private Optional<Container> source(Container view) {
        return view.definition().view().isEmpty()
                ? Optional.empty()
                : catalog.containers().stream().filter(view::isViewOf).findFirst();
    }

    private Optional<Container> container(int number) {
        return catalog.containers().stream()
                .filter(container -> container.number() == number)
                .findFirst();
    }

    /** Whether a view has come to have all that its source has, once since it was made or the server was started. */
    public boolean isBuilt(Container view) {
        return source(view)
                .map(source -> source.ranges().live().stream()
                        .map(range -> followings.get(new Follower(view.number(), source.number(), range.id())))
                        .allMatch(following -> following != null && following.drained))
                .orElse(false);
    }

    /** How far each view is behind. */
    public List<Lag> lags() {
        var lags = new ArrayList<Lag>();
        for (var view : catalog.containers()) {
            source(view).ifPresent(source -> lags.add(lag(view, source)));
        }
        return lags;
    }

    private Lag lag(Container view, Container source) {
        long changes = 0;
        long oldest = Long.MAX_VALUE;
        for (var range : source.ranges().live()) {
            var partition = router.route(source, range).partition();
            try (var snapshot = partition.snapshot()) {
                long progress = ViewProgress.reached(
                        snapshot.get(ViewKeys.progress(view.number())),
                        partition.epochs().last());
                try (var walk = new LogWalk(
                        snapshot, progress, PartitionState.of(snapshot).lsn())) {
                    while (changes < Limits.VIEW_LAG_COUNTED_MAX && walk.next()) {
                        oldest = Math.min(oldest, walk.entry().second());
                        changes++;
                    }
                }
            }
        }
        long seconds = changes == 0 ? 0 : Math.max(0, clock.instant().getEpochSecond() - oldest);
        return new Lag(view.ownerPath(), source.ownerPath(), changes, seconds);
    }

    /** Begins nothing any more. */
    public synchronized void stop() {
        stopped = true;
        watches.values().forEach(Watch::close);
        watches.clear();
    }

    /** Waits until nothing is under way. */
    @Override
    public void close() {
        stop();
        followings.values().forEach(Following::await);
    }

    /** The work of one follower, which at most one thread does at a time. */
    private final class Following {
        private final Follower follower;
        private final AtomicInteger calls = new AtomicInteger();
        private final Object ended = new Object();
        private volatile boolean drained;
        private volatile ViewQuery query;
        /** In which this region is known to keep the view. */
        private volatile long epoch = Long.MIN_VALUE;

        Following(Follower follower) {
            this.follower = follower;
        }

        void wake() {
            if (calls.getAndIncrement() == 0) {
                try {
                    workers.execute(this::work);
                } catch (RejectedExecutionException ending) {
                    end(calls.get());
                }
            }
        }

        private void work() {
            int heard;
            do {
                heard = calls.get();
                try {
                    // Where another region takes the writes, that one keeps the views.
                    while (!stopped && right.isHeld() && step()) {
                        // Until there is nothing left to do.
                    }
                    drained = !stopped;
                } catch (RuntimeException | Error problem) { // An Error as well: it must be woken again.
                    // The view or its source may just have been deleted or split: what is undone is due again soon.
                    LOG.debug("Keeping a view up to date stopped early", problem);
                }
            } while (end(heard) > 0);
        }

        private int end(int heard) {
            synchronized (ended) {
                ended.notifyAll();
                return calls.addAndGet(-heard);
            }
        }

        void await() {
            synchronized (ended) {
                while (calls.get() > 0) {
                    try {
                        ended.wait();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                }
            }
        }

        /** False when there is nothing to do. */
        private boolean step() {
            var source = container(follower.source());
            var range = source.flatMap(found -> found.ranges().live().stream()
                    .filter(live -> live.id() == follower.range())
                    .findFirst());
            if (range.isEmpty()) {
                followings.remove(follower);
                return false;
            }
            return step(source.get(), range.get());
        }

        private boolean step(Container source, Range range) {
            var route = router.route(source, range);
            var view = container(follower.view());
            if (view.isEmpty()) {
                return forget(route.partition());
            }
            if (query == null) {
                // A view has its query for life, and this is asked at every commit.
                query = ViewQuery.of(
                        view.get().definition().view().orElseThrow().query());
            }
            long now = route.partition().epochs().last();
            if (now != epoch) {
                new ViewTakeover(view.get(), route, router).runIfDue();
                epoch = now;
            }
            return new ViewStep(view.get(), route, query, clock.instant().getEpochSecond(), router, items, memory)
                    .run();
        }

        /** Removes what is left beside the source of a view that is gone; false when nothing is. */
        private boolean forget(Partition partition) {
            var rows = new ArrayList<byte[]>();
            try (var snapshot = partition.snapshot();
                    var cursor = snapshot.scan(ViewKeys.allPlaces(follower.view()), Direction.FORWARD)) {
                while (rows.size() < Limits.TRIM_BITE_CHANGES && cursor.next()) {
                    rows.add(cursor.key());
                }
            }
            boolean last = rows.size() < Limits.TRIM_BITE_CHANGES;
            partition
                    .submitNote(unit -> {
                        rows.forEach(unit::delete);
                        if (last) {
                            unit.delete(ViewKeys.progress(follower.view()));
                        }
                        return null;
                    })
                    .join();
            if (last) {
                followings.remove(follower);
            }
            return !last;
        }
    }
}
