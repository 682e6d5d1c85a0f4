package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import dev.orrery.store.Await;

/** Looks at how many posts the feed has, again and again from a thread of its own, whatever else happens meanwhile. */
final class FeedWatch implements AutoCloseable {
    private static final int LOOK_AGAIN_MILLIS = 5;

    private final CosmosContainer feed;
    private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::watch);
    private volatile boolean stopped;
    private volatile int most;
    private volatile RuntimeException failure;

    private FeedWatch(CosmosContainer feed) {
        this.feed = feed;
    }

    static FeedWatch start(CosmosDatabase database) {
        var watch = new FeedWatch(database.getContainer(BlogSchema.FEED));
        watch.thread.start();
        return watch;
    }

    /** Looks for the last time, and tells the largest number of posts there ever was. */
    int stop() {
        close();
        if (failure != null) {
            throw failure;
        }
        return Math.max(most, count());
    }

    private void watch() {
        while (!stopped) {
            try {
                most = Math.max(most, count());
            } catch (CosmosException _) {
                // The server may be down for a while.
            } catch (RuntimeException unexpected) {
                failure = unexpected;
                return;
            }
            Await.pause(LOOK_AGAIN_MILLIS, "others need the processor");
        }
    }

    /** In one operation: over several pages, posts that come and go would be counted although they never met. */
    private int count() {
        var query = Queries.query("SELECT VALUE COUNT(1) FROM f");
        return new Meter().query(feed, Post.TYPE, query, Integer.class).getFirst();
    }

    @Override
    public void close() {
        stopped = true;
        try {
            if (!thread.join(Await.PATIENCE)) {
                throw new IllegalStateException("the feed could not be looked at for " + Await.PATIENCE);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
