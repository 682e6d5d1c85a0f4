package dev.orrery.engine.golden;

import static dev.orrery.engine.golden.GoldenContainer.ONE_PARTITION;
import static dev.orrery.engine.golden.GoldenContainer.PARTITION_PER_ITEM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.golden.GoldenCorpus;
import dev.orrery.sql.golden.Transcript.Statement;
import dev.orrery.sql.plan.PlanFeature;
import dev.orrery.sql.plan.SdkClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every statement of the golden corpus, asked of a database: on each store, in small pages, over many partitions. */
class GoldenDatabaseTest {
    private static final int WHOLE = 1_000;
    private static final int REQUEST_UNITS_OF_ONE_RANGE = 400;
    private static final int REQUEST_UNITS_OF_FIVE_RANGES = 50_000;

    /** The database gives items these, whatever they came with. */
    private static final Set<String> SYSTEM_PROPERTIES = Set.of("_rid", "_self", "_etag", "_attachments", "_ts");

    /** What no SDK can put together from the rows of several partitions, by the words of its refusal, and why. */
    private static final Map<String, String> REFUSALS_OF_PLANS = Map.of(
            "Compositions of aggregates", "SDKs put together aggregates that stand alone, not what is made of them.",
            "ORDER BY together with GROUP BY", "No SDK sorts groups.",
            "depend on more than one item", "No SDK runs a query over the rows of another one.",
            "from 0 to 2147483647", "SDKs read counts as numbers of 32 bits.");

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
            return new Comparison(
                    actual,
                    statement.result().stream().map(GoldenDatabaseTest::plain).toList());
        });
    }

    /** Where partitions change the order of items, the language itself says what comes of that order. */
    @Test
    void overManyPartitions() {
        try (var database = TestDatabase.withContainer(PARTITION_PER_ITEM, REQUEST_UNITS_OF_FIVE_RANGES)) {
            assertThat(database.ranges()).hasSize(5);
            var container = new GoldenContainer(database);
            for (var pageSize : List.of(WHOLE, 1)) {
                forEachStatement(statement -> new Comparison(
                        printed(() -> container.rows(statement, pageSize, _ -> {})),
                        printed(() -> container.rowsOfTheLanguage(statement))));
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
                var actual = printed(() -> byPlan(container, statement));
                if (isRefusedOnlyByPlans(actual.getFirst())) {
                    return new Comparison(List.of(), List.of());
                }
                return sortsByTies(statement)
                        ? new Comparison(sorted(actual), sorted(expected))
                        : new Comparison(actual, expected);
            });
        }
    }

    private static boolean isRefusedOnlyByPlans(String line) {
        return line.startsWith("! BadRequest")
                && REFUSALS_OF_PLANS.keySet().stream().anyMatch(line::contains);
    }

    private static List<JsonValue> byPlan(GoldenContainer container, Statement statement) {
        var database = container.database();
        var asked = new Operation.PlanQuery(
                TestDatabase.CONTAINER,
                Optional.empty(),
                GoldenContainer.text(statement),
                Arrays.stream(PlanFeature.values()).map(PlanFeature::wireName).toList());
        var outcome = database.execute(asked);
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new FailureException(failure);
        }
        var plan = (Obj) JsonReader.parse(((Answer.Plan) outcome.answer()).json());
        var client = new SdkClient(plan);
        var text = TestDatabase.queryText(client.textToSend(statement.text()), statement.parameters());
        var first = (Obj) ((Arr) plan.member("queryRanges")).at(0);
        var partitions = new ArrayList<List<JsonValue>>();
        for (var range : database.ranges()) {
            if (first.member("max").equals(first.member("min")) && !partitions.isEmpty()) {
                break;
            }
            var scope =
                    new Scope(Optional.of(TestDatabase.text((Obj) range, "id")), Optional.empty(), Optional.empty());
            partitions.add(database.query(text, scope, WHOLE, _ -> {}));
        }
        return client.merge(partitions);
    }

    /** Rows with equal sort values come in the order of their numbers here, and of their partitions with an SDK. */
    private static boolean sortsByTies(Statement statement) {
        return statement.text().toUpperCase(Locale.ROOT).contains("ORDER BY");
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
        return JsonWriter.text(withoutSystemProperties(row));
    }

    private static JsonValue withoutSystemProperties(JsonValue value) {
        return switch (value) {
            case Arr(var items) ->
                new Arr(items.stream()
                        .map(GoldenDatabaseTest::withoutSystemProperties)
                        .toList());
            case Obj object -> {
                var rest = Obj.builder();
                object.members().forEach((name, member) -> {
                    if (!SYSTEM_PROPERTIES.contains(name)) {
                        rest.put(name, withoutSystemProperties(member));
                    }
                });
                yield rest.build();
            }
            case JsonValue other -> other;
        };
    }
}
