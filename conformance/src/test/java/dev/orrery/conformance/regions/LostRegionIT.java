package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two regions cannot vote: somebody says that the write region is lost, and what only that one had is kept as conflicts. */
class LostRegionIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void whatALostRegionHadAloneIsAmongTheConflicts() {
        try (var account = new RegionalAccount(folder, List.of(WEST, NORTH))) {
            var client = account.clientIn(WEST);
            client.createDatabase("d");
            client.getDatabase("d").createContainer("c", "/pk");
            var west = client.getDatabase("d").getContainer("c");
            west.createItem(item("both", 1));
            west.createItem(item("changed", 1));
            var north = account.clientIn(NORTH).getDatabase("d").getContainer("c");
            Await.value("North is level", () -> ids(north), Set.of("both", "changed"));

            account.order(WEST, "fault", "cut", "--from", WEST, "--to", NORTH);
            west.createItem(item("alone", 2));
            west.upsertItem(item("changed", 2));
            client.getDatabase("d").createContainer("unknown", "/pk");
            client.getDatabase("d").getContainer("unknown").createItem(item("nowhere", 4));
            account.server(WEST).kill();
            assertThat(account.order(NORTH, "failover", "--to", NORTH, "--force"))
                    .contains("North Europe takes the writes, in epoch 2");
            account.awaitRole(NORTH, "writes");
            var after = account.clientIn(NORTH).getDatabase("d").getContainer("c");
            after.createItem(item("after", 3));

            account.server(WEST).restart();
            account.awaitRole(WEST, "follows");
            var back = account.clientIn(WEST).getDatabase("d").getContainer("c");
            Await.value("West has followed", () -> ids(back), Set.of("both", "changed", "after"));
            assertThat(back.readItem("changed", new PartitionKey("p1"), JsonNode.class)
                            .getItem()
                            .path("n")
                            .asInt())
                    .isEqualTo(1);
            var conflicts = account.conflictsIn(NORTH, "d", "c");
            assertThat(conflicts).hasSize(2).allMatch(id -> id.startsWith("West-US-"));
            assertThat(account.order(WEST, "region", "list"))
                    .contains("3 changes of this region were lost")
                    .contains("last failover: to North Europe, while this region was away");
            assertThat(account.order(NORTH, "region", "list")).contains("last failover: to North Europe, at 2");
            account.server(WEST).stop();
            account.server(WEST).restart();
            account.awaitRole(WEST, "follows");
            assertThat(account.order(WEST, "region", "list"))
                    .as("after another start")
                    .contains("3 changes of this region were lost")
                    .contains("last failover: to North Europe, while this region was away");
            assertThat(account.folder(WEST).resolve("lost"))
                    .as("what a container held that only the lost region knew")
                    .isDirectoryContaining(file ->
                            file.toString().endsWith(".jsonl") && read(file).contains("\"id\":\"nowhere\""));
        }
    }

    private static ObjectNode item(String id, int n) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1").put("n", n);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Set<String> ids(CosmosContainer container) {
        var ids = new TreeSet<String>();
        container
                .queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class)
                .forEach(ids::add);
        return ids;
    }
}
