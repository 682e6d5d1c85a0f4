package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.IndexingDirective;
import com.azure.cosmos.models.IndexingPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A write may keep its item out of the index, or take it in where that is not automatic. */
class IndexingDirectiveIT extends SdkSuite {
    private static final CosmosItemRequestOptions EXCLUDE =
            new CosmosItemRequestOptions().setIndexingDirective(IndexingDirective.EXCLUDE);
    private static final CosmosItemRequestOptions INCLUDE =
            new CosmosItemRequestOptions().setIndexingDirective(IndexingDirective.INCLUDE);

    @Test
    void whatIsExcludedIsReadButNotFound() {
        var container = container("/pk");
        container.createItem(json("{'id':'seen','pk':'a','n':1}"));
        container.createItem(json("{'id':'hidden','pk':'a','n':1}"), key("a"), EXCLUDE);

        assertThat(ids(container, "SELECT * FROM c WHERE c.n = 1")).containsExactly("seen");
        assertThat(ids(container, "SELECT * FROM c WHERE c.n + 0 = 1")).containsExactly("seen");
        assertThat(ids(container, "SELECT * FROM c ORDER BY c.n")).containsExactly("seen");
        assertThat(ids(container, "SELECT * FROM c")).containsExactlyInAnyOrder("seen", "hidden");
        assertThat(read(container, "hidden", key("a")).path("n").intValue()).isEqualTo(1);
        // The SDK asks for all items of a key by a query with a filter.
        assertThat(container.readAllItems(key("a"), ObjectNode.class)).hasSize(1);

        container.replaceItem(json("{'id':'hidden','pk':'a','n':1}"), "hidden", key("a"), INCLUDE);
        assertThat(ids(container, "SELECT * FROM c WHERE c.n = 1")).containsExactlyInAnyOrder("seen", "hidden");
    }

    @Test
    void aPolicyThatIsNotAutomaticIndexesWhatAsksForIt() {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        properties.setIndexingPolicy(new IndexingPolicy().setAutomatic(false));
        var container = container(properties);
        container.createItem(json("{'id':'hidden','pk':'a','n':1}"));
        container.upsertItem(json("{'id':'seen','pk':'a','n':1}"), key("a"), INCLUDE);

        assertThat(ids(container, "SELECT * FROM c WHERE c.n = 1")).containsExactly("seen");
        assertThat(ids(container, "SELECT * FROM c")).hasSize(2);
    }

    @Test
    void anotherWordIsRefused() {
        var container = container("/pk");
        var request = WireRequest.of("POST", "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs")
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .header("x-ms-indexing-directive", "Sometimes")
                .body("{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(wire().send(request).status()).isEqualTo(400);
    }

    private static List<String> ids(CosmosContainer container, String query) {
        return container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class).stream()
                .map(item -> item.path("id").textValue())
                .toList();
    }
}
