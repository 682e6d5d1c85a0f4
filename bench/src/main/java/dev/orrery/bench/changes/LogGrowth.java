package dev.orrery.bench.changes;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import dev.orrery.bench.harness.ScaleItems;
import dev.orrery.bench.harness.ScaleLoad;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Replaces the same items over and over, and looks at the size of the data folder meanwhile. */
final class LogGrowth {
    private static final int ITEMS = 10_000;
    private static final int CLIENTS = 8;
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);
    private static final Duration REST = Duration.ofMinutes(2);

    private final Servers servers;
    private final int seconds;
    private final ScaleItems items = new ScaleItems(ITEMS);
    private final AtomicLong replaced = new AtomicLong();

    LogGrowth(Servers servers, int seconds) {
        this.servers = servers;
        this.seconds = seconds;
    }

    /** The last looks are at what is left when all replacements are older than all versions are kept for. */
    List<List<String>> measure() throws IOException, InterruptedException {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("second", "replacements", "MB of JSON replaced", "MB of JSON there", "MB on disk"));
        var orrery = start();
        try {
            new ScaleLoad(orrery, items).run("");
            orrery.server().settle();
            rows.add(look("0"));
            replaceAll(orrery, rows);
            System.err.println("waiting until the last replacements are old");
            Thread.sleep(REST);
            orrery.server().settle();
            rows.add(look(REST.toMinutes() + " minutes after the last"));
        } finally {
            orrery.server().close();
        }
        // Another start moves what is only in the log of writes, removals among it, to where it stays.
        var again = start().server();
        again.settle();
        again.close();
        rows.add(look("after another start"));
        return rows;
    }

    private HttpContender start() throws InterruptedException {
        return servers.startOrrery("--change-retention", "1").contender();
    }

    private void replaceAll(HttpContender orrery, List<List<String>> rows) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long end = start + Duration.ofSeconds(seconds).toNanos();
        var clients = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int client = 0; client < CLIENTS; client++) {
                clients.add(threads.submit(() -> replace(orrery, end)));
            }
            for (var due = BETWEEN_LOOKS; due.toSeconds() <= seconds; due = due.plus(BETWEEN_LOOKS)) {
                Thread.sleep(Duration.ofNanos(Math.max(0, start + due.toNanos() - System.nanoTime())));
                rows.add(look(Long.toString(due.toSeconds())));
            }
            for (var client : clients) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new BenchException("A client stopped: " + e.getCause().getMessage(), e);
        }
    }

    private void replace(HttpContender orrery, long end) {
        var requests = new Requests(orrery.plain(), orrery.key());
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            while (System.nanoTime() < end) {
                long number = replaced.getAndIncrement() % ITEMS;
                var headers = Requests.partitionKey(items.customer(number)) + "x-ms-documentdb-is-upsert: true\r\n";
                connection.demand(requests.post("docs", ScaleLoad.CONTAINER_LINK, headers, items.json(number)));
            }
        }
    }

    private List<String> look(String when) throws IOException {
        long count = replaced.get();
        return List.of(
                when,
                Report.whole((double) count),
                Report.whole(count * SampleItem.BYTES / 1e6),
                Report.whole(ITEMS * SampleItem.BYTES / 1e6),
                Report.whole(servers.dataBytes() / 1e6));
    }
}
