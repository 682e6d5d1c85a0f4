package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Index metrics as the Java SDK shows them: among the diagnostics of a page. */
class IndexMetricsIT extends SdkSuite {
    @Test
    void aPageTellsWhichIndexesItsQueryUsesAndCouldUse() {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        properties.setIndexingPolicy(new IndexingPolicy()
                .setIncludedPaths(List.of(new IncludedPath("/*")))
                .setExcludedPaths(List.of(new ExcludedPath("/secret/?"))));
        var container = container(properties);
        container.createItem(json("{'id':'1','pk':'a','name':'n','price':5,'secret':7}"));

        assertThat(diagnostics(container, "SELECT * FROM c WHERE c.name = 'n' AND c.price > 2 AND c.secret = 7", true))
                .containsSubsequence(
                        "\"UtilizedSingleIndexes\":[",
                        "\"IndexSpec\":\"/name/?\"",
                        "\"IndexImpactScore\":\"High\"",
                        "\"IndexSpec\":\"/price/?\"",
                        "\"PotentialSingleIndexes\":[",
                        "\"IndexSpec\":\"/secret/?\"",
                        "\"UtilizedCompositeIndexes\":[]",
                        "\"PotentialCompositeIndexes\":[",
                        "\"IndexSpecs\":[\"/name ASC\",\"/secret ASC\",\"/price ASC\"]");
        assertThat(diagnostics(container, "SELECT * FROM c WHERE c.name = 'n'", false))
                .doesNotContain("/name/?");
    }

    @Test
    void aPageTellsWhatCouldBePutBetter() {
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a','name':'n'}"));
        for (var key : List.of(Optional.<PartitionKey>empty(), Optional.of(key("a")))) {
            var options = new CosmosQueryRequestOptions().setQueryAdviceEnabled(true);
            key.ifPresent(options::setPartitionKey);
            var page = container
                    .queryItems("SELECT * FROM c WHERE CONTAINS(c.name, 'n')", options, JsonNode.class)
                    .iterableByPage()
                    .iterator()
                    .next();
            assertThat(page.getQueryAdvice())
                    .as("%s %s", key, page.getResponseHeaders())
                    .startsWith("QA1002: ");
        }
    }

    private static String diagnostics(CosmosContainer container, String query, boolean withIndexes) {
        var options =
                new CosmosQueryRequestOptions().setQueryMetricsEnabled(true).setIndexMetricsEnabled(withIndexes);
        return container
                .queryItems(query, options, JsonNode.class)
                .iterableByPage()
                .iterator()
                .next()
                .getCosmosDiagnostics()
                .toString();
    }
}
