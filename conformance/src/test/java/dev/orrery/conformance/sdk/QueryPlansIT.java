package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosBridgeInternal;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server tells an SDK about a query before it runs it. */
class QueryPlansIT extends SdkSuite {
    private static final int ONE_RANGE = 400;
    private static final int FIVE_RANGES = 30_000;
    private static final String FEATURES =
            "Aggregate, CompositeAggregate, MultipleOrderBy, MultipleAggregates, OrderBy, OffsetAndLimit, Distinct,"
                    + " GroupBy, Top, DCount, NonValueAggregate, NonStreamingOrderBy, HybridSearch, WeightedRankFusion";
    private static final String GROUPS_IN_ORDER = "SELECT c.kind, COUNT(1) AS n FROM c GROUP BY c.kind ORDER BY c.kind";
    private static final String DISTINCT_WITHIN = "SELECT VALUE p.kind FROM (SELECT DISTINCT r.kind FROM r) p";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SELECT VALUE COUNT(1) FROM c                     | aggregates
        SELECT c.kind, COUNT(1) AS n FROM c GROUP BY c.kind | groupByExpressions
        SELECT * FROM c ORDER BY c.n                     | orderByExpressions
        SELECT DISTINCT VALUE c.kind FROM c              | distinctType
        SELECT TOP 2 * FROM c                            | top
        SELECT * FROM c OFFSET 1 LIMIT 2                 | limit
        """)
    void oneRangeIsPlannedLikeSeveral(String query, String filled) {
        var one = plan(filled(ONE_RANGE), query);
        assertThat(one.status()).isEqualTo(200);
        assertThat(one.json().path("queryInfo").path(filled).toString()).isNotIn("null", "[]", "\"None\"");
        assertThat(one.json()).isEqualTo(plan(filled(FIVE_RANGES), query).json());
    }

    @Test
    void readManyByPartitionKeysKnowsWhatItCannotDo() {
        var container = filled(ONE_RANGE);
        var keys = List.of(key("key-0"), key("key-1"));
        assertThat(container.readManyByPartitionKeys(keys, new SqlQuerySpec("SELECT VALUE c.n FROM c"), JsonNode.class))
                .hasSize(8);
        for (var query : List.of(
                "SELECT VALUE COUNT(1) FROM c",
                "SELECT * FROM c ORDER BY c.n",
                "SELECT VALUE SUM(c.n) / COUNT(1) FROM c",
                GROUPS_IN_ORDER,
                DISTINCT_WITHIN)) {
            assertThatThrownBy(() ->
                            container.readManyByPartitionKeys(keys, new SqlQuerySpec(query), JsonNode.class).stream()
                                    .toList())
                    .hasMessageContaining("must not contain");
        }
    }

    /** One partition puts together what no SDK can. */
    @ParameterizedTest
    @ValueSource(ints = {ONE_RANGE, FIVE_RANGES})
    void whatCannotBeSplitRunsInOnePartition(int units) {
        var container = filled(units);
        var onePartition = new CosmosQueryRequestOptions().setPartitionKey(key("key-1"));
        assertThat(container.queryItems(GROUPS_IN_ORDER, onePartition, JsonNode.class))
                .containsExactly(json("{'kind':'a','n':1}"), json("{'kind':'b','n':2}"), json("{'kind':'c','n':1}"));
        assertThat(container.queryItems(DISTINCT_WITHIN, onePartition, String.class))
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(container.queryItems(
                        "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT * FROM r) p", onePartition, Integer.class))
                .containsExactly(4);
    }

    /** It keeps plans of queries about one partition that leave it nothing to do. */
    @ParameterizedTest
    @ValueSource(ints = {ONE_RANGE, FIVE_RANGES})
    void theSdkKeepsNoPlanOfRowsThatDependOnEachOther(int units) {
        var container = filled(units);
        var plans = CosmosBridgeInternal.getContextClient(CosmosBridgeInternal.getCosmosAsyncContainer(container))
                .getQueryPlanCache();
        var onePartition = new CosmosQueryRequestOptions().setPartitionKey(key("key-1"));
        for (var query :
                List.of(GROUPS_IN_ORDER, "SELECT MAX(c.n) FROM c GROUP BY c.kind ORDER BY c.kind", DISTINCT_WITHIN)) {
            assertThat(container.queryItems(query, onePartition, JsonNode.class))
                    .as(query)
                    .hasSize(3);
            assertThat(plans).doesNotContainKey(query);
        }
        assertThat(container.queryItems("SELECT VALUE SUM(c.n) / COUNT(1) FROM c", onePartition, Double.class))
                .containsExactly(5.5);
        assertThat(plans).doesNotContainKey("SELECT VALUE SUM(c.n) / COUNT(1) FROM c");
        var plain = "SELECT VALUE c.n FROM c";
        assertThat(container.queryItems(plain, onePartition, Integer.class)).hasSize(4);
        assertThat(plans).containsKey(plain);
    }

    @Test
    void distinctItemsOfSeveralRangesAreAllItems() {
        var container = filled(FIVE_RANGES);
        var whole = container.queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class);
        assertThat(container.queryItems(
                        "SELECT VALUE p.id FROM (SELECT DISTINCT * FROM r) p",
                        new CosmosQueryRequestOptions(),
                        String.class))
                .containsExactlyInAnyOrderElementsOf(whole);
    }

    @Test
    void whatCannotBeSplitIsRefusedOverSeveralRanges() {
        var container = filled(FIVE_RANGES);
        for (var query : List.of(GROUPS_IN_ORDER, DISTINCT_WITHIN)) {
            assertThat(plan(container, query).status()).as(query).isEqualTo(400);
            assertThat(plan(filled(ONE_RANGE), query).status()).as(query).isEqualTo(200);
        }
    }

    @Test
    void rankedQueriesArePlannedWithoutACount() {
        var container = filled(FIVE_RANGES);
        var ranked = plan(container, "SELECT * FROM c ORDER BY RANK FullTextScore(c.kind, 'a')")
                .json()
                .path("hybridSearchQueryInfo");
        assertThat(ranked.path("take").isNull()).isTrue();
        assertThat(ranked.path("componentQueryInfos").path(0).path("top").isNull())
                .isTrue();
        var nearest = plan(container, "SELECT * FROM c ORDER BY VectorDistance(c.vector, [1, 2])")
                .json()
                .path("queryInfo");
        assertThat(nearest.path("hasNonStreamingOrderBy").booleanValue()).isTrue();
        assertThat(nearest.path("top").isNull()).isTrue();
        assertThatThrownBy(() -> container
                        .queryItems(
                                "SELECT * FROM c ORDER BY RANK FullTextScore(c.kind, 'a')",
                                new CosmosQueryRequestOptions(),
                                JsonNode.class)
                        .stream()
                        .toList())
                .as("the SDK itself wants to know how many")
                .hasMessageContaining("without Top or Limit");
    }

    @Test
    void aFeatureThatAClientLacksIsNamed() {
        var reply = wire().send(planRequest(filled(FIVE_RANGES), "SELECT VALUE COUNT(1) FROM c")
                .header("x-ms-cosmos-supported-query-features", "OrderBy"));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("Query contained Aggregate, which the calling client does not support");
    }

    private WireReply plan(CosmosContainer container, String query) {
        return wire().send(planRequest(container, query).header("x-ms-cosmos-supported-query-features", FEATURES));
    }

    private WireRequest planRequest(CosmosContainer container, String query) {
        return WireRequest.of("POST", "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs")
                .header("x-ms-cosmos-is-query-plan-request", "True")
                .header("x-ms-cosmos-query-version", "1.0")
                .header("content-type", "application/query+json")
                .body(json("{}").put("query", query).toString());
    }

    private CosmosContainer filled(int units) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        var container = database.getContainer(properties.getId());
        for (int number = 0; number < 12; number++) {
            container.createItem(json("{'id':'%d','pk':'key-%d','n':%d,'kind':'%s'}"
                    .formatted(number, number % 3, number, "abbc".charAt(number / 3))));
        }
        return container;
    }
}
