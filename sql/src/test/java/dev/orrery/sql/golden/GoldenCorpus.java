package dev.orrery.sql.golden;

import dev.orrery.model.Failure;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The statements of all transcripts, and how to run one. */
public final class GoldenCorpus {
    /** Found from the folder of any module: the database runs the same statements. */
    static final Path DIRECTORY = Path.of("../sql/src/test/resources/golden");

    public static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    private GoldenCorpus() {}

    static List<Path> files() {
        try (var walk = Files.walk(DIRECTORY)) {
            return walk.filter(file -> file.toString().endsWith(".query"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static List<Transcript.Statement> statements() {
        var statements = new ArrayList<Transcript.Statement>();
        for (var file : files()) {
            transcript(file).replay(statement -> {
                statements.add(statement);
                return List.of();
            });
        }
        return statements;
    }

    static Transcript transcript(Path file) {
        try {
            return new Transcript(DIRECTORY.relativize(file).toString(), Files.readAllLines(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static QueryInputs inputs(Transcript.Statement statement) {
        return QueryInputs.of(statement.parameters(), NOW, new SplittableRandom(1));
    }

    /** How a transcript writes a refusal. */
    public static String print(Failure failure) {
        return failure instanceof Failure.QuerySyntax(String message, String code, int start, int end)
                ? "! " + code + " " + start + ".." + end + " " + message
                : "! " + failure.getClass().getSimpleName() + " " + failure.message();
    }

    /** The rows of a query over some items; the first has the given document number. */
    public static List<JsonValue> rows(Query query, QueryInputs inputs, List<JsonValue> items, int firstNumber) {
        var rows = new ArrayList<JsonValue>();
        var complete = query.statistics()
                .map(statistics -> inputs.withStatistics(
                        rows(statistics, inputs, items, firstNumber).getFirst()))
                .orElse(inputs);
        var run = query.run(complete, row -> {
            rows.add(row);
            return true;
        });
        for (var index = 0; run.wantsItems() && index < items.size(); index++) {
            run.add(items.get(index), firstNumber + index);
        }
        run.finish();
        return rows;
    }
}
