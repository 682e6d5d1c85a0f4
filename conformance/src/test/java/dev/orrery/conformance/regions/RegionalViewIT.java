package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosGlobalSecondaryIndexDefinition;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A view is read in every region, and whoever takes the writes goes on keeping it, wherever the former one has stopped. */
class RegionalViewIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void aViewIsKeptByTheRegionThatTakesOver() {
        try (var account = new RegionalAccount(folder, List.of(WEST, NORTH))) {
            var client = account.clientIn(WEST);
            client.createDatabase("d");
            client.getDatabase("d").createContainer("users", "/town");
            client.getDatabase("d")
                    .createContainer(new CosmosContainerProperties("byTeam", "/team")
                            .setGlobalSecondaryIndexDefinition(new CosmosGlobalSecondaryIndexDefinition(
                                    "users", "SELECT c.team, c.name FROM c WHERE c.active")));
            var west = container(account, WEST, "users");
            west.createItem(user("1", "Ulm", "red", "Ada", true));
            west.createItem(user("2", "Ulm", "red", "Bo", true));
            west.createItem(user("3", "Ulm", "blue", "Cy", true));
            // The same id in another town: in the view one of the two is told apart.
            west.createItem(user("1", "Bonn", "red", "Di", true));
            awaitView(account, "blue Cy", "red Ada", "red Bo", "red Di");

            account.move(WEST, NORTH);
            account.awaitRole(NORTH, "writes");
            var north = container(account, NORTH, "users");
            north.upsertItem(user("1", "Bonn", "green", "Di", true));
            north.upsertItem(user("2", "Ulm", "red", "Bo", false));
            north.deleteItem("3", new PartitionKey("Ulm"), new CosmosItemRequestOptions());
            north.createItem(user("4", "Ulm", "blue", "Ed", true));
            awaitView(account, "blue Ed", "green Di", "red Ada");

            account.move(NORTH, WEST);
            account.awaitRole(WEST, "writes");
            west.upsertItem(user("1", "Ulm", "green", "Ada", true));
            west.upsertItem(user("2", "Ulm", "green", "Bo", true));
            west.deleteItem("4", new PartitionKey("Ulm"), new CosmosItemRequestOptions());
            awaitView(account, "green Ada", "green Bo", "green Di");
        }
    }

    private static void awaitView(RegionalAccount account, String... rows) {
        for (var region : List.of(WEST, NORTH)) {
            var view = container(account, region, "byTeam");
            Await.value("the view in " + region, () -> rows(view), List.of(rows));
        }
        assertThat(rows).isSorted();
    }

    private static List<String> rows(CosmosContainer view) {
        var rows = new ArrayList<String>();
        view.queryItems("SELECT c.team, c.name FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                .forEach(row -> rows.add(
                        row.path("team").asText() + " " + row.path("name").asText()));
        rows.sort(null);
        return rows;
    }

    private static CosmosContainer container(RegionalAccount account, String region, String name) {
        return account.clientIn(region).getDatabase("d").getContainer(name);
    }

    private static ObjectNode user(String id, String town, String team, String name, boolean isActive) {
        return JSON.createObjectNode()
                .put("id", id)
                .put("town", town)
                .put("team", team)
                .put("name", name)
                .put("active", isActive);
    }
}
