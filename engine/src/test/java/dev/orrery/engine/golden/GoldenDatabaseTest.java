package dev.orrery.engine.golden;

import static dev.orrery.engine.golden.GoldenContainer.ONE_PARTITION;
import static dev.orrery.engine.golden.GoldenContainer.PARTITION_PER_ITEM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.SdkRoad;
import dev.orrery.engine.TestDatabase;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.golden.GoldenCorpus;
import dev.orrery.sql.golden.Transcript.Statement;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every statement of the golden corpus, asked of a database: on each store, in small pages, over many partitions. */
class GoldenDatabaseTest {
    private static final int WHOLE = 1_000;
    private static final int REQUEST_UNITS_OF_ONE_RANGE = 400;
    private static final int REQUEST_UNITS_OF_FIVE_RANGES = 30_000;

    @TempDir
    Path directory;

    @Test
    void inMemory() {
        try (var database = TestDatabase.withContainer(ONE_PARTITION, REQUEST_UNITS_OF_ONE_RANGE)) {
            replay(database, WHOLE);
        }
    }

    @Test
    void onRocksDb() {
        try (var database = TestDatabase.withContainer(directory, ONE_PARTITION, REQUEST_UNITS_OF_ONE_RANGE)) {
            replay(database, WHOLE);
        }
    }

    @Test
    void inPagesOfOneRow() {
        try (var database = TestDatabase.withContainer(ONE_PARTITION, REQUEST_UNITS_OF_ONE_RANGE)) {
            replay(database, 1);
        }
    }

    private static void replay(TestDatabase database, int pageSize) {
        var container = new GoldenContainer(database);
        forEachStatement(statement -> {
            var actual = printed(() -> container.rows(statement, pageSize, _ -> {}));
            var expected =
                    statement.result().stream().map(GoldenDatabaseTest::plain).toList();
            return isInOrderOfIds(statement) || isSorted(statement)
                    ? new Comparison(actual, expected)
                    : new Comparison(sorted(actual), sorted(expected));
        });
    }

    /** Where partitions change the order of items, the language itself says what comes of that order. */
    @Test
    void overManyPartitions() {
        try (var database = TestDatabase.withContainer(PARTITION_PER_ITEM, REQUEST_UNITS_OF_FIVE_RANGES)) {
            assertThat(database.ranges()).hasSize(5);
            var container = new GoldenContainer(database);
            for (var pageSize : List.of(WHOLE, 1)) {
                forEachStatement(statement -> {
                    var actual = printed(() -> container.rows(statement, pageSize, _ -> {}));
                    return SdkRoad.isRefusedOverPartitions(statement.text(), actual.getFirst())
                            ? new Comparison(List.of(), List.of())
                            : new Comparison(actual, printed(() -> container.rowsOfTheLanguage(statement)));
                });
            }
        }
    }

    /** As SDKs do that ask for a plan, send its query to each range and put the rows together. */
    @Test
    void overManyPartitionsByTheirPlan() {
        try (var database = TestDatabase.withContainer(PARTITION_PER_ITEM, REQUEST_UNITS_OF_FIVE_RANGES)) {
            var container = new GoldenContainer(database);
            forEachStatement(statement -> {
                var expected = printed(() -> container.rowsOfTheLanguage(statement));
                var actual = printed(() -> SdkRoad.rows(database, statement.text(), statement.parameters()));
                if (SdkRoad.isRefusedByPlansOnly(actual.getFirst())) {
                    return new Comparison(List.of(), List.of());
                }
                // Rows with equal sort values come in the order of their numbers here, and of partitions with an SDK.
                return isSorted(statement)
                        ? new Comparison(sorted(actual), sorted(expected))
                        : new Comparison(actual, expected);
            });
        }
    }

    private static boolean isSorted(Statement statement) {
        return statement.text().toUpperCase(Locale.ROOT).contains("ORDER BY");
    }

    /** A container keeps the items of a logical partition in the order of their ids. */
    private static boolean isInOrderOfIds(Statement statement) {
        var ids = statement.items().stream()
                .map(item -> ((Obj) item).member("id"))
                .toList();
        return ids.equals(ids.stream().sorted(JsonOrder.INSTANCE).toList());
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().sorted().toList();
    }

    // ---- comparing ----

    private record Comparison(List<String> actual, List<String> expected) {}

    private interface Run {
        List<JsonValue> rows();
    }

    private static void forEachStatement(Function<Statement, Comparison> run) {
        var differences = new SoftAssertions();
        for (var statement : GoldenCorpus.statements()) {
            var comparison = run.apply(statement);
            differences
                    .assertThat(comparison.actual())
                    .as(statement.place() + " " + statement.text())
                    .isEqualTo(comparison.expected());
        }
        differences.assertAll();
    }

    private static List<String> printed(Run run) {
        try {
            var rows = run.rows();
            return rows.isEmpty()
                    ? List.of("(no rows)")
                    : rows.stream().map(GoldenDatabaseTest::plain).toList();
        } catch (FailureException refusal) {
            return List.of(GoldenCorpus.print(refusal.failure()));
        }
    }

    private static String plain(String line) {
        return line.startsWith("!") || line.startsWith("(") ? line : plain(JsonReader.parse(line));
    }

    private static String plain(JsonValue row) {
        return JsonWriter.text(SdkRoad.withoutSystemProperties(row));
    }
}
