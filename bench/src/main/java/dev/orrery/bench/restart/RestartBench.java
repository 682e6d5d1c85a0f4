package dev.orrery.bench.restart;

import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.LinePlot;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how long a server needs to take writes again after it was killed, by the number of its ranges. */
@Command(
        name = "restart",
        description = {
            "Fills containers of two ranges each, kills the server in the midst of writing, and measures how long"
                    + " another start takes: to the line that says it is ready, and to its first answered write.",
            "Wants a machine that does nothing else."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class RestartBench implements Callable<Integer> {
    private static final int RANGES_OF_CONTAINER = 2;
    private static final int RANGE_REQUEST_UNITS = 6_000;
    private static final int KIB = 1024;
    private static final String IMAGE = "images/restart.svg";
    private static final String DATABASE_LINK = "dbs/restart";

    @Option(
            names = "--ranges",
            paramLabel = "N",
            split = ",",
            description = "How many ranges there are, two in each container.",
            defaultValue = "2,20,100,200")
    private List<Integer> ranges;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            description = "How much is in all of them together.",
            defaultValue = "2000")
    private int megabytes;

    @Option(names = "--item-kilobytes", paramLabel = "N", description = "Size of an item.", defaultValue = "16")
    private int itemKilobytes;

    @Mixin
    private final Measuring measuring = new Measuring(1, 3, 1);

    private final Report report = new Report("restart");

    /** Times from the start of the launcher. */
    private record Measured(int ranges, long bytes, double readySeconds, double writtenSeconds) {}

    @Override
    public Integer call() throws Exception {
        measuring.check(
                !ranges.isEmpty()
                        && ranges.stream().allMatch(some -> some > 0 && some % RANGES_OF_CONTAINER == 0)
                        && megabytes > 0
                        && itemKilobytes > 0,
                "Numbers must be 1 or more, and those of ranges even.");
        var counted = "medians of %d starts, each after the server was killed.".formatted(measuring.rounds());
        return measuring.run(report, counted, servers -> {
            var all = new ArrayList<Measured>();
            for (int some : ranges.stream().sorted().toList()) {
                all.add(measure(servers, some));
            }
            tell(all);
        });
    }

    private Measured measure(Servers servers, int wanted) throws IOException, InterruptedException {
        servers.clear();
        Files.createDirectories(servers.work());
        int containers = wanted / RANGES_OF_CONTAINER;
        var filled = servers.startOrrery().contender();
        try {
            fill(filled, containers);
        } finally {
            filled.server().kill();
        }
        var ready = new double[measuring.rounds()];
        var written = new double[measuring.rounds()];
        for (int round = 0; round < ready.length; round++) {
            long start = System.nanoTime();
            var started = servers.startOrrery();
            var server = started.contender().server();
            try (var connection = new KeepAliveConnection(started.contender().plain())) {
                var requests = new Requests(
                        started.contender().plain(), started.contender().key());
                connection.demand(item(requests, link(round % containers), "round-" + round, "{}"));
                ready[round] = started.time().toNanos() / 1e9;
                written[round] = (System.nanoTime() - start) / 1e9;
                // What the next start has to make good: a little of everything, written just before the end.
                for (int container = 0; container < containers; container++) {
                    connection.demand(item(requests, link(container), "last-" + round, "{}"));
                }
            } finally {
                server.kill();
            }
        }
        return new Measured(wanted, servers.dataBytes(), Report.median(ready), Report.median(written));
    }

    private void fill(HttpContender orrery, int containers) {
        var requests = new Requests(orrery.plain(), orrery.key());
        var random = new SplittableRandom(containers);
        // Random digits, of which two make a byte: not to be packed to nothing.
        var bytes = new byte[itemKilobytes * KIB / 2];
        long items = (long) megabytes * KIB / itemKilobytes;
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            connection.demand(requests.post("dbs", "", "", "{\"id\":\"restart\"}"));
            for (int container = 0; container < containers; container++) {
                connection.demand(requests.post(
                        "colls",
                        DATABASE_LINK,
                        "x-ms-offer-throughput: " + RANGES_OF_CONTAINER * RANGE_REQUEST_UNITS + "\r\n",
                        "{\"id\":\"c" + container + "\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\"}}"));
            }
            for (long number = 0; number < items; number++) {
                random.nextBytes(bytes);
                var text = '"' + HexFormat.of().formatHex(bytes) + '"';
                connection.demand(item(requests, link((int) (number % containers)), "item-" + number, text));
            }
        }
    }

    private static String link(int container) {
        return DATABASE_LINK + "/colls/c" + container;
    }

    private static byte[] item(Requests requests, String link, String id, String value) {
        var body = "{\"id\":\"" + id + "\",\"value\":" + value + "}";
        return requests.post("docs", link, Requests.partitionKey(id), body);
    }

    private void tell(List<Measured> all) throws IOException {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("ranges", "containers", "MB on disk", "ready after, s", "first write after, s"));
        for (var one : all) {
            rows.add(List.of(
                    Report.whole((double) one.ranges()),
                    Report.whole((double) one.ranges() / RANGES_OF_CONTAINER),
                    Report.whole(one.bytes() / 1e6),
                    seconds(one.readySeconds()),
                    seconds(one.writtenSeconds())));
        }
        report.addTable("Start after SIGKILL (aim: less than 3 s with 100 ranges and 2 GB)", rows);
        if (measuring.page().isPresent()) {
            report.add("![Start after SIGKILL by the number of ranges](" + IMAGE + ")");
            var image = measuring.page().get().toAbsolutePath().resolveSibling(IMAGE);
            Files.createDirectories(image.getParent());
            Files.writeString(image, plot(all), StandardCharsets.UTF_8);
        }
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String plot(List<Measured> all) {
        var ready = all.stream()
                .map(one -> new LinePlot.Point(one.ranges(), one.readySeconds()))
                .toList();
        var written = all.stream()
                .map(one -> new LinePlot.Point(one.ranges(), one.writtenSeconds()))
                .toList();
        return new LinePlot(
                        "Start after SIGKILL",
                        "ranges, with the same data in all of them",
                        "s",
                        List.of(new LinePlot.Line("ready", ready), new LinePlot.Line("first write", written)))
                .svg();
    }
}
