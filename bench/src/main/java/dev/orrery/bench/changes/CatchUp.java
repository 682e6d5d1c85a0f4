package dev.orrery.bench.changes;

import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Reads all that there is in a container through its change feed, from the beginning, on one connection. */
record CatchUp(HttpContender orrery, String containerLink) {
    /** What one reading says; the time of the processors is NaN where the system does not tell. */
    record Sample(long items, double itemsPerSecond, double megabytesPerSecond, double cpuMicros) {}

    /** Reads again and again until the time is over. */
    void warmUp(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            read(() -> System.nanoTime() < end);
        }
    }

    Sample read() {
        return read(() -> true);
    }

    private Sample read(BooleanSupplier goesOn) {
        long items = 0;
        long bytes = 0;
        var before = orrery.server().cpu();
        long start = System.nanoTime();
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            var requests = new Requests(orrery.plain(), orrery.key());
            for (var range : RangeChanges.open(connection, requests, containerLink, RangeChanges.Start.BEGINNING)) {
                for (var page = range.next(); !page.isEmpty() && goesOn.getAsBoolean(); page = range.next()) {
                    items += RangeChanges.count(page);
                    bytes += page.length();
                }
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long count = items;
        double cpuMicros = orrery.server()
                .cpu()
                .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / count)
                .orElse(Double.NaN);
        return new Sample(items, items / seconds, bytes / 1e6 / seconds, cpuMicros);
    }
}
