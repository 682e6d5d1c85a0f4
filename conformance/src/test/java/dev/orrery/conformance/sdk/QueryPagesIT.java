package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of queries: tokens that go on from anywhere, and the figures that come with a page. */
class QueryPagesIT extends SdkSuite {
    private static final int ITEMS = 23;
    private static final String SORTED = "SELECT VALUE c.n FROM c ORDER BY c.half DESC, c.n";
    private static final String PLAIN = "SELECT VALUE c.n FROM c WHERE c.n >= 0";

    @ParameterizedTest
    @ValueSource(ints = {400, 30_000})
    void everyPageCanBeAskedForByANewClient(int units) {
        var name = filled(units).getId();
        for (var query : List.of(PLAIN, SORTED, "SELECT DISTINCT VALUE c.half FROM c ORDER BY c.half")) {
            var whole = numbers(database.getContainer(name), query, 1_000);
            for (var pageSize : List.of(1, 4)) {
                assertThat(numbers(database.getContainer(name), query, pageSize))
                        .as("%s in pages of %d", query, pageSize)
                        .isEqualTo(whole);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 30_000})
    void tokensAreShort(int units) {
        var container = filled(units);
        assertThat(firstPage(container, PLAIN, 2).getContinuationToken()).hasSizeLessThan(400);
        assertThat(firstPage(container, SORTED, 2).getContinuationToken()).hasSizeLessThan(600);
    }

    @Test
    void damagedAndForeignTokensAreRefused() {
        var container = filled(400);
        var token = serverToken(container, PLAIN);
        for (var wrong : List.of("nonsense", token.substring(2), token + "AAAA", token.replace(token.charAt(9), '.'))) {
            assertThat(pageStatus(container, PLAIN, wrong)).as(wrong).isEqualTo(400);
        }
        assertThat(pageStatus(container, PLAIN, token)).isEqualTo(200);
        assertThat(pageStatus(container, "SELECT VALUE c.n FROM c", token))
                .as("the same query with another condition")
                .isEqualTo(200);
        assertThat(pageStatus(container, "SELECT VALUE c.half FROM c", token))
                .as("another query")
                .isEqualTo(400);
        assertThat(pageStatus(filled(400), PLAIN, token))
                .as("another container")
                .isEqualTo(400);

        var wrapped = firstPage(container, PLAIN, 2).getContinuationToken();
        var inner = json(token).path("token").textValue();
        assertThat(wrapped).contains(inner.substring(0, 8));
        assertRefused(400, () -> page(container, PLAIN, 2, wrapped.replace(inner.substring(4, 8), "0000")));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 30_000})
    void whoAsksForNoRangeGetsATokenThatIsJson(int units) {
        var container = filled(units);
        var token = json(serverToken(container, PLAIN));
        assertThat(token.path("token").isTextual()).isTrue();
        assertThat(token.path("range")).isEqualTo(json("{'min':'','max':'FF'}"));
        var feed = wire().send(WireRequest.of("GET", documents(container)).header("x-ms-max-item-count", "2"));
        assertThat(json(feed.header("x-ms-continuation").orElseThrow()).path("range"))
                .isEqualTo(token.path("range"));
        var oneKey = wire().send(query(container, PLAIN)
                .header("x-ms-documentdb-partitionkey", "[\"key-1\"]")
                .header("x-ms-max-item-count", "1"));
        assertThat(oneKey.header("x-ms-continuation").orElseThrow()).doesNotStartWith("{");
        var refusal = wire().send(query(container, PLAIN).header("x-ms-continuation", "junk"));
        assertThat(refusal.status()).isEqualTo(400);
        assertThat(refusal.body()).contains("Invalid Continuation Token");
    }

    /** SDKs pass over rows by it when they go on with a sorted query. */
    @ParameterizedTest
    @CsvSource({
        "SELECT * FROM c,                               false",
        "SELECT * FROM c ORDER BY c.n,                  false",
        "SELECT * FROM c ORDER BY c.n DESC,             true",
        "'SELECT * FROM c ORDER BY c.half DESC, c.n',   true",
        "'SELECT * FROM c ORDER BY c.half, c.n DESC',   false",
    })
    void aPageTellsInWhichOrderTiesCome(String query, boolean descending) {
        var reply = wire().send(query(filled(400), query).header("x-ms-documentdb-partitionkeyrangeid", "0"));
        assertThat(reply.header("x-ms-cosmos-query-execution-info"))
                .contains("{\"reverseRidEnabled\":false,\"reverseIndexScan\":" + descending + "}");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 30_000})
    void aPageTellsWhatItRead(int units) {
        var container = filled(units);
        var whole = firstPage(container, "SELECT * FROM c WHERE c.n < 5", 1_000);
        if (units == 400) {
            assertThat(whole.getCosmosDiagnostics().toString())
                    .as("the SDK reads the metrics of the query")
                    .contains("\"retrievedDocumentCount\":5", "\"outputDocumentCount\":5");
        }
        assertThat(whole.getRequestCharge()).isPositive();

        var reply = wire().send(query(container, "SELECT * FROM c WHERE c.n < 5")
                .header("x-ms-documentdb-populatequerymetrics", "true")
                .header("x-orrery-explain", "true"));
        assertThat(reply.header("x-ms-documentdb-query-metrics").orElseThrow())
                .contains(";retrievedDocumentCount=5;")
                .contains(";outputDocumentCount=5;")
                .endsWith(";indexUtilizationRatio=1");
        assertThat(reply.header("x-orrery-explain").orElseThrow())
                .contains("\"access\":\"index\"", "\"indexes\":[\"/n/? below 5\"]", "\"entriesRead\":5");
        assertThat(wire().send(query(container, PLAIN)).headers())
                .doesNotContainKeys("x-orrery-explain", "x-ms-documentdb-query-metrics");
    }

    private CosmosContainer filled(int units) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        properties.setIndexingPolicy(new IndexingPolicy()
                .setCompositeIndexes(List.of(List.of(
                        new CompositePath().setPath("/half").setOrder(CompositePathSortOrder.DESCENDING),
                        new CompositePath().setPath("/n").setOrder(CompositePathSortOrder.ASCENDING)))));
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        var container = database.getContainer(properties.getId());
        for (int number = 0; number < ITEMS; number++) {
            container.createItem(json(
                    "{'id':'%d','pk':'key-%d','n':%d,'half':%d}".formatted(number, number % 7, number, number / 2)));
        }
        return container;
    }

    /** Each page with nothing of the one before but its token. */
    private static List<Integer> numbers(CosmosContainer container, String query, int pageSize) {
        var numbers = new ArrayList<Integer>();
        String token = null;
        do {
            var page = page(container, query, pageSize, token);
            assertThat(page.getResults()).hasSizeLessThanOrEqualTo(pageSize);
            page.getResults().forEach(number -> numbers.add(number.intValue()));
            token = page.getContinuationToken();
        } while (token != null);
        return numbers;
    }

    private static FeedResponse<JsonNode> firstPage(CosmosContainer container, String query, int pageSize) {
        return page(container, query, pageSize, null);
    }

    private static FeedResponse<JsonNode> page(CosmosContainer container, String query, int pageSize, String token) {
        var options = new CosmosQueryRequestOptions().setQueryMetricsEnabled(true);
        return container
                .queryItems(query, options, JsonNode.class)
                .iterableByPage(token, pageSize)
                .iterator()
                .next();
    }

    private String serverToken(CosmosContainer container, String query) {
        return wire().send(query(container, query).header("x-ms-max-item-count", "2"))
                .header("x-ms-continuation")
                .orElseThrow();
    }

    private int pageStatus(CosmosContainer container, String query, String token) {
        return wire().send(query(container, query).header("x-ms-continuation", token))
                .status();
    }

    private WireRequest query(CosmosContainer container, String text) {
        return WireRequest.of("POST", documents(container))
                .header("x-ms-documentdb-isquery", "true")
                .header("x-ms-documentdb-query-enablecrosspartition", "true")
                .header("content-type", "application/query+json")
                .body(json("{}").put("query", text).toString());
    }

    private String documents(CosmosContainer container) {
        return "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs";
    }
}
