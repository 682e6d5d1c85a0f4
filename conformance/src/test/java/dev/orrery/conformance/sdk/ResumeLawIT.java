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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever goes on by the SDK's own token at every page, each time with nothing else, gets what one walk without pages gives.
 *
 * <p>The SDK has no tokens for GROUP BY, aggregates and DISTINCT without ORDER BY, so that these are not asked for.
 */
class ResumeLawIT extends SdkSuite {
    private static final int ITEMS = 120;
    private static final int QUERIES = Integer.getInteger("test.queries", 12);
    private static final int PAGE_SIZE_MAX = 9;

    /**
     * With DISTINCT, a page must have room for more than one value: if all of its rows repeat the value before, which a
     * resumed {@code DistinctDocumentQueryExecutionContext} of the SDK drops as it should, its next token has no hash of
     * that value, and it comes once more. No value of {@code pair} is in more than two items.
     */
    private static final int PAGE_SIZE_MIN = 2;

    /**
     * The SDK's {@code OrderByDocumentQueryExecutionContext} goes on with a condition such as {@code c.a <= "b"}. No array
     * or object is below another, and it writes quotes and backslashes of a string into the condition as they are.
     */
    private static final List<String> VALUES =
            List.of("null", "true", "false", "0", "1", "2", "-1.5", "'a'", "'ab'", "'b'", "'ä😀'");

    private static final List<String> ORDERS = List.of(
            "c.n",
            "c.n DESC",
            "c.a",
            "c.a DESC",
            "c.id DESC",
            "c.a, c.n",
            "c.a DESC, c.n DESC",
            "c.a DESC, c.n",
            "c.a, c.n DESC",
            "c._ts DESC");
    private static final List<String> FILTERS =
            List.of("", " WHERE c.n > 1", " WHERE c.a != 'b'", " WHERE IS_DEFINED(c.a)", " WHERE c.n IN (0, 2, 3)");

    /**
     * Fewer than pass any filter: where the rows end with a page and before TOP or LIMIT does, the SDK gives a token for what
     * is left of that, and begins anew with it.
     */
    private static final int ROWS_MAX = 40;

    @ParameterizedTest
    @ValueSource(ints = {400, 18_000})
    void aTokenGoesOnWhereThePageEnded(int units) {
        var seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("ResumeLawIT: -Dtest.seed=" + seed);
        var random = new Random(seed);
        var container = filled(units, random);
        for (int i = 0; i < QUERIES; i++) {
            var query = query(random);
            int pageSize = random.nextInt(PAGE_SIZE_MIN, PAGE_SIZE_MAX + 1);
            assertThat(byTokens(container, query, pageSize))
                    .as("%s in pages of %d", query, pageSize)
                    .isEqualTo(atOnce(container, query));
        }
    }

    private static String query(RandomGenerator random) {
        var filter = pick(random, FILTERS);
        return switch (random.nextInt(5)) {
            case 0 -> "SELECT VALUE c.id FROM c" + filter;
            case 1 ->
                "SELECT DISTINCT VALUE c.pair FROM c" + filter + " ORDER BY c.pair"
                        + pick(random, List.of("", " DESC"));
            case 2 ->
                "SELECT TOP " + random.nextInt(1, ROWS_MAX) + " VALUE c.id FROM c" + filter + " ORDER BY "
                        + pick(random, ORDERS);
            case 3 ->
                "SELECT VALUE c.id FROM c" + filter + " ORDER BY " + pick(random, ORDERS) + " OFFSET "
                        + random.nextInt(ROWS_MAX / 2) + " LIMIT " + random.nextInt(1, ROWS_MAX / 2);
            default -> "SELECT c.id, c.a, c.n FROM c" + filter + " ORDER BY " + pick(random, ORDERS);
        };
    }

    private CosmosContainer filled(int units, RandomGenerator random) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        properties.setIndexingPolicy(new IndexingPolicy()
                .setCompositeIndexes(List.of(
                        List.of(path("/a", true), path("/n", true)), List.of(path("/a", false), path("/n", true)))));
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        var container = database.getContainer(properties.getId());
        for (int i = 0; i < ITEMS; i++) {
            var item = json("{'id':'%03d','pk':'key-%d','n':%d,'pair':%d}"
                    .formatted(i, random.nextInt(40), random.nextInt(5), i / 2));
            if (random.nextInt(6) > 0) {
                item.set("a", json("{'a':" + pick(random, VALUES) + "}").path("a"));
            }
            container.createItem(item);
        }
        return container;
    }

    private static CompositePath path(String path, boolean ascending) {
        return new CompositePath()
                .setPath(path)
                .setOrder(ascending ? CompositePathSortOrder.ASCENDING : CompositePathSortOrder.DESCENDING);
    }

    /** Page by page: the items of two pages may be mixed in what the SDK's {@code stream()} gives. */
    private static List<JsonNode> atOnce(CosmosContainer container, String query) {
        var rows = new ArrayList<JsonNode>();
        container
                .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage()
                .forEach(page -> rows.addAll(page.getResults()));
        return rows;
    }

    private static List<JsonNode> byTokens(CosmosContainer container, String query, int pageSize) {
        var rows = new ArrayList<JsonNode>();
        String token = null;
        do {
            FeedResponse<JsonNode> page = container
                    .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                    .iterableByPage(token, pageSize)
                    .iterator()
                    .next();
            rows.addAll(page.getResults());
            assertThat(rows)
                    .as("%s in pages of %d goes on for ever", query, pageSize)
                    .hasSizeLessThanOrEqualTo(10 * ITEMS);
            token = page.getContinuationToken();
        } while (token != null);
        return rows;
    }

    private static <T> T pick(RandomGenerator random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
