package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application meets when the items with one partition key have become as large together as they may. */
class FullPartitionIT {
    private static final PartitionKey FULL = new PartitionKey("full");
    private static final int ITEM_BYTES = 100_000;

    @TempDir
    Path folder;

    private int next;

    private static Map<String, Object> item(String id, String partition) {
        return Map.of("id", id, "pk", partition, "text", "x".repeat(ITEM_BYTES));
    }

    /** The refusal of a write, if it was refused. */
    private static Optional<CosmosException> refusal(Runnable write) {
        try {
            write.run();
            return Optional.empty();
        } catch (CosmosException refused) {
            assertThat(refused.getStatusCode()).as(refused.getMessage()).isEqualTo(403);
            assertThat(refused.getSubStatusCode()).isEqualTo(1014);
            assertThat(refused.getMessage()).contains("Partition key reached maximum size of 1 MB", "delete some");
            return Optional.of(refused);
        }
    }

    /** Creates items until one is refused, which is the last of these ids. */
    private void fill(CosmosContainer container) {
        // It is measured once, while writes go on.
        Await.until(
                "the partition is full",
                () -> refusal(() -> container.createItem(item("" + next++, "full")))
                        .isPresent());
    }

    @Test
    void writesThatMakeItLargerAreRefusedUntilSomethingIsDeleted() {
        try (var server = OrreryServer.start(folder.resolve("data"), "--logical-partition-max", "1");
                var client = ClientMode.apply(new CosmosClientBuilder()
                                .endpoint(server.http().toString())
                                .key(OrreryServer.WELL_KNOWN_KEY))
                        .buildClient()) {
            client.createDatabase("shop");
            var database = client.getDatabase("shop");
            database.createContainer("orders", "/pk");
            var container = database.getContainer("orders");
            fill(container);
            int last = next - 2;
            assertThat(last * ITEM_BYTES).isGreaterThan(1 << 19);

            container.createItem(item("1", "other"));
            assertThat(container.readItem("" + last, FULL, Map.class).getItem().get("pk"))
                    .isEqualTo("full");
            var batch = CosmosBatch.createCosmosBatch(FULL);
            batch.deleteItemOperation("" + last);
            batch.createItemOperation(item("a", "full"));
            batch.createItemOperation(item("b", "full"));
            assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode())
                    .isFalse();

            while (refusal(() -> container.createItem(item("room", "full"))).isPresent()) {
                container.deleteItem("" + last--, FULL, new CosmosItemRequestOptions());
            }
            server.stop();
            server.restart();
            fill(container);
        }
    }
}
