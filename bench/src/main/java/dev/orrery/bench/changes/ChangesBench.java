package dev.orrery.bench.changes;

import dev.orrery.bench.changes.Deliveries.Delay;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.Exchange;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.ScaleItems;
import dev.orrery.bench.harness.ScaleLoad;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how soon changes reach those who follow them, how quickly all can be read again, and what waiting costs. */
@Command(
        name = "changes",
        description = {
            "Creates items at a steady rate and tells how long each is on its way to a consumer that polls, and to one"
                    + " that is sent changes; reads a whole container through its change feed; and tells what a"
                    + " consumer costs when nothing changes.",
            "Wants a machine that does nothing else; takes some ten minutes for a million items."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class ChangesBench implements Callable<Integer> {
    private static final String DATABASE_LINK = "dbs/changes";
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration IDLE_PAUSE = Duration.ofSeconds(1);
    private static final int IDLE_RANGES = 5;
    private static final int RANGE_REQUEST_UNITS = 6_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A steady rate leaves much of the machine unused, and the JVM compiles what it runs often. */
    private static final int WARMUP_RATES = 5;

    @Mixin
    private final Measuring measuring = new Measuring(20, 3, 10);

    @Option(names = "--rate", paramLabel = "N", description = "Creates a second.", defaultValue = "1000")
    private int rate;

    @Option(
            names = "--items",
            paramLabel = "N",
            description = "Items that are read from the beginning; a multiple of 100.",
            defaultValue = "1000000")
    private long items;

    @Option(
            names = "--idle-seconds",
            paramLabel = "N",
            description = "For how long to look at a consumer that has nothing to do.",
            defaultValue = "60")
    private int idleSeconds;

    @Option(
            names = "--growth",
            paramLabel = "N",
            description = "Seconds of replacing 10,000 items over and over, to see how the log grows (180 shows it);"
                    + " 0 leaves that out.",
            defaultValue = "0")
    private int growthSeconds;

    /** Who takes the changes. */
    private enum Kind {
        NOBODY("nobody"),
        POLLING("polls, and rests %d ms when there is nothing".formatted(PAUSE.toMillis())),
        STREAM("server-sent events");

        private final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /** Without delays where nobody takes the changes. */
    private record Measured(
            double writesPerSecond, double cpuMicros, Optional<Delay> sinceSent, Optional<Delay> sinceAnswered) {}

    private final Report report = new Report("changes");
    private long nextNumber;

    @Override
    public Integer call() throws Exception {
        measuring.check(
                rate > 0 && items > 0 && items % ScaleItems.PER_BUCKET == 0 && idleSeconds > 0 && growthSeconds >= 0,
                "Numbers must be 1 or more, and --items a multiple of " + ScaleItems.PER_BUCKET + ".");
        return measuring.run(report, "medians of " + measuring.rounds() + " rounds.", this::measure);
    }

    private void measure(Servers servers) throws IOException, InterruptedException {
        var orrery = servers.startOrrery().contender();
        try {
            var requests = new Requests(orrery.plain(), orrery.key());
            Exchange.demand(orrery.plain(), requests.post("dbs", "", "", "{\"id\":\"changes\"}"));
            deliveries(orrery);
            idle(orrery);
        } finally {
            orrery.server().close();
        }
        clear(servers);
        catchUp(servers);
        if (growthSeconds > 0) {
            clear(servers);
            report.addTable(
                    "Size of the data folder while 10,000 items are replaced, all versions being kept for one minute",
                    new LogGrowth(servers, growthSeconds).measure());
        }
    }

    private static void clear(Servers servers) throws IOException {
        servers.clear();
        Files.createDirectories(servers.work());
    }

    private static String container(HttpContender orrery, String id, String headers) {
        var requests = new Requests(orrery.plain(), orrery.key());
        var definition =
                "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}}";
        Exchange.demand(orrery.plain(), requests.post("colls", DATABASE_LINK, headers, definition));
        return DATABASE_LINK + "/colls/" + id;
    }

    private static Optional<ChangeConsumer> consumer(HttpContender orrery, String link, Kind kind, Duration pause) {
        return switch (kind) {
            case NOBODY -> Optional.empty();
            case POLLING -> Optional.of(new PollingConsumer(orrery, link, pause));
            case STREAM -> StreamConsumer.open(orrery, link);
        };
    }

    // ---- deliveries ----

    private void deliveries(HttpContender orrery) throws InterruptedException {
        var link = container(orrery, "written", "");
        var kinds = new ArrayList<>(List.of(Kind.values()));
        var stream = StreamConsumer.open(orrery, link);
        stream.ifPresent(ChangeConsumer::close);
        if (stream.isEmpty()) {
            kinds.remove(Kind.STREAM);
            report.add("The push stream is left out: this server has none.");
        }
        for (var kind : kinds) {
            say("warming up: " + kind.title);
            deliver(orrery, link, kind, measuring.warmupSeconds(), rate * WARMUP_RATES);
        }
        var all = new LinkedHashMap<Kind, List<Measured>>();
        for (int round = 1; round <= measuring.rounds(); round++) {
            for (var kind : kinds) {
                var measured = deliver(orrery, link, kind, measuring.seconds(), rate);
                all.computeIfAbsent(kind, _ -> new ArrayList<>()).add(measured);
                say("round %d of %d, %s: %s writes/s, %s µs, %s ms"
                        .formatted(
                                round,
                                measuring.rounds(),
                                kind.title,
                                Report.whole(measured.writesPerSecond()),
                                Report.whole(measured.cpuMicros()),
                                delay(List.of(measured), one -> one.sinceSent, Delay::medianMillis)));
            }
        }
        report.addTable(
                "From a create to its consumer, ms, at %,d creates of 1 KB a second".formatted(rate),
                deliveryRows(all));
    }

    private Measured deliver(HttpContender orrery, String link, Kind kind, int seconds, int writesPerSecond)
            throws InterruptedException {
        var deliveries = new Deliveries(nextNumber, Math.multiplyExact(seconds, writesPerSecond));
        nextNumber += deliveries.count();
        var writes = new SteadyWrites(orrery, link, writesPerSecond);
        var before = orrery.server().cpu();
        double writeSeconds;
        var consumer = consumer(orrery, link, kind, PAUSE);
        if (consumer.isEmpty()) {
            writeSeconds = writes.run(deliveries);
        } else {
            try (var taking = consumer.get()) {
                taking.start(deliveries);
                writeSeconds = writes.run(deliveries);
                deliveries.awaitAll(PATIENCE);
            }
        }
        double cpuMicros = orrery.server()
                .cpu()
                .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / deliveries.count())
                .orElse(Double.NaN);
        return new Measured(
                deliveries.count() / writeSeconds,
                cpuMicros,
                consumer.map(_ -> deliveries.sinceSent()),
                consumer.map(_ -> deliveries.sinceAnswered()));
    }

    private static List<List<String>> deliveryRows(Map<Kind, List<Measured>> all) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of(
                "consumer",
                "creates/s",
                "from sending: 50 %",
                "99 %",
                "most",
                "from the answer: 50 %",
                "99 %",
                "most",
                "CPU µs a create"));
        all.forEach((kind, some) -> rows.add(List.of(
                kind.title,
                Report.whole(median(some, Measured::writesPerSecond)),
                delay(some, one -> one.sinceSent, Delay::medianMillis),
                delay(some, one -> one.sinceSent, Delay::slowMillis),
                delay(some, one -> one.sinceSent, Delay::maxMillis),
                delay(some, one -> one.sinceAnswered, Delay::medianMillis),
                delay(some, one -> one.sinceAnswered, Delay::slowMillis),
                delay(some, one -> one.sinceAnswered, Delay::maxMillis),
                Report.whole(median(some, Measured::cpuMicros)))));
        return rows;
    }

    private interface Since {
        Optional<Delay> of(Measured measured);
    }

    private static String delay(List<Measured> some, Since since, ToDoubleFunction<Delay> figure) {
        var present = some.stream().flatMap(one -> since.of(one).stream()).toList();
        return Report.measured(
                present.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(median(present, figure)), "%.2f");
    }

    private static <T> double median(List<T> some, ToDoubleFunction<T> figure) {
        return Report.median(some.stream().mapToDouble(figure).toArray());
    }

    // ---- consumers with nothing to do ----

    private void idle(HttpContender orrery) throws InterruptedException {
        var link = container(orrery, "idle", "x-ms-offer-throughput: " + IDLE_RANGES * RANGE_REQUEST_UNITS + "\r\n");
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("consumer of a container without changes", "CPU"));
        rows.add(List.of("a poll that finds nothing, one after another", pollMicros(orrery, link)));
        orrery.server().settle();
        for (var kind : Kind.values()) {
            var consumer = consumer(orrery, link, kind, IDLE_PAUSE);
            try {
                if (kind == Kind.NOBODY || consumer.isPresent()) {
                    rows.add(List.of(idleTitle(kind), idlePercent(orrery, consumer)));
                }
            } finally {
                consumer.ifPresent(ChangeConsumer::close);
            }
        }
        report.addTable("What a consumer costs when nothing changes", rows);
    }

    private static String idleTitle(Kind kind) {
        return switch (kind) {
            case NOBODY -> "nobody";
            case POLLING -> "polls each of %d ranges once a second".formatted(IDLE_RANGES);
            case STREAM -> "waits for server-sent events";
        };
    }

    private String idlePercent(HttpContender orrery, Optional<ChangeConsumer> consumer) throws InterruptedException {
        consumer.ifPresent(one -> one.start(new Deliveries(0, 0)));
        say("looking at an idle server for " + idleSeconds + " s");
        var before = orrery.server().cpu();
        Thread.sleep(Duration.ofSeconds(idleSeconds));
        return orrery.server()
                .cpu()
                .map(after -> String.format(
                        Locale.ROOT,
                        "%.2f %% of a core",
                        after.minus(before.orElseThrow()).toNanos() / 1e7 / idleSeconds))
                .orElse("–");
    }

    /** Of one range, by a client that asks again at once. */
    private String pollMicros(HttpContender orrery, String link) {
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            var ranges = RangeChanges.open(
                    connection, new Requests(orrery.plain(), orrery.key()), link, RangeChanges.Start.NOW);
            if (ranges.size() != IDLE_RANGES) {
                throw new BenchException("There are " + ranges.size() + " ranges instead of " + IDLE_RANGES + ".");
            }
            var range = ranges.getFirst();
            pollMicros(orrery, range, measuring.warmup());
            var micros = new double[measuring.rounds()];
            for (int round = 0; round < micros.length; round++) {
                micros[round] = pollMicros(orrery, range, measuring.length());
                say("a poll that finds nothing: " + Report.whole(micros[round]) + " µs");
            }
            return Report.whole(Report.median(micros)) + " µs";
        }
    }

    private static double pollMicros(HttpContender orrery, RangeChanges range, Duration length) {
        var before = orrery.server().cpu();
        long end = System.nanoTime() + length.toNanos();
        long polls = 0;
        while (System.nanoTime() < end) {
            if (!range.next().isEmpty()) {
                throw new BenchException("Something has changed in a container that nobody writes to.");
            }
            polls++;
        }
        long count = polls;
        return orrery.server()
                .cpu()
                .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / count)
                .orElse(Double.NaN);
    }

    // ---- everything from the beginning ----

    private void catchUp(Servers servers) throws IOException, InterruptedException {
        var orrery = servers.startOrrery().contender();
        try {
            new ScaleLoad(orrery, new ScaleItems(items)).run("");
            orrery.server().settle();
            var catchUp = new CatchUp(orrery, ScaleLoad.CONTAINER_LINK);
            catchUp.warmUp(measuring.warmup());
            var samples = new ArrayList<CatchUp.Sample>();
            for (int round = 1; round <= measuring.rounds(); round++) {
                var sample = catchUp.read();
                if (sample.items() != items) {
                    throw new BenchException(
                            "The change feed told of " + sample.items() + " items instead of " + items + ".");
                }
                samples.add(sample);
                say("round %d of %d: %s items/s, %.1f µs"
                        .formatted(
                                round, measuring.rounds(), Report.whole(sample.itemsPerSecond()), sample.cpuMicros()));
            }
            report.addTable(
                    "All items of 1 KB from the beginning, on one connection, 1,000 on a page",
                    List.of(
                            List.of("items", "items/s", "MB/s", "CPU µs an item"),
                            List.of(
                                    Report.whole((double) items),
                                    Report.whole(median(samples, CatchUp.Sample::itemsPerSecond)),
                                    Report.whole(median(samples, CatchUp.Sample::megabytesPerSecond)),
                                    Report.measured(
                                            OptionalDouble.of(median(samples, CatchUp.Sample::cpuMicros)), "%.1f"))));
        } finally {
            orrery.server().close();
        }
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}
