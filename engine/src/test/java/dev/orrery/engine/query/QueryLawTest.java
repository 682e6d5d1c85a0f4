package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.SdkRoad;
import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.store.Seed;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for any query over any items, tried with random ones. */
class QueryLawTest {
    private static final String FLAT = "{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}";
    private static final String HIERARCHICAL = "{\"paths\":[\"/pk\",\"/id\"],\"kind\":\"MultiHash\",\"version\":2}";
    private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":" + FLAT + ","
            + "\"computedProperties\":" + RandomQueries.COMPUTED + ","
            + "\"indexingPolicy\":{\"compositeIndexes\":" + RandomQueries.COMPOSITES + "}}";
    private static final int ONE_RANGE = 400;
    private static final int FIVE_RANGES = 30_000;
    private static final int ITEMS = 40;
    private static final int WHOLE = 1_000_000;
    private static final List<Integer> PAGE_SIZES = List.of(1, 2, 7, 100);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {FLAT, HIERARCHICAL})
    void theNumberOfPartitionsAndTheSizeOfPagesDoNotChangeTheRows(String partitionKey) {
        var random = Seed.random();
        var queries = new RandomQueries(random);
        var definition = DEFINITION.replace(FLAT, partitionKey);
        try (var one = TestDatabase.withContainer(definition, ONE_RANGE);
                var many = TestDatabase.withContainer(definition, FIVE_RANGES)) {
            assertThat(many.ranges()).hasSize(5);
            fill(queries, partitionKey, List.of(one, many));
            for (int count = 0; count < 500; count++) {
                var query = queries.query();
                var expected = rows(one, query, WHOLE, _ -> {});
                for (var pageSize : PAGE_SIZES) {
                    assertThat(rows(one, query, pageSize, _ -> {}))
                            .as("%s in pages of %d", query, pageSize)
                            .isEqualTo(expected);
                }
                assertThat(rows(many, query, WHOLE, _ -> {}))
                        .as("%s over many partitions", query)
                        .isEqualTo(expected);
                var pageSize = PAGE_SIZES.get(random.nextInt(PAGE_SIZES.size()));
                assertThat(rows(many, query, pageSize, _ -> {}))
                        .as("%s over many partitions in pages of %d", query, pageSize)
                        .isEqualTo(expected);
                var byPlan = printed(() -> SdkRoad.rows(many, query, Map.of()));
                boolean comparable =
                        RandomQueries.hasOneOrder(query) && byPlan.stream().noneMatch(SdkRoad::isRefusedByPlansOnly);
                if (comparable) {
                    assertThat(byPlan).as("%s by its plan", query).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void pagesGoOnAfterARestart() {
        var random = Seed.random();
        var queries = new RandomQueries(random);
        try (var database = TestDatabase.withContainer(directory, DEFINITION, FIVE_RANGES)) {
            fill(queries, FLAT, List.of(database));
            int restarts = 0;
            while (restarts < 40) {
                var query = queries.query();
                var expected = rows(database, query, WHOLE, _ -> {});
                var opened = new int[1];
                var actual = rows(database, query, 1 + random.nextInt(7), _ -> {
                    if (random.nextInt(3) == 0) {
                        database.reopen();
                        opened[0]++;
                    }
                });
                restarts += opened[0];
                assertThat(actual).as(query).isEqualTo(expected);
            }
        }
    }

    private static void fill(RandomQueries queries, String partitionKey, List<TestDatabase> databases) {
        var keys = PartitionKeyDefinition.parse(JsonReader.parse(TestDatabase.bytes(partitionKey)));
        for (int number = 0; number < ITEMS; number++) {
            var item = queries.item(number);
            var key = keys.extract((JsonValue.Obj) JsonReader.parse(TestDatabase.bytes(item)));
            for (var database : databases) {
                database.createItem(key, item);
            }
        }
    }

    private static List<String> rows(TestDatabase database, String query, int pageSize, Consumer<String> betweenPages) {
        return printed(
                () -> database.query(TestDatabase.queryText(query, Map.of()), Scope.ALL, pageSize, betweenPages));
    }

    private static List<String> printed(Supplier<List<JsonValue>> rows) {
        try {
            return rows.get().stream()
                    .map(row -> JsonWriter.text(SdkRoad.withoutSystemProperties(row)))
                    .toList();
        } catch (FailureException refusal) {
            return List.of("! " + refusal.failure().message());
        }
    }
}
