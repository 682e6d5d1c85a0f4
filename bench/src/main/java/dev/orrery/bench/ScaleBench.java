package dev.orrery.bench;

import dev.orrery.gateway.client.AccountClient;
import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import dev.orrery.server.transfer.Checkpoint;
import dev.orrery.server.transfer.Compression;
import dev.orrery.server.transfer.Conflict;
import dev.orrery.server.transfer.CsvOptions;
import dev.orrery.server.transfer.Format;
import dev.orrery.server.transfer.ImportListener;
import dev.orrery.server.transfer.ImportPlan;
import dev.orrery.server.transfer.Importer;
import dev.orrery.server.transfer.Progress;
import dev.orrery.server.transfer.Source;
import dev.orrery.server.transfer.StopSignal;
import java.io.Console;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
final class ScaleBench implements Callable<Integer> {
    private static final long SIZE_LEAST = 10_000;
    private static final int CONNECTIONS = 8;
    private static final int COLUMNS = 100;
    private static final int ASKS_BETWEEN_LOOKS = 16;
    private static final Duration SETTLED_MAX = Duration.ofMinutes(5);
    private static final double SETTLED_CPU_SHARE = 0.05;
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

    @Option(names = "--seconds", paramLabel = "N", description = "Length of one measurement.", defaultValue = "3")
    private int seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Measurements of each kind; the median counts.",
            defaultValue = "3")
    private int rounds;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Seconds of each request before it is measured.",
            defaultValue = "5")
    private int warmupSeconds;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Page to put the tables into, between its two marks, and the plot beside it.")
    private Path page;

    @Spec
    private CommandSpec spec;

    /** What a request costs: processor time of the server, and time until the answer is there. */
    private record Cost(double cpuMicros, double medianMicros, double slowMicros) {}

    /** @param plainBytes without an index; 0 when that was not measured */
    private record Measured(
            long items, Map<ScaleQuestion, Cost> costs, long bytes, long plainBytes, double loadSeconds) {}

    private final Report report = new Report("scale");

    @Override
    public Integer call() throws Exception {
        var wanted = wanted();
        if (seconds < 1 || rounds < 1 || warmupSeconds < 1 || wanted.isEmpty() || wanted.getFirst() < 1_000) {
            throw new ParameterException(spec.commandLine(), "Numbers must be 1 or more, and sizes 1000 or more.");
        }
        var home = Servers.findHome();
        var servers = new Servers(home, home.resolve("bench/target/run"));
        servers.clear();
        report.add(new Surroundings(home).text());
        report.add("`./orrery bench "
                + String.join(" ", spec.root().commandLine().getParseResult().originalArgs())
                + "`: medians of " + rounds + " rounds of " + seconds + " s on one connection.");
        var all = new ArrayList<Measured>();
        try {
            for (long size : wanted) {
                all.add(measure(servers, new ScaleItems(size)));
            }
        } finally {
            servers.clear();
        }
        tables(all);
        System.out.println(report.text());
        if (page != null) {
            var image = page.toAbsolutePath().resolveSibling(IMAGE);
            Files.createDirectories(image.getParent());
            Files.writeString(image, plot(all));
            report.writeInto(page);
        }
        return 0;
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
            loadSeconds = load(orrery, items, "");
            settle(orrery.server());
            for (var question : ScaleQuestion.values()) {
                costs.put(question, cost(orrery, items, question));
            }
        } finally {
            orrery.server().close();
        }
        long bytes = dataBytes(servers);
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
            load(orrery, items, ",\"indexingPolicy\":{\"indexingMode\":\"none\",\"automatic\":false}");
            settle(orrery.server());
        } finally {
            orrery.server().close();
        }
        return dataBytes(servers);
    }

    /** Another start moves what is only in the log of writes to where it stays. */
    private static long dataBytes(Servers servers) throws IOException, InterruptedException {
        var server = servers.startOrrery().contender().server();
        settle(server);
        server.close();
        return folderBytes(servers.orreryData());
    }

    /** Through the same code as {@code orrery import}; returns how many seconds it took. */
    private static double load(HttpContender orrery, ScaleItems items, String policy)
            throws IOException, InterruptedException {
        var requests = new Requests(orrery.plain(), orrery.key());
        Exchange.demand(orrery.plain(), requests.post("dbs", "", "", "{\"id\":\"scale\"}"));
        var container = "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\",\"version\":2}"
                + policy + "}";
        Exchange.demand(orrery.plain(), requests.post("colls", ScaleQuestion.DATABASE_LINK, "", container));
        var plan = new ImportPlan(
                List.of(Source.stream("items", items.lines(), Format.NDJSON, Compression.NONE)),
                CsvOptions.DEFAULT,
                Conflict.FAIL,
                false,
                CONNECTIONS,
                0,
                Checkpoint.start("scale/items", List.of("items"), "bench"),
                false,
                Optional.empty());
        var task = String.format(Locale.ROOT, "Loading %,d items", items.count());
        boolean watched = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        long begin = System.nanoTime();
        try (var account = new AccountClient(
                        URI.create("http://" + orrery.plain().host()), orrery.key(), Clock.systemUTC());
                var progress = new Progress(task, items.bytes(), Progress.Unit.BYTES, watched ? COLUMNS : 0)) {
            var target = new ContainerClient(account, "scale", "items");
            var outcome = new Importer(target, plan, new Reports(progress), new StopSignal()).run();
            if (outcome.end().imported() != items.count()) {
                throw new BenchException(
                        "Not all items were loaded: " + outcome.reason().orElse(""));
            }
        } catch (RefusedException e) {
            throw new BenchException("The container is not there: " + e.getMessage(), e);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private record Reports(Progress progress) implements ImportListener {
        @Override
        public void refused(String file, long line, long column, String message) {
            progress.message(line + ": " + message);
        }

        @Override
        public void hindered(String message) {
            progress.message(message);
        }

        @Override
        public void progress(long bytesRead, long imported) {
            progress.show(bytesRead, imported);
        }
    }

    /** Waits until the server has put its files in order. */
    private static void settle(ChildServer server) throws InterruptedException {
        long end = System.nanoTime() + SETTLED_MAX.toNanos();
        double share = 1;
        while (share > SETTLED_CPU_SHARE
                && System.nanoTime() < end
                && server.cpu().isPresent()) {
            var before = server.cpu().orElseThrow();
            Thread.sleep(1_000);
            share = server.cpu().orElseThrow().minus(before).toNanos() / 1e9;
        }
    }

    private Cost cost(HttpContender orrery, ScaleItems items, ScaleQuestion question) {
        var requests = new Requests(orrery.plain(), orrery.key());
        var random = new SplittableRandom(items.count());
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            var samples = new ArrayList<Cost>();
            RequestMaker maker = () -> question.request(requests, items, random);
            ask(orrery, connection, maker, question, warmupSeconds);
            for (int round = 0; round < rounds; round++) {
                samples.add(ask(orrery, connection, maker, question, seconds));
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
            int length) {
        var times = new double[1 << 20];
        int asked = 0;
        var before = orrery.server().cpu();
        long end = System.nanoTime() + Duration.ofSeconds(length).toNanos();
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

    private static long folderBytes(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    // ---- all sizes ----

    private void tables(List<Measured> all) {
        table(
                "CPU of the server for a request, µs (aim: at most 2 × that of the smallest container)",
                all,
                cost -> Report.whole(cost.cpuMicros()),
                Cost::cpuMicros);
        if (page != null) {
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
