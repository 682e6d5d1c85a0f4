package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of a query are those of what it really did, over 5 partitions with 3 items of each of 10 keys. */
class ExplanationTest {
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
    private static TestDatabase database;

    @BeforeAll
    static void fill() {
        database = TestDatabase.withContainer(DEFINITION, 30_000);
        for (int number = 0; number < 30; number++) {
            var key = "p" + number / 3;
            database.createItem(key, "{\"id\":\"i" + number + "\",\"pk\":\"" + key + "\",\"v\":" + number + "}");
        }
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT 1 AS one                                          | NONE       | 0 | 0 |  0 |  1
        SELECT * FROM c WHERE c.pk = "p1" AND c.id = "i4"        | ITEMS      | 1 | 1 |  1 |  1
        SELECT * FROM c WHERE c.pk = "p1" AND c.id IN ("i4", "") | ITEMS      | 2 | 1 |  1 |  1
        SELECT * FROM c WHERE c.pk = "p1" AND c.id = 7           | ITEMS      | 0 | 0 |  0 |  0
        SELECT * FROM c WHERE c.pk = "p1" AND c.v > 4            | INDEX      | 1 | 1 |  1 |  1
        SELECT VALUE c.v FROM c WHERE c.pk IN ("p1", "nobody")   | PARTITIONS | 2 | 2 |  3 |  3
        SELECT * FROM c WHERE c.v = 5                            | INDEX      | 5 | 5 |  1 |  1
        SELECT * FROM c WHERE c.v + 0 = 5                        | SCAN       | 5 | 5 | 30 |  1
        SELECT * FROM c                                          | SCAN       | 5 | 5 | 30 | 30
        SELECT VALUE COUNT(1) FROM c                             | INDEX      | 5 | 5 |  0 |  1
        """)
    void theAccessIsTheNarrowestThatTheQueryAllows(
            String query, Access access, int places, int ranges, long read, long returned) {
        var metrics = metrics(query, Scope.ALL);
        var explanation = metrics.explanation().orElseThrow();
        assertThat(explanation.access()).isEqualTo(access);
        assertThat(explanation.places()).isEqualTo(places);
        assertThat(explanation.ranges()).isLessThanOrEqualTo(ranges);
        assertThat(explanation.rangesOfContainer()).isEqualTo(5);
        assertThat(metrics.itemsRead()).isEqualTo(read);
        assertThat(metrics.itemsReturned()).isEqualTo(returned);
    }

    @Test
    void aPartitionKeyOfTheRequestCountsLikeOneOfTheQuery() {
        var metrics = metrics("SELECT * FROM c", new Scope(Optional.empty(), key("p1"), Optional.empty()));
        assertThat(metrics.explanation().orElseThrow().access()).isEqualTo(Access.PARTITIONS);
        assertThat(metrics.itemsRead()).isEqualTo(3);
    }

    @Test
    void whereTheIdIsThePartitionKeyEachIsLookedForOnce() {
        try (var byId = TestDatabase.withContainer(DEFINITION.replace("/pk", "/id"), 30_000)) {
            byId.createItem("i1", "{\"id\":\"i1\"}");
            byId.createItem("i2", "{\"id\":\"i2\"}");
            var query = TestDatabase.queryText("SELECT * FROM c WHERE c.id IN ('i1', 'i2', 'i3')", Map.of());
            var metrics = byId.page(query, Scope.ALL, Page.FIRST)
                    .facts()
                    .queryMetrics()
                    .orElseThrow();
            assertThat(metrics.explanation().orElseThrow().places()).isEqualTo(3);
            assertThat(metrics.itemsReturned()).isEqualTo(2);
        }
    }

    @Test
    void howAHierarchicalKeyBeginsIsEnoughToLeaveOthersOut() {
        var definition = """
            {"id":"c","partitionKey":{"paths":["/tenant","/user"],"kind":"MultiHash","version":2}}\
            """;
        try (var deep = TestDatabase.withContainer(definition, 30_000)) {
            for (int number = 0; number < 60; number++) {
                var tenant = "t" + number % 6;
                var user = "u" + number % 4;
                deep.createItem(
                        new PartitionKey(List.of(new Str(tenant), new Str(user))),
                        "{\"id\":\"i%d\",\"tenant\":\"%s\",\"user\":\"%s\",\"v\":%d}"
                                .formatted(number, tenant, user, number));
            }
            var one = metrics(deep, "SELECT * FROM c WHERE c.tenant = 't1'", Scope.ALL);
            assertThat(one.explanation().orElseThrow().access()).isEqualTo(Access.PREFIX);
            assertThat(one.explanation().orElseThrow().ranges()).isEqualTo(1);
            assertThat(one.itemsRead()).isEqualTo(10);
            assertThat(one.itemsReturned()).isEqualTo(10);
            var two = metrics(deep, "SELECT * FROM c WHERE c.tenant IN ('t1', 't2') AND c.user = 'u1'", Scope.ALL);
            assertThat(two.explanation().orElseThrow().access()).isEqualTo(Access.PARTITIONS);
            assertThat(two.itemsReturned()).isEqualTo(5);
            assertThat(metrics(deep, "SELECT * FROM c WHERE c.tenant IN ('t1', 't2')", Scope.ALL)
                            .itemsReturned())
                    .isEqualTo(20);
            assertThat(metrics(deep, "SELECT * FROM c WHERE c.user = 'u1'", Scope.ALL)
                            .explanation()
                            .orElseThrow()
                            .ranges())
                    .isEqualTo(5);
        }
    }

    @Test
    void itTellsWhetherPagesGoOnOrBeginAnew() {
        assertThat(metrics("SELECT * FROM c", Scope.ALL)
                        .explanation()
                        .orElseThrow()
                        .resumes())
                .isTrue();
        assertThat(metrics("SELECT * FROM c ORDER BY c.v", Scope.ALL)
                        .explanation()
                        .orElseThrow()
                        .resumes())
                .isFalse();
    }

    @Test
    void theStepsAreThoseOfTheQuery() {
        var query =
                "SELECT DISTINCT c.a, t AS b FROM c JOIN t IN c.tags WHERE c.v > 1 ORDER BY c.a DESC OFFSET 1 LIMIT 2";
        assertThat(metrics(query, Scope.ALL).explanation().orElseThrow().steps())
                .containsExactly(
                        "join t IN c.tags",
                        "filter (c.v > 1)",
                        "project c.a, t AS b",
                        "sort by c.a DESC",
                        "distinct leave out rows that came before",
                        "skip 1, take 2");
        assertThat(metrics("SELECT c.v, COUNT(1) AS n FROM c GROUP BY c.v", Scope.ALL)
                        .explanation()
                        .orElseThrow()
                        .steps())
                .containsExactly("group by c.v", "project c.v, COUNT(1) AS n");
    }

    private static QueryMetrics metrics(String query, Scope scope) {
        return metrics(database, query, scope);
    }

    private static QueryMetrics metrics(TestDatabase database, String query, Scope scope) {
        return database.page(TestDatabase.queryText(query, Map.of()), scope, Page.FIRST)
                .facts()
                .queryMetrics()
                .orElseThrow();
    }

    private static Optional<PartitionKey> key(String text) {
        return Optional.of(TestDatabase.key(text));
    }
}
