package dev.orrery.bench.changes;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Asks for changes of each range in turn, and rests for a while when there were none at all. */
public final class PollingConsumer implements ChangeConsumer {
    private final KeepAliveConnection connection;
    private final List<RangeChanges> ranges;
    private final Duration pause;
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    private volatile boolean closed;

    public PollingConsumer(HttpContender orrery, String containerLink, Duration pause) {
        this.connection = new KeepAliveConnection(orrery.plain());
        this.ranges = RangeChanges.open(
                connection, new Requests(orrery.plain(), orrery.key()), containerLink, RangeChanges.Start.NOW);
        this.pause = pause;
        ranges.forEach(RangeChanges::next); // From the first answer on, there is a place to go on from.
    }

    public int ranges() {
        return ranges.size();
    }

    @Override
    public void start(Deliveries deliveries) {
        done = CompletableFuture.runAsync(
                () -> consume(deliveries), task -> Thread.ofPlatform().start(task));
    }

    private void consume(Deliveries deliveries) {
        while (!closed) {
            if (!poll(deliveries)) {
                rest();
            }
        }
    }

    /** Whether there was anything. */
    private boolean poll(Deliveries deliveries) {
        boolean any = false;
        for (var range : ranges) {
            var page = range.next();
            deliveries.arrived(page, System.nanoTime());
            any |= !page.isEmpty();
        }
        return any;
    }

    private void rest() {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a consumer", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            done.join();
        } catch (CompletionException e) {
            throw new BenchException("A consumer stopped: " + e.getCause(), e);
        } finally {
            connection.close();
        }
    }
}
