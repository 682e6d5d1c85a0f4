package dev.orrery.engine.resource;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.feed.Shipment;
import dev.orrery.engine.key.RowPlace;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.key.EpkRange;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a container more ranges by splitting those it has, in the background. */
public final class Growth {
    private static final Logger LOG = LoggerFactory.getLogger(Growth.class);

    // Reads that found their range before a split may still be under way; none lasts that long.
    public static final int DROP_DELAY_SECONDS = 30;

    private final Catalog catalog;
    private final Partitions partitions;
    private final InstantSource clock;
    private final Executor workers;
    private final ScheduledExecutorService timer;
    private final Map<Rid, CompletableFuture<Void>> running = new ConcurrentHashMap<>();

    public Growth(
            Catalog catalog,
            Partitions partitions,
            InstantSource clock,
            Executor workers,
            ScheduledExecutorService timer) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.clock = clock;
        this.workers = workers;
        this.timer = timer;
    }

    /** Splits until the container has so many ranges; the future ends when it has. One growth at a time. */
    public CompletableFuture<Void> grow(Rid container, int rangesWanted) {
        if (partitions.writers().isPresent()) {
            return CompletableFuture.completedFuture(
                    null); // What each region keeps beside a range is not split with it.
        }
        var growth = running.compute(container, (rid, before) -> {
            var start = before == null ? CompletableFuture.<Void>completedFuture(null) : before;
            return start.handle((done, problem) -> null)
                    .thenRunAsync(() -> splitUntil(rid, rangesWanted), workers)
                    .whenComplete((done, problem) -> {
                        if (problem != null) {
                            LOG.error("Splitting ranges of container {} failed", rid, problem);
                        }
                    });
        });
        // Not inside compute: what has ended already would be removed there before it is put in.
        return growth.whenComplete((done, problem) -> running.remove(container, growth));
    }

    public boolean isGrowing(Rid container) {
        return running.containsKey(container);
    }

    private void splitUntil(Rid rid, int rangesWanted) {
        for (var container = resolve(rid); container.ranges().live().size() < rangesWanted; container = resolve(rid)) {
            split(container, container.ranges().widest());
        }
    }

    private void split(Container container, Range parent) {
        var children = container
                .ranges()
                .halves(
                        parent,
                        container.definition().partitionKey(),
                        clock.instant().getEpochSecond());
        var parts = new LinkedHashMap<Integer, EpkRange>();
        children.forEach(child -> parts.put(child.id(), child.epks()));
        partitions.split(
                container.number(),
                parent.id(),
                new RowPlace(container.definition().partitionKey()),
                parts,
                Shipment.follower(() -> resolve(container.rid())),
                () -> catalog.change(edit -> {
                    var now = edit.findContainer(container.rid()).orElseThrow(() -> gone(container.rid()));
                    edit.put(now.withRanges(now.ranges().replace(parent, children)));
                    return null;
                }));
        LOG.info("Split range {} of {} in two", parent.name(), container.ownerPath());
        var _ = timer.schedule(
                () -> partitions.drop(container.number(), parent.id()), DROP_DELAY_SECONDS, TimeUnit.SECONDS);
    }

    private Container resolve(Rid rid) {
        return catalog.findContainer(rid).orElseThrow(() -> gone(rid));
    }

    private static FailureException gone(Rid rid) {
        return new FailureException(new Failure.OwnerNotFound("Container " + rid + " does not exist any more."));
    }
}
