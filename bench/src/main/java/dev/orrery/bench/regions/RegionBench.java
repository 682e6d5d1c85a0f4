package dev.orrery.bench.regions;

import dev.orrery.bench.changes.Deliveries;
import dev.orrery.bench.changes.PollingConsumer;
import dev.orrery.bench.changes.SteadyWrites;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import dev.orrery.bench.harness.ScaleItems;
import dev.orrery.bench.harness.ScaleLoad;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what it costs to have an account in several regions, and how long nobody can write when one is lost. */
@Command(
        name = "regions",
        description = {
            "Reads and writes at each level of consistency, with regions side by side and far apart; tells how far"
                    + " followers are behind under load, what travels between regions, how quickly a new region"
                    + " catches up, and for how long nobody can write during a failover.",
            "Wants a machine that does nothing else; takes some fifteen minutes."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class RegionBench implements Callable<Integer> {
    private static final String WEST = "West";
    private static final String NORTH = "North";
    private static final List<String> NAMES = List.of(WEST, NORTH, "East");
    private static final String DATABASE_LINK = "dbs/regions";
    private static final String LINK = DATABASE_LINK + "/colls/items";
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The item that is read. */
    private static final String READ_ID = SampleItem.id(0);

    /** How the account is started, and what is asked of it. */
    private enum Level {
        STRONG("Strong", "Strong"),
        BOUNDED("BoundedStaleness", "BoundedStaleness"),
        SESSION("Session", "Session"),
        PREFIX("Session", "ConsistentPrefix"),
        EVENTUAL("Session", "Eventual");

        private final String account;
        private final String asked;

        Level(String account, String asked) {
            this.account = account;
            this.asked = asked;
        }
    }

    private record Latency(double medianMillis, double slowMillis) {}

    @Mixin
    private final Measuring measuring = new Measuring(5, 3, 5);

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            description = "Creates a second, for the lag.",
            defaultValue = "1000,5000")
    private List<Integer> rates;

    @Option(
            names = "--apart",
            paramLabel = "MILLIS",
            description = "How long a message to another region and its answer take, where they are far apart.",
            defaultValue = "80")
    private int apartMillis;

    @Option(
            names = "--items",
            paramLabel = "N",
            description = "Items that a new region is given; a multiple of 100.",
            defaultValue = "1000000")
    private long items;

    private final Report report = new Report("regions");
    private long nextNumber = 1;

    @Override
    public Integer call() throws Exception {
        measuring.check(
                rates.stream().allMatch(rate -> rate > 0)
                        && apartMillis > 0
                        && items > 0
                        && items % ScaleItems.PER_BUCKET == 0,
                "Numbers must be 1 or more, and --items a multiple of " + ScaleItems.PER_BUCKET + ".");
        return measuring.run(
                report,
                "latencies over %d s, failovers: medians of %d.".formatted(measuring.seconds(), measuring.rounds()),
                this::measure);
    }

    private void measure(Servers servers) throws IOException, InterruptedException {
        var near = new ArrayList<List<String>>();
        var far = new ArrayList<List<String>>();
        for (var account : List.of("Strong", "BoundedStaleness", "Session")) {
            try (var regions = start(servers, account)) {
                var levels = Arrays.stream(Level.values())
                        .filter(level -> level.account.equals(account))
                        .toList();
                latencies(regions, levels, 0, near);
                latencies(regions, levels, apartMillis, far);
                if (account.equals("Session")) {
                    addLatencies(near, far);
                    lag(regions);
                    failovers(regions);
                }
            }
            clear(servers);
        }
        catchUp(servers);
    }

    private static RegionServers start(Servers servers, String level) throws InterruptedException {
        say("starting three regions at " + level);
        var regions = RegionServers.start(servers, level, NAMES);
        var orrery = regions.region(WEST);
        var requests = new Requests(orrery.plain(), orrery.key());
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            connection.demand(requests.post("dbs", "", "", "{\"id\":\"regions\"}"));
            connection.demand(requests.post(
                    "colls",
                    DATABASE_LINK,
                    "",
                    "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}}"));
            connection.demand(requests.post("docs", LINK, Requests.partitionKey(READ_ID), SampleItem.json(READ_ID)));
        }
        for (var name : NAMES.subList(1, NAMES.size())) {
            regions.awaitLevel(WEST, name);
        }
        return regions;
    }

    private static void clear(Servers servers) throws IOException {
        servers.clear();
        Files.createDirectories(servers.work());
    }

    // ---- latency ----

    private void latencies(RegionServers regions, List<Level> levels, int millis, List<List<String>> rows) {
        regions.setApart(millis);
        for (var level : levels) {
            say("%s, %d ms apart".formatted(level.asked, millis));
            boolean isFirst = level.asked.equals(level.account);
            var row = new ArrayList<>(List.of(level.asked));
            if (isFirst) {
                addTo(row, writes(regions.region(WEST)));
            } else {
                row.addAll(List.of("as Session", ""));
            }
            addTo(row, reads(regions.region(WEST), level));
            addTo(row, reads(regions.region(NORTH), level));
            rows.add(row);
        }
    }

    private void addLatencies(List<List<String>> near, List<List<String>> far) {
        var head = List.of(
                "level",
                "write: 50 %",
                "99 %",
                "read in the write region: 50 %",
                "99 %",
                "read in another region: 50 %",
                "99 %");
        near.addFirst(head);
        far.addFirst(head);
        report.addTable("Latency over http in ms, one client, regions side by side", near);
        report.addTable("Latency over http in ms, one client, regions %d ms apart".formatted(apartMillis), far);
    }

    private static void addTo(List<String> row, Latency latency) {
        row.add(millis(latency.medianMillis()));
        row.add(millis(latency.slowMillis()));
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private Latency writes(HttpContender orrery) {
        var requests = new Requests(orrery.plain(), orrery.key());
        return latency(orrery, () -> {
            var id = SampleItem.id(nextNumber++);
            return requests.post("docs", LINK, Requests.partitionKey(id), SampleItem.json(id));
        });
    }

    private Latency reads(HttpContender orrery, Level level) {
        var requests = new Requests(orrery.plain(), orrery.key());
        var asked = "x-ms-consistency-level: " + level.asked + "\r\n";
        return latency(orrery, () -> requests.readItem(LINK, READ_ID, READ_ID, asked));
    }

    private Latency latency(HttpContender orrery, Supplier<byte[]> next) {
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            millis(connection, next, measuring.warmup());
            var sorted = millis(connection, next, measuring.length()).stream()
                    .mapToDouble(Double::doubleValue)
                    .sorted()
                    .toArray();
            return new Latency(sorted[sorted.length / 2], sorted[(int) (sorted.length * 0.99)]);
        }
    }

    private static List<Double> millis(KeepAliveConnection connection, Supplier<byte[]> next, Duration length) {
        var millis = new ArrayList<Double>();
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            var request = next.get();
            long start = System.nanoTime();
            connection.demand(request);
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return millis;
    }

    // ---- lag ----

    private void lag(RegionServers regions) throws InterruptedException {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of(
                "creates/s asked for",
                "ms apart",
                "creates/s",
                "from the answer: 50 %",
                "99 %",
                "most",
                "bytes a create and follower"));
        for (int millis : List.of(0, apartMillis)) {
            regions.setApart(millis);
            for (int rate : rates) {
                say("lag at %d creates/s, %d ms apart".formatted(rate, millis));
                run(regions, measuring.warmupSeconds(), rate);
                regions.awaitLevel(WEST, NORTH);
                rows.add(lag(regions, millis, rate));
            }
        }
        regions.setApart(0);
        report.addTable("From the answer to a create of 1 KB until it is seen in another region, ms", rows);
    }

    private List<String> lag(RegionServers regions, int millis, int rate) throws InterruptedException {
        long before = regions.linkBytes(WEST);
        long start = System.nanoTime();
        var deliveries = run(regions, measuring.seconds(), rate);
        double seconds = (System.nanoTime() - start) / 1e9;
        for (var name : NAMES.subList(1, NAMES.size())) {
            regions.awaitLevel(WEST, name);
        }
        long bytes = regions.linkBytes(WEST) - before;
        var delay = deliveries.sinceAnswered();
        return List.of(
                Report.whole(rate),
                Integer.toString(millis),
                Report.whole(deliveries.count() / seconds),
                millis(delay.medianMillis()),
                millis(delay.slowMillis()),
                millis(delay.maxMillis()),
                Report.whole((double) bytes / deliveries.count() / (NAMES.size() - 1)));
    }

    private Deliveries run(RegionServers regions, int seconds, int rate) throws InterruptedException {
        var deliveries = new Deliveries(nextNumber, Math.multiplyExact(seconds, rate));
        nextNumber += deliveries.count();
        try (var reader = new PollingConsumer(regions.region(NORTH), LINK, PAUSE)) {
            reader.start(deliveries);
            new SteadyWrites(regions.region(WEST), LINK, rate).run(deliveries);
            deliveries.awaitAll(PATIENCE);
        }
        return deliveries;
    }

    // ---- failover ----

    private void failovers(RegionServers regions) throws InterruptedException {
        var byHand = new double[measuring.rounds()];
        for (int round = 0; round < byHand.length; round++) {
            var to = round % 2 == 0 ? NORTH : WEST;
            byHand[round] = gap(regions, to, () -> regions.failOver(to));
        }
        var byItself = new double[measuring.rounds()];
        for (int round = 0; round < byItself.length; round++) {
            var lost = writer(regions);
            var others = NAMES.stream().filter(name -> !name.equals(lost)).toList();
            byItself[round] = gap(regions, "another", () -> {
                regions.region(lost).server().kill();
                regions.await("another takes the writes", () -> others.stream().anyMatch(regions::isWriter));
            });
            regions.start(lost);
            regions.awaitLevel(
                    others.stream().filter(regions::isWriter).findFirst().orElseThrow(), lost);
        }
        report.addTable(
                "Failover: for how long a client that writes all the time cannot, in s",
                List.of(
                        List.of("failover", "median", "most", "aim"),
                        List.of("by hand", seconds(Report.median(byHand)), seconds(max(byHand)), "1"),
                        List.of(
                                "automatic, the write region is killed",
                                seconds(Report.median(byItself)),
                                seconds(max(byItself)),
                                "10")));
    }

    private interface Event {
        void happen() throws InterruptedException;
    }

    private double gap(RegionServers regions, String to, Event event) throws InterruptedException {
        var contenders = NAMES.stream().map(regions::region).toList();
        try (var writer = new WriteGap(contenders, LINK, () -> nextNumber++)) {
            awaitMore(regions, writer);
            writer.forget();
            event.happen();
            awaitMore(regions, writer);
            say("%s takes the writes: %s s".formatted(to, seconds(writer.longestSeconds())));
            return writer.longestSeconds();
        }
    }

    private static void awaitMore(RegionServers regions, WriteGap writer) throws InterruptedException {
        long more = writer.count() + 200;
        regions.await("somebody can write", () -> writer.count() > more);
    }

    private static String writer(RegionServers regions) {
        return NAMES.stream().filter(regions::isWriter).findFirst().orElseThrow();
    }

    private static double max(double... values) {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    // ---- a new region ----

    private void catchUp(Servers servers) throws IOException, InterruptedException {
        say("loading one region, for another to catch up with");
        try (var regions = RegionServers.start(servers, "Session", List.of(WEST))) {
            new ScaleLoad(regions.region(WEST), new ScaleItems(items)).run("");
            regions.region(WEST).server().settle();
            long before = regions.linkBytes(WEST);
            regions.add(NORTH);
            long start = System.nanoTime();
            regions.awaitLevel(WEST, NORTH);
            double seconds = (System.nanoTime() - start) / 1e9;
            double bytes = regions.linkBytes(WEST) - before;
            report.addTable(
                    "A new region catches up, items of 1 KB",
                    List.of(
                            List.of("items", "s", "items/s", "bytes an item"),
                            List.of(
                                    Report.whole((double) items),
                                    seconds(seconds),
                                    Report.whole(items / seconds),
                                    Report.whole(bytes / items))));
        }
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}
