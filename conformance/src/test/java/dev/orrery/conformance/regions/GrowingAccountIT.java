package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions come and go while the others serve: from one to three, which vote, and back to two, which cannot. */
class GrowingAccountIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final String EAST = "Southeast Asia";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void regionsAreAddedAndRemovedWhileTheOthersServe() {
        try (var account = new RegionalAccount(folder, List.of(WEST))) {
            var west = account.clientIn(WEST);
            west.createDatabase("d");
            west.getDatabase("d").createContainer("c", "/pk");
            container(account, WEST).createItem(item("one"));

            account.add(NORTH, WEST);
            Await.value("North has caught up", () -> ids(account, NORTH), Set.of("one"));
            assertThat(account.order(NORTH, "region", "list")).contains(WEST, NORTH);

            // Whoever is asked, the write region does it. With three of them there are votes.
            account.add(EAST, NORTH);
            Await.value("East has caught up", () -> ids(account, EAST), Set.of("one"));
            Await.until(
                    "a region takes the writes",
                    () -> List.of(WEST, NORTH, EAST).stream().anyMatch(region -> writes(account, region)));
            container(account, WEST).createItem(item("two"));
            Await.value("North has it", () -> ids(account, NORTH), Set.of("one", "two"));
            Await.value("East has it", () -> ids(account, EAST), Set.of("one", "two"));

            account.server(WEST).kill();
            Await.until("another takes the writes", () -> writes(account, NORTH) || writes(account, EAST));
            var writer = writes(account, NORTH) ? NORTH : EAST;
            var other = writer.equals(NORTH) ? EAST : NORTH;
            container(account, writer).createItem(item("three"));
            account.server(WEST).restart();
            Await.value("West has followed", () -> ids(account, WEST), Set.of("one", "two", "three"));

            assertThatThrownBy(() -> account.order(other, "region", "remove", writer))
                    .hasMessageContaining("takes the writes");
            assertThat(account.order(WEST, "region", "remove", WEST)).contains("no region of the account any more");
            assertThat(account.order(other, "region", "list")).contains(writer).doesNotContain(WEST);
            account.awaitRole(writer, "writes");

            // Two do not vote: the write region goes on alone.
            account.server(other).kill();
            container(account, writer).createItem(item("four"));
            account.server(other).restart();
            Await.value("the other has followed", () -> ids(account, other), Set.of("one", "two", "three", "four"));
            // Who knows only the one that was removed is told by it where to write.
            container(account, WEST).createItem(item("five"));
            assertThat(ids(account, writer)).contains("five");
        }
    }

    private static boolean writes(RegionalAccount account, String region) {
        return account.status(region).path("role").asText().equals("writes");
    }

    private static CosmosContainer container(RegionalAccount account, String region) {
        return account.clientIn(region).getDatabase("d").getContainer("c");
    }

    private static ObjectNode item(String id) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1");
    }

    private static Set<String> ids(RegionalAccount account, String region) {
        var ids = new TreeSet<String>();
        container(account, region)
                .queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class)
                .forEach(ids::add);
        return ids;
    }
}
