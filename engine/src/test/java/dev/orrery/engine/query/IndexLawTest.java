package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.SdkRoad;
import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.ListItems;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.store.Seed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Whatever is indexed, a query gives the same rows in the same order as if every item had been looked at: random items,
 * policies and queries, against the plain evaluation of the query over all items.
 */
class IndexLawTest {
    private static final List<String> PATHS = List.of(
            "/*",
            "/a/?",
            "/a/*",
            "/b/?",
            "/o/*",
            "/o/x/?",
            "/o/?",
            "/tags/*",
            "/tags/[]/?",
            "/n/?",
            "/id/?",
            "/pk/?",
            "/low/?",
            "/own/*",
            "/objects/[]/k/?");
    private static final ContainerTraits TRAITS =
            ContainerTraits.of(ContainerDefinition.parse((Obj) JsonReader.parse(definition(""))));
    private static final int ITEMS = 80;
    private static final int ONE_RANGE = 400;
    private static final int FOUR_RANGES = 24_000;

    private final RandomGenerator random = Seed.random();
    private final RandomQueries queries = new RandomQueries(random);

    @Test
    void anIndexChangesNoRowAndNoOrder() {
        for (int round = 0; round < 12; round++) {
            var definition = definition(round == 0 ? "" : policy());
            try (var database =
                    TestDatabase.withContainer(definition, random.nextBoolean() ? ONE_RANGE : FOUR_RANGES)) {
                fill(database);
                var items = items(database);
                for (int count = 0; count < 250; count++) {
                    var query = queries.query();
                    var expected = expected(query, items);
                    var actual = actual(database, query, random.nextBoolean() ? 1_000 : 1 + random.nextInt(9));
                    if (!isRefusedByPolicy(actual)) {
                        assertThat(actual).as("%s with %s", query, definition).isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void splitsAndChangedPoliciesChangeNoRowEither() {
        for (int round = 0; round < 4; round++) {
            try (var database = TestDatabase.withContainer(definition(policy()), ONE_RANGE)) {
                fill(database);
                database.replaceContainer(definition(random.nextBoolean() ? "" : policy()));
                database.setThroughput(FOUR_RANGES);
                for (int count = 0; count < 100; count++) {
                    var query = queries.query();
                    var expected = expected(query, items(database));
                    var actual = actual(database, query, 1 + random.nextInt(9));
                    if (!isRefusedByPolicy(actual)) {
                        assertThat(actual).as(query).isEqualTo(expected);
                    }
                    int number = random.nextInt(ITEMS);
                    database.upsertItem(RandomQueries.partition(number), queries.item(number));
                }
            }
        }
    }

    private static boolean isRefusedByPolicy(List<String> rows) {
        return rows.size() == 1
                && (rows.getFirst().contains("order-by item is excluded")
                        || rows.getFirst().contains("composite index")
                        || rows.getFirst().contains("Compositions of aggregates"));
    }

    private static String definition(String policy) {
        return "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2},"
                + "\"computedProperties\":" + RandomQueries.COMPUTED + ","
                + "\"indexingPolicy\":{" + policy + "\"compositeIndexes\":" + RandomQueries.COMPOSITES + "}}";
    }

    /** Every path is included, excluded or not mentioned; the root is one of the first two. */
    private String policy() {
        var included = new ArrayList<String>();
        var excluded = new ArrayList<String>();
        for (var path : PATHS) {
            int choice = random.nextInt(path.equals("/*") ? 2 : 4);
            if (choice < 2) {
                (choice == 0 ? included : excluded).add("{\"path\":\"" + path + "\"}");
            }
        }
        if (random.nextBoolean()) {
            included.add("{\"path\":\"/objects/[]/{k, l}/?\"}");
        }
        return "\"includedPaths\":[" + String.join(",", included) + "],\"excludedPaths\":[" + String.join(",", excluded)
                + "],";
    }

    /** Items are written, replaced and deleted, so that entries of former versions would be noticed. */
    private void fill(TestDatabase database) {
        for (int number = 0; number < ITEMS; number++) {
            database.createItem(RandomQueries.partition(number), queries.item(number));
        }
        for (int count = 0; count < ITEMS; count++) {
            int number = random.nextInt(ITEMS);
            if (random.nextInt(4) == 0) {
                database.deleteItem(RandomQueries.partition(number), "i" + number);
            } else {
                database.upsertItem(RandomQueries.partition(number), queries.item(number));
            }
        }
    }

    /** All items in the order of a scan. */
    private static List<Obj> items(TestDatabase database) {
        var outcome = database.execute(
                new ListItems(TestDatabase.CONTAINER, Scope.ALL, new Page(Optional.of(10_000), Optional.empty())));
        return TestDatabase.rows(outcome).stream().map(Obj.class::cast).toList();
    }

    private List<String> expected(String text, List<Obj> items) {
        try {
            var query = Query.of(text, TRAITS);
            var rows = new ArrayList<JsonValue>();
            var run = query.run(QueryInputs.of(Map.of(), Instant.EPOCH, random), rows::add);
            for (var item : items) {
                if (!run.add(item, Rid.parse(TestDatabase.text(item, "_rid")).documentNumber())) {
                    break;
                }
            }
            run.finish();
            return printed(rows);
        } catch (FailureException refusal) {
            return List.of("! " + refusal.failure().message());
        }
    }

    private static List<String> actual(TestDatabase database, String query, int pageSize) {
        try {
            return printed(database.query(TestDatabase.queryText(query, Map.of()), Scope.ALL, pageSize, _ -> {}));
        } catch (FailureException refusal) {
            return List.of("! " + refusal.failure().message());
        }
    }

    private static List<String> printed(List<JsonValue> rows) {
        return rows.stream()
                .map(row -> JsonWriter.text(SdkRoad.withoutSystemProperties(row)))
                .toList();
    }
}
