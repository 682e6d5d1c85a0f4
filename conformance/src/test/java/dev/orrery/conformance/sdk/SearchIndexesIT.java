package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosFullTextIndex;
import com.azure.cosmos.models.CosmosFullTextPath;
import com.azure.cosmos.models.CosmosFullTextPolicy;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosVectorDataType;
import com.azure.cosmos.models.CosmosVectorDistanceFunction;
import com.azure.cosmos.models.CosmosVectorEmbedding;
import com.azure.cosmos.models.CosmosVectorEmbeddingPolicy;
import com.azure.cosmos.models.CosmosVectorIndexSpec;
import com.azure.cosmos.models.CosmosVectorIndexType;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.SpatialSpec;
import com.azure.cosmos.models.SpatialType;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes, texts and vectors are found through the indexes of the policy, without reading the other items. */
class SearchIndexesIT extends SdkSuite {
    private static final int ITEMS = 60;
    private static final Pattern RETRIEVED = Pattern.compile("\"retrievedDocumentCount\":(\\d+)");

    /** What a query gave, and how many items were read for it. */
    private record Found(List<String> ids, int read) {}

    @ParameterizedTest
    @ValueSource(ints = {400, 20_000})
    void aSearchReadsLittleMoreThanItFinds(int units) {
        var container = filled(units);

        var near = find(container, """
            SELECT c.id FROM c WHERE ST_DISTANCE(c.place, {'type': 'Point', 'coordinates': [7.1, 10]}) < 120000
            """);
        assertThat(near.ids()).containsExactlyInAnyOrder("7", "8");
        assertThat(near.read()).isBetween(2, 4);

        var within = find(container, """
            SELECT c.id FROM c WHERE ST_WITHIN(c.place, {'type': 'Polygon', 'coordinates':
              [[[2.5, 9], [5.5, 9], [5.5, 11], [2.5, 11], [2.5, 9]]]})
            """);
        assertThat(within.ids()).containsExactlyInAnyOrder("3", "4", "5");
        assertThat(within.read()).isBetween(3, 8);

        var words = find(container, "SELECT c.id FROM c WHERE FullTextContainsAll(c.text, 'bicycle', 'red')");
        assertThat(words.ids()).containsExactlyInAnyOrder("0", "20", "40");
        assertThat(words.read()).isEqualTo(3);

        var ranked = find(container, "SELECT TOP 2 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'bicycles')");
        assertThat(ranked.ids()).hasSize(2).isSubsetOf("0", "20", "40");

        var nearest = find(container, "SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.vector, [30.2, 1])");
        assertThat(nearest.ids()).containsExactly("30", "31", "29");
        // Each range gives its own three nearest.
        assertThat(nearest.read()).isBetween(3, 3 * container.getFeedRanges().size());
    }

    private Found find(CosmosContainer container, String query) {
        var options = new CosmosQueryRequestOptions().setQueryMetricsEnabled(true);
        var ids = new ArrayList<String>();
        int read = 0;
        for (var page : container.queryItems(query, options, JsonNode.class).iterableByPage()) {
            page.getResults().forEach(item -> ids.add(item.path("id").textValue()));
            var matcher = RETRIEVED.matcher(page.getCosmosDiagnostics().toString());
            while (matcher.find()) {
                read += Integer.parseInt(matcher.group(1));
            }
        }
        return new Found(ids, read);
    }

    private CosmosContainer filled(int units) {
        var embeddings = new CosmosVectorEmbeddingPolicy();
        embeddings.setCosmosVectorEmbeddings(List.of(new CosmosVectorEmbedding()
                .setPath("/vector")
                .setDataType(CosmosVectorDataType.FLOAT32)
                .setEmbeddingDimensions(2)
                .setDistanceFunction(CosmosVectorDistanceFunction.EUCLIDEAN)));
        var properties = new CosmosContainerProperties(freshName(), "/pk")
                .setVectorEmbeddingPolicy(embeddings)
                .setFullTextPolicy(new CosmosFullTextPolicy()
                        .setDefaultLanguage("en-US")
                        .setPaths(List.of(
                                new CosmosFullTextPath().setPath("/text").setLanguage("en-US"))))
                .setIndexingPolicy(policy());
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        var container = database.getContainer(properties.getId());
        for (int number = 0; number < ITEMS; number++) {
            container.createItem(json("{'id':'%d','pk':'key-%d','place':{'type':'Point','coordinates':[%d,10]},"
                            .formatted(number, number % 7, number)
                    + "'text':'%s','vector':[%d,1]}"
                            .formatted(number % 20 == 0 ? "Two red bicycles" : "A lamp in the street", number)));
        }
        return container;
    }

    private static IndexingPolicy policy() {
        return new IndexingPolicy()
                .setIncludedPaths(List.of(new IncludedPath("/*")))
                .setExcludedPaths(List.of(new ExcludedPath("/vector/*")))
                .setSpatialIndexes(List.of(new SpatialSpec()
                        .setPath("/place/*")
                        .setSpatialTypes(List.of(SpatialType.POINT, SpatialType.POLYGON))))
                .setCosmosFullTextIndexes(List.of(new CosmosFullTextIndex().setPath("/text")))
                .setVectorIndexes(List.of(new CosmosVectorIndexSpec()
                        .setPath("/vector")
                        .setType(CosmosVectorIndexType.DISK_ANN.toString())));
    }
}
