package dev.orrery.bench.regions;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Somebody who writes all the time, wherever writes are taken, and the longest time for which he could not. */
final class WriteGap implements AutoCloseable {
    private static final long PAUSE_MILLIS = 2;
    private static final int CREATED = 201;

    private final List<HttpContender> regions;
    private final String containerLink;
    private final LongSupplier numbers;
    private final CompletableFuture<Void> done;
    private volatile boolean closed;
    private long lastNanos = System.nanoTime();
    private long longestNanos;
    private long count;

    /** @param numbers of items that nobody has written */
    WriteGap(List<HttpContender> regions, String containerLink, LongSupplier numbers) {
        this.regions = List.copyOf(regions);
        this.containerLink = containerLink;
        this.numbers = numbers;
        done = CompletableFuture.runAsync(
                this::write, task -> Thread.ofPlatform().start(task));
    }

    private void write() {
        int place = 0;
        while (!closed) {
            if (!writeTo(regions.get(place % regions.size()))) {
                place++;
                pause();
            }
        }
    }

    /** As often as it takes the writes. */
    private boolean writeTo(HttpContender region) {
        boolean any = false;
        var requests = new Requests(region.plain(), region.key());
        try (var connection = new KeepAliveConnection(region.plain())) {
            while (!closed) {
                var id = SampleItem.id(numbers.getAsLong());
                var request = requests.post("docs", containerLink, Requests.partitionKey(id), SampleItem.json(id));
                if (connection.send(request).status() != CREATED) {
                    return any;
                }
                any = true;
                wrote();
            }
        } catch (BenchException _) {
            // It is gone; another one takes over.
        }
        return any;
    }

    private synchronized void wrote() {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
        count++;
    }

    /** Begins to look for the longest gap anew, from the last write on. */
    synchronized void forget() {
        longestNanos = 0;
    }

    synchronized double longestSeconds() {
        return longestNanos / 1e9;
    }

    synchronized long count() {
        return count;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a writer", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        done.join();
    }
}
