package dev.orrery.bench.script;

import dev.orrery.bench.harness.Contender.Sample;
import dev.orrery.bench.harness.CreateLoad;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Servers;
import dev.orrery.bench.script.Comments.Way;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures a stored procedure beside what it stands for: its operations one by one, and a plain create. */
@Command(
        name = "script",
        description = {
            "Adds comments to posts by a stored procedure that also counts them, by three operations, and by a plain"
                    + " create that counts nothing, in turn; each client on a post of its own, then all on one.",
            "Also how long the first call of a procedure takes. Wants a machine that does nothing else; takes about"
                    + " ten minutes."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class ScriptBench implements Callable<Integer> {
    private static final Duration RAMP = Duration.ofSeconds(1);
    private static final int POSTS = 64;
    private static final int STARTS = 5;
    private static final int NEW_PROCEDURES = 15;
    private static final double CPU_AIM = 2.5;
    private static final double FIRST_CALL_MILLIS_AIM = 50;

    @Mixin
    private final Measuring measuring = new Measuring(5, 3, 20);

    @Option(
            names = "--clients",
            paramLabel = "N",
            split = ",",
            description = "Numbers of clients.",
            defaultValue = "1,8,64")
    private List<Integer> clientCounts;

    private final Report report = new Report("script");
    private long firstCalls;

    @Override
    public Integer call() throws Exception {
        measuring.check(clientCounts.stream().allMatch(count -> count > 0), "Numbers must be 1 or more.");
        return measuring.run(
                report,
                "medians of %d rounds of %d s.".formatted(measuring.rounds(), measuring.seconds()),
                this::measure);
    }

    private void measure(Servers servers) throws InterruptedException {
        double first = firstOfProcess(servers);
        var orrery = servers.startOrrery().contender();
        try {
            var apart = ways(orrery, POSTS);
            report.addTable(
                    "Comments on distinct partitions (aim: createComment under " + CPU_AIM
                            + " × the CPU of a plain create)",
                    rows(apart));
            report.addTable("Comments on one partition", rows(ways(orrery, 1)));
            double warm = firstOfProcedure(orrery, apart.getFirst());
            report.addTable(
                    "First calls",
                    List.of(
                            List.of("", "measured", "aim"),
                            List.of(
                                    "of a new procedure, median of " + NEW_PROCEDURES,
                                    millis(warm),
                                    "under %.0f ms".formatted(FIRST_CALL_MILLIS_AIM)),
                            List.of("of the process, right after its start, median of " + STARTS, millis(first), "")));
        } finally {
            orrery.server().close();
        }
    }

    // ---- under load ----

    private List<Comments> ways(HttpContender orrery, int posts) {
        var ways = Stream.of(Way.values())
                .map(way -> new Comments(orrery, way.name() + "-" + posts, way, posts))
                .toList();
        ways.forEach(Comments::prepareCreates);
        return ways;
    }

    private List<List<String>> rows(List<Comments> ways) throws InterruptedException {
        var loads = new LinkedHashMap<Comments, CreateLoad>();
        for (var way : ways) {
            say("warming up: " + way.name());
            loads.put(way, new CreateLoad(way));
            loads.get(way).measure(8, RAMP, measuring.warmup());
        }
        var rows = new ArrayList<List<String>>();
        rows.add(head(ways));
        for (int clients : clientCounts) {
            rows.add(row(clients, medians(loads, clients)));
        }
        ways.forEach(Comments::check);
        return rows;
    }

    /** All ways take turns, so that what disturbs the machine for a while disturbs all of them. */
    private Map<Way, Sample> medians(Map<Comments, CreateLoad> loads, int clients) throws InterruptedException {
        var samples = new LinkedHashMap<Way, List<Sample>>();
        for (int round = 1; round <= measuring.rounds(); round++) {
            for (var load : loads.entrySet()) {
                var sample = load.getValue().measure(clients, RAMP, measuring.length());
                samples.computeIfAbsent(load.getKey().way(), _ -> new ArrayList<>())
                        .add(sample);
                say("%d clients, round %d of %d: %s %s comments/s, %s µs"
                        .formatted(
                                clients,
                                round,
                                measuring.rounds(),
                                load.getKey().name(),
                                Report.whole(sample.requestsPerSecond()),
                                Report.whole(sample.cpuMicros())));
            }
        }
        var medians = new LinkedHashMap<Way, Sample>();
        samples.forEach((way, some) -> medians.put(way, Report.median(some)));
        return medians;
    }

    private static List<String> head(List<Comments> ways) {
        var cells = new ArrayList<String>();
        cells.add("clients");
        for (var way : ways) {
            cells.add(way.name() + " /s");
            cells.add("CPU µs");
        }
        cells.add("CPU, procedure / operations");
        cells.add("CPU, procedure / create");
        return cells;
    }

    private static List<String> row(int clients, Map<Way, Sample> samples) {
        var cells = new ArrayList<String>();
        cells.add(Integer.toString(clients));
        for (var sample : samples.values()) {
            cells.add(Report.whole(sample.requestsPerSecond()));
            cells.add(Report.whole(sample.cpuMicros()));
        }
        double cpuMicros = samples.get(Way.PROCEDURE).cpuMicros();
        cells.add(ratio(cpuMicros / samples.get(Way.OPERATIONS).cpuMicros()));
        cells.add(ratio(cpuMicros / samples.get(Way.CREATE).cpuMicros()));
        return cells;
    }

    // ---- first calls ----

    /** Of a procedure that the process finds in its data; the first start makes it. */
    private double firstOfProcess(Servers servers) throws InterruptedException {
        var times = new double[STARTS];
        for (int start = -1; start < STARTS; start++) {
            var orrery = servers.startOrrery().contender();
            var first = new Comments(orrery, "first", Way.PROCEDURE, 1);
            try (var connection = new KeepAliveConnection(orrery.plain())) {
                if (start < 0) {
                    Comments.prepareDatabase(orrery);
                    first.prepareCreates();
                } else {
                    times[start] = callMillis(connection, first, Comments.PROCEDURE);
                    say("first call of a process: %.0f ms".formatted(times[start]));
                }
            } finally {
                orrery.server().close();
            }
        }
        return Report.median(times);
    }

    /** Of procedures that are new to a warm process. */
    private double firstOfProcedure(HttpContender orrery, Comments comments) {
        var times = new double[NEW_PROCEDURES];
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            for (int at = 0; at < NEW_PROCEDURES; at++) {
                comments.createProcedure(connection, "new-" + at);
                times[at] = callMillis(connection, comments, "new-" + at);
                say("first call of a procedure: %.1f ms".formatted(times[at]));
            }
        }
        return Report.median(times);
    }

    private double callMillis(KeepAliveConnection connection, Comments comments, String procedure) {
        long before = System.nanoTime();
        comments.call(connection, procedure, Long.MAX_VALUE - firstCalls++);
        return (System.nanoTime() - before) / 1e6;
    }

    private static String millis(double value) {
        return Report.measured(OptionalDouble.of(value), "%.1f ms");
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.1f ×", value);
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}
