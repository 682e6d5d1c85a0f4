package dev.orrery.bench.direct;

import dev.orrery.bench.direct.SdkClient.Sample;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the two ways of the official Java SDK to a server side by side. */
@Command(
        name = "direct",
        description = {
            "Reads, creates and queries with the official Java SDK, in gateway mode over https and in Direct mode in"
                    + " turn; prints latencies, rates, and the processor time of server and client.",
            "Wants a machine that does nothing else; takes about six minutes."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class DirectBench implements Callable<Integer> {
    private static final Map<String, String> TITLES = Map.of(
            "READ", "Point read of a 1 KB item",
            "CREATE", "Create of a 1 KB item, strict durability, no content in the answer",
            "QUERY", "Query for the 20 items of 1 KB of one partition");

    @Mixin
    private final Measuring measuring = new Measuring(5, 3, 10);

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            split = ",",
            description = "Numbers of requests that are under way at once.",
            defaultValue = "1,8,64")
    private List<Integer> inFlightCounts;

    private final Report report = new Report("direct");

    @Override
    public Integer call() throws Exception {
        measuring.check(inFlightCounts.stream().allMatch(count -> count > 0), "Numbers must be 1 or more.");
        return measuring.run(
                report,
                "medians of %d rounds of %d s.".formatted(measuring.rounds(), measuring.seconds()),
                this::measure);
    }

    private void measure(Servers servers) throws InterruptedException {
        var orrery = servers.startOrrery().contender();
        try (var server = orrery.server();
                var gateway = SdkClient.start(servers, orrery, "gateway");
                var direct = SdkClient.start(servers, orrery, "direct")) {
            // Creates come last: they fill the partitions that the queries ask.
            for (var kind : List.of("READ", "QUERY", "CREATE")) {
                say("warming up: " + kind.toLowerCase(Locale.ROOT));
                gateway.measure(kind, 8, measuring.warmup());
                direct.measure(kind, 8, measuring.warmup());
                var rows = new ArrayList<List<String>>();
                rows.add(List.of(
                        "in flight",
                        "gateway req/s",
                        "p50 µs",
                        "p99 µs",
                        "server CPU µs",
                        "client CPU µs",
                        "direct req/s",
                        "p50 µs",
                        "p99 µs",
                        "server CPU µs",
                        "client CPU µs",
                        "p50, direct / gateway",
                        "server CPU, direct / gateway"));
                for (int inFlight : inFlightCounts) {
                    rows.add(row(inFlight, kind, gateway, direct));
                }
                report.addTable(TITLES.get(kind), rows);
            }
            server.settle();
        }
    }

    /** Both take turns, so that what disturbs the machine for a while disturbs both of them. */
    private List<String> row(int inFlight, String kind, SdkClient gateway, SdkClient direct)
            throws InterruptedException {
        var overHttps = new ArrayList<Sample>();
        var inFrames = new ArrayList<Sample>();
        for (int round = 1; round <= measuring.rounds(); round++) {
            say("%s, %d in flight, round %d of %d"
                    .formatted(kind.toLowerCase(Locale.ROOT), inFlight, round, measuring.rounds()));
            overHttps.add(gateway.measure(kind, inFlight, measuring.length()));
            inFrames.add(direct.measure(kind, inFlight, measuring.length()));
        }
        var first = Sample.median(overHttps);
        var second = Sample.median(inFrames);
        var cells = new ArrayList<String>();
        cells.add(Integer.toString(inFlight));
        for (var sample : List.of(first, second)) {
            cells.add(Report.whole(sample.requestsPerSecond()));
            cells.add(Report.whole(sample.p50()));
            cells.add(Report.whole(sample.p99()));
            cells.add(Report.whole(sample.serverCpu()));
            cells.add(Report.whole(sample.clientCpu()));
        }
        cells.add(Report.percent(second.p50() / first.p50()));
        cells.add(Report.percent(second.serverCpu() / first.serverCpu()));
        return cells;
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}
