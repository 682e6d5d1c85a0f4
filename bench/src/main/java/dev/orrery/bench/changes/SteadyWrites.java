package dev.orrery.bench.changes;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Creates items when the clock says so, however long the ones before take: a slow answer delays no other item. */
public record SteadyWrites(HttpContender orrery, String containerLink, int writesPerSecond) {
    /** So many that one is free whenever an item is due. */
    public static final int CONNECTIONS = 16;

    /** Returns how many seconds it took until all were answered. */
    public double run(Deliveries deliveries) throws InterruptedException {
        var next = new AtomicInteger();
        var writers = new ArrayList<Future<?>>();
        long start = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (int writer = 0; writer < CONNECTIONS; writer++) {
                writers.add(threads.submit(() -> write(deliveries, next, start)));
            }
            for (var writer : writers) {
                writer.get();
            }
        } catch (ExecutionException e) {
            throw new BenchException("A writer stopped: " + e.getCause().getMessage(), e);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private void write(Deliveries deliveries, AtomicInteger next, long start) {
        var requests = new Requests(orrery.plain(), orrery.key());
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            for (int item = next.getAndIncrement(); item < deliveries.count(); item = next.getAndIncrement()) {
                var id = SampleItem.id(deliveries.number(item));
                var request = requests.post("docs", containerLink, Requests.partitionKey(id), SampleItem.json(id));
                awaitNanos(start + Duration.ofSeconds(item).toNanos() / writesPerSecond);
                deliveries.sent(item, System.nanoTime());
                connection.demand(request);
                deliveries.answered(item, System.nanoTime());
            }
        }
    }

    private static void awaitNanos(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
