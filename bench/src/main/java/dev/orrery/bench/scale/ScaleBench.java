package dev.orrery.bench.scale;

import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.LinePlot;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import dev.orrery.bench.harness.ScaleItems;
import dev.orrery.bench.harness.ScaleLoad;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what requests with answers of a fixed size cost in containers of growing size. */
@Command(
        name = "scale",
        description = {
            "Fills containers with 10,000, 100,000, ... items of 1 KB, and measures in each what a point read, an"
                + " equality query, a range with ORDER BY and TOP 10, and a COUNT with a filter cost. Also how much of"
                + " the disk the index takes.",
            "Wants a machine that does nothing else; takes some minutes for a million items."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class ScaleBench implements Callable<Integer> {
    private static final long SIZE_LEAST = 10_000;
    private static final int ASKS_BETWEEN_LOOKS = 16;
    private static final String IMAGE = "images/scale.svg";

    @Option(names = "--items-max", paramLabel = "N", description = "The largest container.", defaultValue = "1000000")
    private long itemsMax;

    @Option(
            names = "--sizes",
            paramLabel = "N",
            split = ",",
            description = "Other sizes than the powers of ten from 10,000 on; multiples of 100.")
    private List<Long> sizes;

    @Option(
            names = "--plain-max",
            paramLabel = "N",
            description = "The largest container that is also filled without an index, to tell its size.",
            defaultValue = "1000000")
    private long plainMax;

    @Mixin
    private final Measuring measuring = new Measuring(3, 3, 5);

    /** What a request costs: processor time of the server, and time until the answer is there. */
    private record Cost(double cpuMicros, double medianMicros, double slowMicros) {}

    /** @param plainBytes without an index; 0 when that was not measured */
    private record Measured(
            long items, Map<ScaleQuestion, Cost> costs, long bytes, long plainBytes, double loadSeconds) {}

    private final Report report = new Report("scale");

    @Override
    public Integer call() throws Exception {
        var wanted = wanted();
        measuring.check(
                !wanted.isEmpty() && wanted.getFirst() >= 1_000, "Numbers must be 1 or more, and sizes 1000 or more.");
        var counted =
                "medians of %d rounds of %d s on one connection.".formatted(measuring.rounds(), measuring.seconds());
        return measuring.run(report, counted, servers -> {
            var all = new ArrayList<Measured>();
            for (long size : wanted) {
                all.add(measure(servers, new ScaleItems(size)));
            }
            tables(all);
            if (measuring.page().isPresent()) {
                writePlot(measuring.page().get().toAbsolutePath().resolveSibling(IMAGE), all);
            }
        });
    }

    private static void writePlot(Path image, List<Measured> all) throws IOException {
        Files.createDirectories(image.getParent());
        Files.writeString(image, plot(all));
    }

    private List<Long> wanted() {
        return sizes != null
                ? sizes.stream().sorted().toList()
                : LongStream.iterate(SIZE_LEAST, size -> size <= itemsMax, size -> size * 10)
                        .boxed()
                        .toList();
    }

    // ---- one size ----

    private Measured measure(Servers servers, ScaleItems items) throws IOException, InterruptedException {
        var costs = new EnumMap<ScaleQuestion, Cost>(ScaleQuestion.class);
        var orrery = start(servers);
        double loadSeconds;
        try {
            loadSeconds = new ScaleLoad(orrery, items).run("");
            orrery.server().settle();
            for (var question : ScaleQuestion.values()) {
                costs.put(question, cost(orrery, items, question));
            }
        } finally {
            orrery.server().close();
        }
        long bytes = settledBytes(servers);
        return new Measured(items.count(), costs, bytes, plainBytes(servers, items), loadSeconds);
    }

    private static HttpContender start(Servers servers) throws IOException, InterruptedException {
        servers.clear();
        Files.createDirectories(servers.work());
        return servers.startOrrery().contender();
    }

    /** What the items take without an index. */
    private long plainBytes(Servers servers, ScaleItems items) throws IOException, InterruptedException {
        if (items.count() > plainMax) {
            return 0;
        }
        var orrery = start(servers);
        try {
            new ScaleLoad(orrery, items).run(",\"indexingPolicy\":{\"indexingMode\":\"none\",\"automatic\":false}");
            orrery.server().settle();
        } finally {
            orrery.server().close();
        }
        return settledBytes(servers);
    }

    /** Another start moves what is only in the log of writes to where it stays. */
    private static long settledBytes(Servers servers) throws IOException, InterruptedException {
        var server = servers.startOrrery().contender().server();
        server.settle();
        server.close();
        return servers.dataBytes();
    }

    private Cost cost(HttpContender orrery, ScaleItems items, ScaleQuestion question) {
        var requests = new Requests(orrery.plain(), orrery.key());
        var random = new SplittableRandom(items.count());
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            var samples = new ArrayList<Cost>();
            RequestMaker maker = () -> question.request(requests, items, random);
            ask(orrery, connection, maker, question, measuring.warmup());
            for (int round = 0; round < measuring.rounds(); round++) {
                samples.add(ask(orrery, connection, maker, question, measuring.length()));
            }
            var cost = new Cost(
                    Report.median(samples.stream().mapToDouble(Cost::cpuMicros).toArray()),
                    Report.median(
                            samples.stream().mapToDouble(Cost::medianMicros).toArray()),
                    Report.median(samples.stream().mapToDouble(Cost::slowMicros).toArray()));
            System.err.println(String.format(
                    Locale.ROOT,
                    "%,d items, %s: %.0f µs CPU, %.0f µs",
                    items.count(),
                    question.title(),
                    cost.cpuMicros(),
                    cost.medianMicros()));
            return cost;
        }
    }

    private interface RequestMaker {
        byte[] next();
    }

    private static Cost ask(
            HttpContender orrery,
            KeepAliveConnection connection,
            RequestMaker requests,
            ScaleQuestion question,
            Duration length) {
        var times = new double[1 << 20];
        int asked = 0;
        var before = orrery.server().cpu();
        long end = System.nanoTime() + length.toNanos();
        while (asked % ASKS_BETWEEN_LOOKS != 0 || (System.nanoTime() < end && asked < times.length)) {
            var request = requests.next();
            long start = System.nanoTime();
            var reply = connection.demand(request);
            times[asked++] = (System.nanoTime() - start) / 1e3;
            question.check(reply);
        }
        int count = asked;
        double cpu = orrery.server()
                .cpu()
                .map(after -> after.minus(before.orElseThrow()).toNanos() / 1e3 / count)
                .orElse(Double.NaN);
        Arrays.sort(times, 0, count);
        return new Cost(cpu, times[count / 2], times[(int) (count * 0.99)]);
    }

    // ---- all sizes ----

    private void tables(List<Measured> all) {
        table(
                "CPU of the server for a request, µs (aim: at most 2 × that of the smallest container)",
                all,
                cost -> Report.whole(cost.cpuMicros()),
                Cost::cpuMicros);
        if (measuring.page().isPresent()) {
            report.add("![CPU of a request by the number of items](" + IMAGE + ")");
        }
        table(
                "Time until the answer is there, median (and 99 %), µs",
                all,
                cost -> Report.whole(cost.medianMicros()) + " (" + Report.whole(cost.slowMicros()) + ")",
                Cost::medianMicros);
        sizesTable(all);
    }

    private void table(String title, List<Measured> all, Function<Cost, String> cell, ToDoubleFunction<Cost> compared) {
        var rows = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("items"));
        all.forEach(one -> head.add(Report.whole((double) one.items())));
        head.add("last / first");
        rows.add(head);
        for (var question : ScaleQuestion.values()) {
            var costs = all.stream().map(one -> one.costs().get(question)).toList();
            var cells = new ArrayList<>(List.of(question.title()));
            costs.forEach(cost -> cells.add(cell.apply(cost)));
            cells.add(String.format(
                    Locale.ROOT,
                    "%.2f ×",
                    compared.applyAsDouble(costs.getLast()) / compared.applyAsDouble(costs.getFirst())));
            rows.add(cells);
        }
        report.addTable(title, rows);
    }

    private void sizesTable(List<Measured> all) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("items", "loaded a second", "MB of JSON", "MB on disk", "without index", "index / JSON"));
        for (var one : all) {
            boolean known = one.plainBytes() > 0;
            rows.add(List.of(
                    Report.whole((double) one.items()),
                    Report.whole(one.items() / one.loadSeconds()),
                    Report.whole(one.items() * SampleItem.BYTES / 1e6),
                    Report.whole(one.bytes() / 1e6),
                    known ? Report.whole(one.plainBytes() / 1e6) : "–",
                    known
                            ? Report.percent(
                                    (one.bytes() - one.plainBytes()) / (double) (one.items() * SampleItem.BYTES))
                            : "–"));
        }
        report.addTable("Size of the data folder with the default policy", rows);
    }

    private static String plot(List<Measured> all) {
        var lines = new ArrayList<LinePlot.Line>();
        for (var question : ScaleQuestion.values()) {
            lines.add(new LinePlot.Line(
                    question.title(),
                    all.stream()
                            .map(one -> new LinePlot.Point(
                                    one.items(), one.costs().get(question).cpuMicros()))
                            .toList()));
        }
        return new LinePlot("CPU of the server for one request", "items of 1 KB in the container", "µs", lines).svg();
    }
}
