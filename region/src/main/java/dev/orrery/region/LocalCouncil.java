package dev.orrery.region;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A council without votes: the charter changes by hand only, and regions tell it to each other with everything they say. A
 * later one wins, and one of a later epoch in any case. It cannot know whether the write region is lost, so it never names another by itself.
 */
public final class LocalCouncil implements Council {
    private final String me;
    private final Consumer<Charter> keep;
    private final List<Consumer<Charter>> watchers = new CopyOnWriteArrayList<>();
    private volatile Charter charter;

    /** @param keep makes a charter durable */
    public LocalCouncil(String me, Charter charter, Consumer<Charter> keep) {
        this.me = me;
        this.charter = charter;
        this.keep = keep;
    }

    @Override
    public Charter charter() {
        return charter;
    }

    @Override
    public synchronized CompletionStage<Charter> change(Charter next) {
        return next.version() == charter.version() + 1 && adopt(next)
                ? CompletableFuture.completedStage(next)
                : CompletableFuture.failedStage(new CharterChangedException(
                        "Charter " + next.version() + " comes too late: " + charter.version() + " is in force."));
    }

    @Override
    public synchronized boolean adopt(Charter other) {
        if (!other.isLaterThan(charter)) {
            return false;
        }
        keep.accept(other);
        charter = other;
        watchers.forEach(watcher -> watcher.accept(other));
        return true;
    }

    @Override
    public void watch(Consumer<Charter> watcher) {
        watchers.add(watcher);
    }

    @Override
    public boolean isLeased() {
        return charter.writeRegion().equals(me);
    }

    @Override
    public void close() {}
}
