package dev.orrery.bench.query;

import dev.orrery.bench.harness.Contender.Sample;
import dev.orrery.bench.harness.CreateLoad;
import dev.orrery.bench.harness.CreateSystem;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.Measuring;
import dev.orrery.bench.harness.Report;
import dev.orrery.bench.harness.RequestKind;
import dev.orrery.bench.harness.Scenario;
import dev.orrery.bench.harness.Servers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures queries: their parts inside the process, end to end, and beside other systems. */
@Command(
        name = "query",
        description = {
            "Reads and binds a query, scans items with a filter, compares a query with a point read, and asks Orrery,"
                    + " @vercel/cosmosdb-server and PostgreSQL 15 (JSONB) the same questions in turn.",
            "Wants a machine that does nothing else; takes about five minutes."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        showDefaultValues = true)
public final class QueryBench implements Callable<Integer> {
    private static final int WARM_SCANS = 10;
    private static final int SCANS = 11;
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration RAMP = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final List<Integer> CONNECTIONS = List.of(1, 8);
    private static final List<Integer> CREATE_CLIENTS = List.of(1, 8, 64);

    @Option(names = "--items", paramLabel = "N", description = "Items in the comparison.", defaultValue = "10000")
    private int items;

    @Option(names = "--scanned", paramLabel = "N", description = "Items in the scan.", defaultValue = "100000")
    private int scanned;

    @Mixin
    private final Measuring measuring = new Measuring(5, 5, 10);

    @Option(
            names = "--asks",
            paramLabel = "N",
            description = "Times that a question is asked in a round.",
            defaultValue = "200")
    private int asks;

    private final Report report = new Report("query");

    @Override
    public Integer call() throws Exception {
        measuring.check(
                items >= 5_000 && scanned > 0 && asks > 0,
                "Numbers must be 1 or more, and --items 5000 or more: questions name items.");
        return measuring.run(report, "medians of " + measuring.rounds() + " rounds.", servers -> {
            inside(servers.work().resolve("engine"));
            beside(servers);
        });
    }

    // ---- inside the process ----

    private void inside(Path folder) {
        try (var engine = new EngineProbe(folder)) {
            say("reading and binding a query");
            var parses = new double[measuring.rounds()];
            for (int round = -measuring.rounds(); round < measuring.rounds(); round++) {
                parses[Math.max(0, round)] = engine.parseMicros();
            }
            say("writing " + scanned + " items");
            engine.load(scanned);
            say("scanning them");
            var scans = new double[SCANS];
            for (int scan = -WARM_SCANS; scan < SCANS; scan++) {
                scans[Math.max(0, scan)] = engine.scanSeconds();
            }
            report.addTable(
                    "Inside the process, on one core",
                    List.of(
                            List.of("", "measured", "aim"),
                            List.of(
                                    "reading and binding a typical query",
                                    Report.measured(OptionalDouble.of(Report.median(parses)), "%.1f µs"),
                                    "under 20 µs"),
                            List.of(
                                    "filter scan over %,d items of 1 KB".formatted(scanned),
                                    "%s items/s".formatted(Report.whole(scanned / Report.median(scans))),
                                    "at least 1,000,000 items/s")));
        }
    }

    // ---- beside other systems ----

    private void beside(Servers servers) throws InterruptedException {
        var systems = new ArrayList<QuerySystem>();
        try {
            var orrery = servers.startOrrery().contender();
            var creators = new ArrayList<CreateSystem>();
            var asked = new ProtocolSystem(orrery);
            systems.add(asked);
            creators.add(asked);
            endToEnd(orrery);
            servers.startEmulator().map(ProtocolSystem::new).ifPresent(systems::add);
            PostgresSystem.start().ifPresent(postgres -> {
                systems.add(postgres);
                creators.add(postgres);
            });
            for (var system : systems) {
                say("writing " + items + " items to " + system.name());
                system.load(items);
            }
            compare(systems);
            creates(creators);
        } finally {
            systems.forEach(QuerySystem::close);
        }
    }

    /** The same item, read by its key and found by a query within its partition. */
    private void endToEnd(HttpContender orrery) throws InterruptedException {
        orrery.provision(orrery.plain());
        var query = new Scenario("query", RequestKind.QUERY, false, 0, List.of(orrery));
        var read = new Scenario("read", RequestKind.READ, false, 0, List.of(orrery));
        say("point reads and queries of one item");
        for (var scenario : List.of(query, read)) {
            orrery.measure(scenario, 8, RAMP, measuring.warmup());
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("connections", "query req/s", "CPU µs", "point read req/s", "CPU µs", "CPU, query / read"));
        for (int connections : CONNECTIONS) {
            var queries = new ArrayList<Sample>();
            var reads = new ArrayList<Sample>();
            for (int round = 0; round < measuring.rounds(); round++) {
                queries.add(orrery.measure(query, connections, RAMP, Duration.ofSeconds(3)));
                reads.add(orrery.measure(read, connections, RAMP, Duration.ofSeconds(3)));
            }
            var asked = Report.median(queries);
            var got = Report.median(reads);
            rows.add(List.of(
                    Integer.toString(connections),
                    Report.whole(asked.requestsPerSecond()),
                    Report.whole(asked.cpuMicros()),
                    Report.whole(got.requestsPerSecond()),
                    Report.whole(got.cpuMicros()),
                    ratio(asked.cpuMicros() / got.cpuMicros())));
        }
        report.addTable("Equality query within a partition, end to end (aim: at most 2 × a point read)", rows);
    }

    private void compare(List<QuerySystem> systems) throws InterruptedException {
        var rows = new ArrayList<List<String>>();
        var head = new ArrayList<String>();
        head.add("ms, one client");
        systems.forEach(system -> head.add(system.name()));
        systems.stream().skip(1).forEach(system -> head.add(system.name() + " / Orrery"));
        rows.add(head);
        for (var question : QueryCase.all()) {
            say(question.title());
            rows.add(row(question, systems));
        }
        report.addTable("The same questions over %,d items of 1 KB".formatted(items), rows);
    }

    /** One item a request, with an index over all of it, answered when it is on disk. */
    private void creates(List<CreateSystem> systems) throws InterruptedException {
        var loads = new LinkedHashMap<CreateSystem, CreateLoad>();
        for (var system : systems) {
            system.prepareCreates();
            var load = new CreateLoad(system);
            say("warming up creates of " + system.name());
            load.measure(CREATE_CLIENTS.getLast(), measuring.warmup(), RAMP);
            loads.put(system, load);
        }
        var rows = new ArrayList<List<String>>();
        rows.add(createHead(systems));
        for (int clients : CREATE_CLIENTS) {
            say("creates, " + clients + " clients");
            var samples = new LinkedHashMap<CreateSystem, List<Sample>>();
            for (int round = 0; round < measuring.rounds(); round++) {
                for (var system : systems) {
                    var sample = loads.get(system).measure(clients, RAMP, measuring.length());
                    samples.computeIfAbsent(system, _ -> new ArrayList<>()).add(sample);
                }
            }
            var medians = samples.values().stream().map(Report::median).toList();
            rows.add(
                    systems.size() > 1
                            ? Report.row(clients, medians)
                            : List.of(
                                    Integer.toString(clients),
                                    Report.whole(medians.getFirst().requestsPerSecond()),
                                    Report.whole(medians.getFirst().cpuMicros())));
        }
        report.addTable("Creates of 1 KB items with everything indexed, each durable when it is answered", rows);
    }

    private static List<String> createHead(List<CreateSystem> systems) {
        return systems.size() > 1
                ? Report.head(systems.stream().map(CreateSystem::name).toList()).stream()
                        .map(cell -> cell.equals("connections") ? "clients" : cell)
                        .toList()
                : List.of("clients", systems.getFirst().name() + " req/s", "CPU µs");
    }

    private List<String> row(QueryCase question, List<QuerySystem> systems) throws InterruptedException {
        var times = new LinkedHashMap<QuerySystem, List<Double>>();
        var answers = new LinkedHashMap<QuerySystem, Optional<Long>>();
        for (var system : systems) {
            answers.put(system, warmUp(system, question));
        }
        for (int round = 0; round < measuring.rounds(); round++) {
            for (var system : systems) {
                if (answers.get(system).isPresent()) {
                    times.computeIfAbsent(system, _ -> new ArrayList<>()).add(millis(system, question));
                }
            }
        }
        var expected = answers.get(systems.getFirst());
        var medians = systems.stream()
                .map(system -> times.getOrDefault(system, List.of()))
                .map(some -> some.isEmpty()
                        ? Double.NaN
                        : Report.median(
                                some.stream().mapToDouble(Double::doubleValue).toArray()))
                .toList();
        var cells = new ArrayList<String>();
        cells.add(question.title());
        for (int at = 0; at < systems.size(); at++) {
            var answer = answers.get(systems.get(at));
            boolean differs = answer.isPresent() && !answer.equals(expected);
            cells.add(millis(medians.get(at))
                    + (differs ? " (answers " + answer.get() + ", not " + expected.get() + ")" : ""));
        }
        medians.stream().skip(1).forEach(median -> cells.add(ratio(median / medians.getFirst())));
        return cells;
    }

    private static Optional<Long> warmUp(QuerySystem system, QueryCase question) throws InterruptedException {
        long until = System.nanoTime() + WARM_UP.toNanos();
        Optional<Long> answer;
        do {
            answer = system.ask(question);
        } while (System.nanoTime() < until);
        return answer;
    }

    /** The mean of some asks in a row; of fewer where they take long. */
    private double millis(QuerySystem system, QueryCase question) throws InterruptedException {
        long before = System.nanoTime();
        int asked = 0;
        do {
            system.ask(question);
            asked++;
        } while (asked < asks && System.nanoTime() - before < PATIENCE.toNanos());
        return (System.nanoTime() - before) / 1e6 / asked;
    }

    private static String millis(double value) {
        return Double.isNaN(value) ? "not offered" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%.1f ×", value);
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}
