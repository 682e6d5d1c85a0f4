package dev.orrery.bench.search;

import com.sun.management.ThreadMXBean;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.LocalEngine;
import dev.orrery.bench.harness.Report;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.model.key.PartitionKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What searches for shapes, words and vectors cost with the indexes for them, and without. */
@Command(
        name = "search",
        description = "Searches for shapes, words and vectors within this process, with an index and without.",
        mixinStandardHelpOptions = true)
public final class SearchBench implements Runnable {
    private static final int DIMENSIONS = 128;
    private static final int WORDS = 2_000;
    private static final int WORDS_OF_TEXT = 30;
    private static final int WRITES_AT_ONCE = 1_000;

    private static final String INDEXES = ",\"spatialIndexes\":[{\"path\":\"/place/*\",\"types\":[\"Point\"]}],"
            + "\"fullTextIndexes\":[{\"path\":\"/text\"}],\"vectorIndexes\":[{\"path\":\"/vector\",\"type\":\"flat\"}]";

    @Option(
            names = "--items",
            defaultValue = "50000",
            description = "Items in each of two containers: ${DEFAULT-VALUE}.")
    private int items;

    @Option(names = "--rounds", defaultValue = "5", description = "Runs of each query, of which the median counts.")
    private int rounds;

    @Option(names = "--markdown", paramLabel = "PAGE", description = "A page to put the table into.")
    private Optional<Path> markdown = Optional.empty();

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final SplittableRandom random = new SplittableRandom(1);

    private record Measured(double millis, long itemsRead) {}

    @Override
    public void run() {
        try {
            var folder = Files.createTempDirectory("orrery-bench");
            try (var engine = LocalEngine.onDisk(folder)) {
                measure(engine);
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new BenchException("Cannot use a temporary folder: " + e, e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }

    private void measure(LocalEngine engine) {
        var plain = engine.container("plain", definition("plain", ""));
        var indexed = engine.container("indexed", definition("indexed", INDEXES));
        fill(engine, plain, indexed);
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("query", "CPU ms, no index", "items read", "CPU ms, index", "items read"));
        for (var query : queries()) {
            var without = median(engine, plain, query);
            var with = median(engine, indexed, query);
            rows.add(List.of(
                    "`" + (query.length() > 72 ? query.substring(0, 69) + "..." : query) + "`",
                    String.format(Locale.ROOT, "%.1f", without.millis()),
                    String.format(Locale.ROOT, "%,d", without.itemsRead()),
                    String.format(Locale.ROOT, "%.1f", with.millis()),
                    String.format(Locale.ROOT, "%,d", with.itemsRead())));
        }
        var report = new Report("search");
        report.addTable(
                String.format(Locale.ROOT, "Searches over %,d items with a place, a text and a vector", items), rows);
        System.out.println(report.text());
        markdown.ifPresent(report::writeInto);
    }

    private List<String> queries() {
        return List.of(
                "SELECT VALUE COUNT(1) FROM c WHERE ST_DISTANCE(c.place, {type: 'Point', coordinates: [10, 50]}) <"
                        + " 50000",
                "SELECT VALUE COUNT(1) FROM c WHERE FullTextContains(c.text, 'word7')",
                "SELECT VALUE COUNT(1) FROM c WHERE FullTextContainsAll(c.text, 'word7', 'word8')",
                "SELECT TOP 10 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'word7', 'word8')",
                "SELECT TOP 10 c.id FROM c ORDER BY VectorDistance(c.vector, " + vector() + ")",
                "SELECT TOP 10 c.id FROM c WHERE c.half = 1 ORDER BY VectorDistance(c.vector, " + vector() + ")");
    }

    private static String definition(String name, String indexes) {
        return "{\"id\":\"" + name + "\",\"partitionKey\":{\"paths\":[\"/id\"],\"version\":2},"
                + "\"vectorEmbeddingPolicy\":{\"vectorEmbeddings\":[{\"path\":\"/vector\",\"dataType\":\"float32\","
                + "\"distanceFunction\":\"cosine\",\"dimensions\":" + DIMENSIONS + "}]},"
                + "\"fullTextPolicy\":{\"defaultLanguage\":\"en-US\",\"fullTextPaths\":[{\"path\":\"/text\"}]},"
                + "\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/half/?\"}],\"excludedPaths\":[{\"path\":\"/*\"}]"
                + indexes + "}}";
    }

    private void fill(LocalEngine engine, Address... containers) {
        var underWay = new ArrayList<CompletionStage<Outcome>>();
        for (int number = 0; number < items; number++) {
            var json = item(number).getBytes(StandardCharsets.UTF_8);
            var key = PartitionKey.parse("[\"" + number + "\"]");
            for (var container : containers) {
                var write = new ItemWrite.Create(json, Precondition.NONE);
                underWay.add(engine.start(new Operation.WriteItem(container, Optional.of(key), write, Triggers.NONE)));
            }
            if (underWay.size() >= WRITES_AT_ONCE) {
                underWay.forEach(LocalEngine::demand);
                underWay.clear();
            }
        }
        underWay.forEach(LocalEngine::demand);
    }

    private String item(int number) {
        var text = IntStream.range(0, WORDS_OF_TEXT)
                .mapToObj(_ -> "word" + random.nextInt(WORDS))
                .collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "{\"id\":\"%d\",\"half\":%d,\"place\":{\"type\":\"Point\",\"coordinates\":[%.5f,%.5f]},"
                        + "\"text\":\"%s\",\"vector\":%s}",
                number,
                number % 2,
                random.nextDouble(-10, 30),
                random.nextDouble(35, 60),
                text,
                vector());
    }

    private String vector() {
        return IntStream.range(0, DIMENSIONS)
                .mapToObj(_ -> String.format(Locale.ROOT, "%.6f", random.nextDouble(-1, 1)))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private Measured median(LocalEngine engine, Address container, String query) {
        var text = new QueryText(("{\"query\":\"" + query + "\"}").getBytes(StandardCharsets.UTF_8));
        var millis = new double[rounds];
        long itemsRead = 0;
        for (int round = 0; round < rounds; round++) {
            long before = thread.getCurrentThreadCpuTime();
            var outcome = LocalEngine.demand(engine.start(new Operation.QueryItems(
                    container,
                    Scope.ALL,
                    text,
                    new Page(Optional.of(1_000), Optional.empty()),
                    Set.of(QueryWish.WHOLE_RESULT))));
            millis[round] = (thread.getCurrentThreadCpuTime() - before) / 1e6;
            itemsRead = outcome.facts().queryMetrics().orElseThrow().itemsRead();
        }
        Arrays.sort(millis);
        return new Measured(millis[rounds / 2], itemsRead);
    }
}
