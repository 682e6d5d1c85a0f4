package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two regions and a witness, which has a voice and no data: one of the two takes over when the other is lost. */
class WitnessIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void withAWitnessOneOfTwoRegionsTakesOverByItself() {
        var tower = "Tower=witness://localhost:" + OrreryServer.freePort();
        try (var account = new RegionalAccount(folder, List.of(WEST, NORTH), Optional.of(tower))) {
            var said = folder.resolve("tower.log");
            var witness = OrreryServer.begin(
                    folder,
                    said,
                    "start",
                    "--region",
                    "Tower",
                    "--regions",
                    account.list(),
                    "--data",
                    folder.resolve("tower").toString());
            try {
                Await.until("the witness is ready", () -> text(said).contains("Tower is a witness of the account"));
                var client = account.clientIn(WEST);
                client.createDatabase("d");
                client.getDatabase("d").createContainer("c", "/pk");
                client.getDatabase("d").getContainer("c").createItem(item("before"));
                var north = account.clientIn(NORTH).getDatabase("d").getContainer("c");
                Await.value("North is level", () -> ids(north), Set.of("before"));
                assertThat(account.order(NORTH, "region", "list")).contains("Tower");

                account.server(WEST).kill();
                account.awaitRole(NORTH, "writes");
                account.clientIn(NORTH).getDatabase("d").getContainer("c").createItem(item("after"));
                assertThat(ids(north)).containsExactlyInAnyOrder("before", "after");

                account.server(WEST).restart();
                account.awaitRole(WEST, "follows");
            } finally {
                Stream.concat(witness.descendants(), Stream.of(witness.toHandle()))
                        .forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    private static ObjectNode item(String id) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1");
    }

    private static Set<String> ids(CosmosContainer container) {
        var ids = new TreeSet<String>();
        container
                .queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class)
                .forEach(ids::add);
        return ids;
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
