package dev.orrery.bench.http;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.ChildServer;
import dev.orrery.bench.harness.Contender;
import dev.orrery.bench.harness.Contender.Sample;
import dev.orrery.bench.harness.Exchange;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.RequestKind;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import dev.orrery.bench.harness.Scenario;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures reads and creates over http, the start, and a server that has nothing to do. */
@Command(
        name = "http",
        description = {
            "Reads and creates 1 KB items on Orrery, a bare Netty server, RocksDB and @vercel/cosmosdb-server, one"
                + " after another in turn; then prints medians. Also how long a start takes, and what idling costs.",
            "Wants a machine that does nothing else; takes about ten minutes."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class HttpBench implements Callable<Integer> {
    private static final int STARTS = 5;
    private static final Duration SETTLE = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofSeconds(20);
    private static final Duration RAMP = Duration.ofSeconds(1);
    private static final double START_SECONDS_AIM = 1.5;
    private static final double RESIDENT_MEGABYTES_AIM = 250;
    private static final double IDLE_PERCENT_AIM = 0.5;

    @Mixin
    private final Measuring measuring = new Measuring(5, 3, 10);

    @Option(
            names = "--connections",
            paramLabel = "N",
            split = ",",
            description = "Numbers of kept-alive connections.",
            defaultValue = "1,8,64")
    private List<Integer> connectionCounts;

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final Report report = new Report("http");
    private int measurementsDone;

    @Override
    public Integer call() throws Exception {
        measuring.check(connectionCounts.stream().allMatch(count -> count > 0), "Numbers must be 1 or more.");
        return measuring.run(
                report,
                "medians of %d rounds of %d s.".formatted(measuring.rounds(), measuring.seconds()),
                this::measureAndStop);
    }

    private void measureAndStop(Servers servers) throws Exception {
        try {
            measure(servers);
        } finally {
            while (!running.isEmpty()) {
                running.pop().close();
            }
        }
    }

    private void measure(Servers servers) throws InterruptedException {
        var startSeconds = starts(servers);
        var orrery = keep(servers.startOrrery().contender());
        say("idle for " + SETTLE.plus(IDLE).toSeconds() + " s");
        Thread.sleep(SETTLE);
        var residentIdle = orrery.server().residentMegabytes();
        var idlePercent = idlePercent(orrery.server());

        orrery.provision(orrery.plain());
        for (var scenario : scenarios(servers, orrery)) {
            measure(scenario);
        }
        report.addTable(
                "Start and idle",
                List.of(
                        List.of("Orrery", "measured", "aim"),
                        List.of(
                                "start to ready, median of " + STARTS,
                                Report.measured(OptionalDouble.of(startSeconds), "%.2f s"),
                                "under " + START_SECONDS_AIM + " s"),
                        List.of(
                                "resident memory, idle after the start",
                                Report.measured(residentIdle, "%.0f MB"),
                                "under %.0f MB".formatted(RESIDENT_MEGABYTES_AIM)),
                        List.of(
                                "resident memory, after all of the load",
                                Report.measured(orrery.server().residentMegabytes(), "%.0f MB"),
                                ""),
                        List.of(
                                "CPU when idle, of one core",
                                Report.measured(idlePercent, "%.2f %%"),
                                "under " + IDLE_PERCENT_AIM + " %")));
    }

    /** What is compared with what, and over which aim; reads before creates, so that stores are small and warm. */
    private static HttpContender startBareNetty(Servers servers, Exchange.Reply recorded) throws InterruptedException {
        var file = servers.work().resolve("reply");
        try {
            Files.writeString(file, recorded.text(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new BenchException("Cannot write " + file, e);
        }
        var server = servers.startJava(BareNetty.class, "bare-netty.log", file.toString());
        return Servers.contender("bare Netty", server, false);
    }

    private static RocksDbContender startRawRocksDb(Servers servers) throws InterruptedException {
        var folder = servers.work().resolve("rocksdb").toString();
        var server = servers.startJava(
                RawRocksDb.class, "rocksdb.log", servers.orreryData().toString(), folder);
        server.awaitLine("ready", Duration.ZERO);
        return new RocksDbContender("RocksDB", server);
    }

    private List<Scenario> scenarios(Servers servers, HttpContender orrery) throws InterruptedException {
        var requests = new Requests(orrery.plain(), orrery.key());
        var reply = Exchange.demand(orrery.plain(), requests.read(SampleItem.id(0)));
        var bareNetty = keep(startBareNetty(servers, reply));
        var rocksDb = keep(startRawRocksDb(servers));
        var emulator = servers.startEmulator().map(this::keep);
        if (emulator.isEmpty()) {
            report.add("`@vercel/cosmosdb-server` is left out: there was no npm to install it.");
        }
        return List.of(
                new Scenario(
                        "Point read of a 1 KB item over http",
                        RequestKind.READ,
                        false,
                        60,
                        contenders(orrery, bareNetty, emulator)),
                new Scenario(
                        "Point read of a 1 KB item over https",
                        RequestKind.READ,
                        true,
                        60,
                        contenders(orrery, bareNetty, emulator)),
                new Scenario(
                        "Create of a 1 KB item with 10 properties over http, strict durability",
                        RequestKind.CREATE,
                        false,
                        50,
                        contenders(orrery, rocksDb, emulator)));
    }

    private static List<Contender> contenders(Contender first, Contender yardstick, Optional<HttpContender> other) {
        return Stream.concat(Stream.of(first, yardstick), other.stream()).toList();
    }

    private void measure(Scenario scenario) throws InterruptedException {
        int mostConnections =
                connectionCounts.stream().max(Comparator.naturalOrder()).orElseThrow();
        for (var contender : scenario.contenders()) {
            say(scenario.title() + ": warming up " + contender.name());
            contender.measure(scenario, mostConnections, RAMP, measuring.warmup());
        }
        var rows = new ArrayList<List<String>>();
        rows.add(Report.head(scenario.contenders().stream().map(Contender::name).toList()));
        for (int connections : connectionCounts) {
            rows.add(Report.row(connections, medians(scenario, connections)));
        }
        report.addTable(scenario.title() + " (aim: at least " + scenario.aimPercent() + " %)", rows);
    }

    /** All contenders take turns, so that what disturbs the machine for a while disturbs all of them. */
    private List<Sample> medians(Scenario scenario, int connections) throws InterruptedException {
        var samples = new LinkedHashMap<Contender, List<Sample>>();
        for (int round = 1; round <= measuring.rounds(); round++) {
            for (var contender : scenario.contenders()) {
                var sample = contender.measure(scenario, connections, RAMP, measuring.length());
                samples.computeIfAbsent(contender, _ -> new ArrayList<>()).add(sample);
                say("[%d] %s, %d connections, round %d of %d: %s %s req/s, %s µs"
                        .formatted(
                                ++measurementsDone,
                                scenario.title(),
                                connections,
                                round,
                                measuring.rounds(),
                                contender.name(),
                                Report.whole(sample.requestsPerSecond()),
                                Report.whole(sample.cpuMicros())));
            }
        }
        return samples.values().stream().map(Report::median).toList();
    }

    /** Median of the seconds from the launcher's start to the ready line, on a folder that exists already. */
    private double starts(Servers servers) throws InterruptedException {
        servers.startOrrery().contender().server().close();
        var times = new double[STARTS];
        for (int start = 0; start < STARTS; start++) {
            var started = servers.startOrrery();
            started.contender().server().close();
            times[start] = started.time().toNanos() / 1e9;
            say("start %d of %d: %.2f s".formatted(start + 1, STARTS, times[start]));
        }
        return Report.median(times);
    }

    private static OptionalDouble idlePercent(ChildServer server) throws InterruptedException {
        var before = server.cpu();
        Thread.sleep(IDLE);
        return server.cpu().stream()
                .mapToDouble(after -> 100.0 * after.minus(before.orElseThrow()).toNanos() / IDLE.toNanos())
                .findFirst();
    }

    private <T extends Contender> T keep(T contender) {
        running.push(contender.server());
        return contender;
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}
