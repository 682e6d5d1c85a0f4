package dev.orrery.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.golden.GoldenCorpus;
import dev.orrery.sql.golden.Transcript;
import dev.orrery.sql.plan.SdkQueryPlan.Reach;
import dev.orrery.sql.run.QueryInputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SdkQueryPlanTest {
    private static final Set<PlanFeature> ALL = EnumSet.allOf(PlanFeature.class);

    /** Its hand-made plan sorts downwards though its text does not say so. */
    private static final String SORTED_OTHERWISE = "SELECT VALUE c.v FROM c ORDER BY c.v";

    @TestFactory
    Stream<DynamicTest> plansHaveTheShapeThatTheOfficialSdksAccepted() throws IOException {
        var fixtures = (Obj) JsonReader.parse(Files.readString(Path.of("src/test/resources/query-plan-fixtures.json")));
        return ((Arr) fixtures.member("cases"))
                .items().stream()
                        .map(Obj.class::cast)
                        .filter(fixture -> ((Obj) fixture.member("plan")).member("queryInfo") instanceof Obj)
                        .map(fixture -> DynamicTest.dynamicTest(text(fixture.member("query")), () -> shape(fixture)));
    }

    private static void shape(Obj fixture) {
        var text = text(fixture.member("query"));
        var expected = (Obj) ((Obj) fixture.member("plan")).member("queryInfo");
        var actual = (Obj) plan(text).member("queryInfo");
        assertThat(actual.members().keySet()).isEqualTo(expected.members().keySet());
        for (var name : expected.members().keySet()) {
            if (name.equals("rewrittenQuery")) {
                assertThat(text(actual.member(name)).isEmpty())
                        .isEqualTo(text(expected.member(name)).isEmpty());
            } else if (!name.equals("orderBy") || !text.equals(SORTED_OTHERWISE)) {
                assertThat(actual.member(name)).as(name).isEqualTo(expected.member(name));
            }
        }
    }

    @Test
    void theRowsOfTwoPartitionsPutTogetherByTheClientAreTheRowsOfTheWholeQuery() {
        var checked = 0;
        for (var statement : GoldenCorpus.statements()) {
            for (var split = 0; split <= statement.items().size(); split++) {
                checked += agrees(statement, split) ? 1 : 0;
            }
        }
        assertThat(checked).isGreaterThan(1_000);
    }

    /** Whether the two roads could be compared; that they agree is asserted. */
    private static boolean agrees(Transcript.Statement statement, int split) {
        var inputs = GoldenCorpus.inputs(statement);
        var items = withRids(statement.items());
        List<JsonValue> whole;
        Obj plan;
        Query query;
        try {
            query = statement.query();
            whole = GoldenCorpus.rows(query, inputs, items, 0);
            plan = query.sdkPlan(inputs, ALL, Reach.SEVERAL_RANGES);
        } catch (FailureException _) {
            return false; // refused as a whole, or not to be split
        }
        if (!query.readsItems()) {
            return false;
        }
        var merged = SdkClient.rows(plan, statement.text(), text -> {
            var sent = statement.query(text);
            return List.of(
                    GoldenCorpus.rows(sent, inputs, items.subList(0, split), 0),
                    GoldenCorpus.rows(sent, inputs, items.subList(split, items.size()), split));
        });
        if (statement.text().contains("DESC")) {
            // Where the order of partitions breaks ties, sorting downwards gives equal rows another order.
            assertThat(merged).as(statement.text()).hasSameSizeAs(whole);
        } else {
            assertThat(merged).as(statement.text() + " split at " + split).isEqualTo(whole);
        }
        return true;
    }

    /** SDKs tell items apart by these. */
    private static List<JsonValue> withRids(List<JsonValue> items) {
        var container = Rid.container(Rid.database(1), 1);
        var all = new ArrayList<JsonValue>();
        for (var item : items) {
            all.add(Obj.builder()
                    .putAll((Obj) item)
                    .put("_rid", Rid.document(container, all.size()).toString())
                    .build());
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        SELECT * FROM Root r ORDER BY r.key | SELECT r._rid, [{"item": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY r.key
        SELECT TOP 10 * FROM r WHERE r.a = 'x' ORDER BY r.key DESC | SELECT TOP 10 r._rid, [{"item": r.key}] AS orderByItems, r AS payload FROM r WHERE ((r.a = "x") AND ({documentdb-formattableorderbyquery-filter})) ORDER BY r.key DESC
        SELECT VALUE r.a FROM r WHERE r.d = true ORDER BY r.b | SELECT r._rid, [{"item": r.b}] AS orderByItems, r.a AS payload FROM r WHERE (((r.d = true) AND ({documentdb-formattableorderbyquery-filter})) AND IS_DEFINED(r.a)) ORDER BY r.b
        SELECT r.a, r["b"], 1 FROM r ORDER BY r.c, r.d DESC | SELECT r._rid, [{"item": r.c}, {"item": r.d}] AS orderByItems, {"a": r.a, "b": r.b, "$1": 1} AS payload FROM r WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY r.c, r.d DESC
        SELECT * FROM c ORDER BY c.a OFFSET 1 LIMIT 2 | SELECT c._rid, [{"item": c.a}] AS orderByItems, c AS payload FROM c WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY c.a OFFSET 0 LIMIT 3
        SELECT VALUE t FROM t IN c.tags ORDER BY t | SELECT _item._rid, [{"item": t}] AS orderByItems, t AS payload FROM _item JOIN t IN _item.tags WHERE (({documentdb-formattableorderbyquery-filter}) AND IS_DEFINED(t)) ORDER BY t
        SELECT VALUE AVG(c.x + 1) FROM c WHERE c.k = 1 | SELECT VALUE [{"item": {"sum": SUM((c.x + 1)), "count": COUNT((c.x + 1))}}] FROM c WHERE (c.k = 1)
        SELECT TOP 5 VALUE MIN(c.x) FROM c | SELECT VALUE [{"item": MIN(c.x), "item2": {"min": MIN(c.x), "count": COUNT(c.x)}}] FROM c
        SELECT COUNT(1), MAX(c.x) AS m FROM c | SELECT {"$1": {"item": COUNT(1)}, "m": {"item": MAX(c.x), "item2": {"max": MAX(c.x), "count": COUNT(c.x)}}} AS payload FROM c
        SELECT c.a, Count(1) AS n FROM c GROUP BY c.a OFFSET 1 LIMIT 2 | SELECT [{"item": c.a}] AS groupByItems, {"a": c.a, "n": {"item": Count(1)}} AS payload FROM c GROUP BY c.a
        SELECT VALUE SUM(c.v) FROM c GROUP BY c.a, c.b | SELECT [{"item": c.a}, {"item": c.b}] AS groupByItems, [{"item": SUM(c.v)}] AS payload FROM c GROUP BY c.a, c.b
        SELECT DISTINCT TOP 5 VALUE c.a FROM c | SELECT DISTINCT VALUE c.a FROM c
        SELECT * FROM c WHERE c.b = 5 OFFSET 1 LIMIT 2 | SELECT * FROM c WHERE (c.b = 5) OFFSET 0 LIMIT 3
        SELECT TOP 2 * FROM c OFFSET 1 LIMIT 9 | SELECT * FROM c OFFSET 0 LIMIT 3
        SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.a FROM c WHERE c.b) | SELECT DISTINCT c.a FROM c WHERE c.b
        SELECT TOP 2 c.id FROM c ORDER BY VectorDistance(c.e, [1,2]) | SELECT TOP 2 c._rid, [{"item": VectorDistance(c.e, [1, 2])}] AS orderByItems, {"id": c.id} AS payload FROM c WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY VectorDistance(c.e, [1, 2])
        """)
    void partitionsAreAskedInTheFormOfTheProtocol(String query, String rewritten) {
        assertThat(text(((Obj) plan(query).member("queryInfo")).member("rewrittenQuery")))
                .isEqualTo(rewritten);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        VectorDistance(c.none, @v) | Descending
        VectorDistance(c.near, @v) | Ascending
        VectorDistance(@v, c.near) | Ascending
        VectorDistance(c.near, @v) DESC | Ascending
        VectorDistance(c.product, @v) ASC | Descending
        VectorDistance(c.near, @v, false, {distanceFunction: 'Cosine'}) | Descending
        VectorDistance(c.none, @v, true, {distanceFunction: 'EUCLIDEAN'}) | Ascending
        """)
    void theNearestComeFirstWhateverTheTextSays(String distance, String direction) {
        var container = ContainerTraits.of(ContainerDefinition.parse((Obj) JsonReader.parse("""
            {"id":"c","partitionKey":{"paths":["/pk"]},"vectorEmbeddingPolicy":{"vectorEmbeddings":[
              {"path":"/near","dataType":"float32","dimensions":2,"distanceFunction":"euclidean"},
              {"path":"/product","dataType":"float32","dimensions":2,"distanceFunction":"dotproduct"}]}}\
            """)));
        var plan = (Obj) Query.of("SELECT TOP 3 c.id FROM c ORDER BY " + distance, container)
                .sdkPlan(inputs(Map.of("@v", JsonReader.parse("[1,2]"))), ALL, Reach.SEVERAL_RANGES)
                .member("queryInfo");
        assertThat(plan.member("orderBy")).isEqualTo(JsonValue.strings(List.of(direction)));
        assertThat(plan.member("hasNonStreamingOrderBy")).isEqualTo(JsonValue.Bool.TRUE);
        assertThat(plan.member("top")).isEqualTo(new JsonValue.Num(3));
    }

    @Test
    void oneLogicalPartitionCountsItsRowsItself() {
        var plan = plan("SELECT * FROM c WHERE c.k = 5 OFFSET 1 LIMIT 2", Reach.ONE_PARTITION);
        assertThat(plan.member("offset")).isEqualTo(JsonValue.NULL);
        assertThat(plan.member("limit")).isEqualTo(JsonValue.NULL);
        assertThat(plan.member("rewrittenQuery")).isEqualTo(new Str(""));
    }

    @Test
    void oneLogicalPartitionDoesNotCountDistinctRowsOrGroupsItself() {
        var plan = plan("SELECT DISTINCT * FROM c WHERE c.k = 5 OFFSET 1 LIMIT 2", Reach.ONE_PARTITION);
        assertThat(plan.member("limit")).isEqualTo(new JsonValue.Num(2));
        assertThat(plan.member("rewrittenQuery")).isEqualTo(new Str("SELECT DISTINCT * FROM c WHERE (c.k = 5)"));
    }

    @Test
    void countsMayBeParameters() {
        var inputs = inputs(Map.of("@o", new JsonValue.Num(42), "@l", new JsonValue.Num(1337)));
        var plan = (Obj) Query.of("SELECT * FROM c OFFSET @o LIMIT @l")
                .sdkPlan(inputs, ALL, Reach.SEVERAL_RANGES)
                .member("queryInfo");
        assertThat(plan.member("offset")).isEqualTo(new JsonValue.Num(42));
        assertThat(plan.member("rewrittenQuery")).isEqualTo(new Str("SELECT * FROM c OFFSET 0 LIMIT 1379"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT * FROM c ORDER BY c.a",
                "SELECT DISTINCT VALUE c.a FROM c",
                "SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a",
                "SELECT TOP 3 * FROM c",
                "SELECT * FROM c OFFSET 1 LIMIT 2"
            })
    void oneRangeIsPlannedLikeSeveral(String query) {
        assertThat(plan(query, Reach.ONE_RANGE)).isEqualTo(plan(query, Reach.SEVERAL_RANGES));
    }

    /** What no client can put together, one range puts together itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE COUNT(1) + 1 FROM c",
                "SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a ORDER BY c.a",
                "SELECT VALUE p FROM (SELECT DISTINCT * FROM r.a) p",
                "SELECT TOP 2147483648 VALUE c.a FROM c"
            })
    void oneRangeIsAskedAsItIsWhatCannotBeSplit(String query) {
        for (var reach : List.of(Reach.ONE_RANGE, Reach.ONE_PARTITION)) {
            var info = plan(query, reach);
            assertThat(info.member("hasSelectValue")).isEqualTo(JsonValue.Bool.of(query.contains("VALUE")));
            assertThat(info.member("aggregates")).isEqualTo(Arr.EMPTY);
            assertThat(info.member("groupByExpressions")).isEqualTo(Arr.EMPTY);
            assertThat(info.member("orderBy")).isEqualTo(Arr.EMPTY);
            assertThat(info.member("distinctType")).isEqualTo(new Str("None"));
            assertThat(info.member("top")).isEqualTo(JsonValue.NULL);
            assertThat(info.member("rewrittenQuery")).isEqualTo(new Str(""));
            assertThat(info.member("offset"))
                    .as("says that all rows are needed")
                    .isEqualTo(new Num(0));
            assertThat(info.member("limit")).as("leaves out none").isEqualTo(new Num(Integer.MAX_VALUE));
        }
    }

    /** No two items are equal. */
    @Test
    void distinctItemsAreAllItems() {
        var info = plan("SELECT p.a FROM (SELECT DISTINCT * FROM r) p WHERE p.a > 25", Reach.SEVERAL_RANGES);
        assertThat(info.member("distinctType")).isEqualTo(new Str("None"));
        info = plan("SELECT DISTINCT p.a FROM (SELECT DISTINCT * FROM r) p WHERE p.a > 25", Reach.SEVERAL_RANGES);
        assertThat(info.member("distinctType")).isEqualTo(new Str("Unordered"));
    }

    @Test
    void aSearchForTheNearestIsPlannedWithoutACount() {
        var info = plan("SELECT * FROM c ORDER BY VectorDistance(c.v, [1, 2])", Reach.SEVERAL_RANGES);
        assertThat(info.member("hasNonStreamingOrderBy")).isEqualTo(JsonValue.Bool.TRUE);
        assertThat(info.member("top")).isEqualTo(JsonValue.NULL);
        assertThat(text(info.member("rewrittenQuery"))).startsWith("SELECT c._rid, ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT VALUE {"sum": SUM(c.x)} FROM c | Compositions of aggregates
        SELECT VALUE [SUM(c.x)] FROM c | Compositions of aggregates
        SELECT VALUE FLOOR(AVG(c.x)) FROM c | Compositions of aggregates
        SELECT c.a, ABS(AVG(c.x)) AS b FROM c GROUP BY c.a | Compositions of aggregates
        SELECT MIN(c.x), MAX(c.x) / 2 FROM c | Compositions of aggregates
        SELECT c.a FROM c GROUP BY c.a ORDER BY c.a | ORDER BY together with GROUP BY
        SELECT VALUE COUNT(1) FROM (SELECT TOP 1 * FROM c) | more than one item
        SELECT VALUE x FROM (SELECT VALUE c.v FROM c) x ORDER BY x | over a subquery in FROM
        SELECT TOP 2147483648 * FROM c | from 0 to 2147483647
        """)
    void whatCannotBeSplitIsRefusedInWords(String query, String words) {
        assertThatThrownBy(() -> plan(query))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT * FROM c ORDER BY c.a | OrderBy
        SELECT * FROM c ORDER BY c.a, c.b | MultipleOrderBy
        SELECT TOP 1 * FROM c ORDER BY VectorDistance(c.a, [1]) | NonStreamingOrderBy
        SELECT TOP 1 * FROM c | Top
        SELECT * FROM c OFFSET 1 LIMIT 1 | OffsetAndLimit
        SELECT DISTINCT * FROM c | Distinct
        SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.a FROM c) | DCount
        SELECT VALUE COUNT(1) FROM c | Aggregate
        SELECT COUNT(1) FROM c | NonValueAggregate
        SELECT COUNT(1), COUNT(2) FROM c | MultipleAggregates
        SELECT VALUE COUNTIF(c.a) FROM c | CountIf
        SELECT VALUE MAKELIST(c.a) FROM c | ListAndSetAggregate
        SELECT VALUE MAKESET(c.a) FROM c | ListAndSetAggregate
        SELECT c.a FROM c GROUP BY c.a | GroupBy
        """)
    void aFeatureThatTheClientLacksIsNamed(String query, String feature) {
        var others = EnumSet.copyOf(ALL);
        others.removeAll(PlanFeature.of(List.of(feature)));
        assertThat(others).hasSize(ALL.size() - 1);
        assertThatThrownBy(() -> Query.of(query).sdkPlan(inputs(Map.of()), others, Reach.SEVERAL_RANGES))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("Query contained " + feature + ", which");
        assertThat(plan(query)).isNotNull();
    }

    @Test
    void featuresOfNoUseHereArePassedOver() {
        assertThat(PlanFeature.of(List.of("Aggregate", "CompositeAggregate", "OrderBy")))
                .containsExactlyInAnyOrder(PlanFeature.AGGREGATE, PlanFeature.ORDER_BY);
        assertThat(PlanFeature.of(List.of())).isEmpty();
    }

    private static Obj plan(String query) {
        return Query.of(query).sdkPlan(inputs(Map.of()), ALL, Reach.SEVERAL_RANGES);
    }

    private static Obj plan(String query, Reach reach) {
        return (Obj) Query.of(query).sdkPlan(inputs(Map.of()), ALL, reach).member("queryInfo");
    }

    private static QueryInputs inputs(Map<String, JsonValue> parameters) {
        return QueryInputs.of(parameters, Instant.EPOCH, new SplittableRandom(1));
    }

    private static String text(JsonValue value) {
        return ((Str) value).value();
    }
}
