package dev.orrery.conformance.changes;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What applications do in the SDK's own mode when there is much to do: bulk beyond the throughput of a container, and
 * processors of the change feed behind it.
 */
class DirectWorkIT {
    private static final int KEYS = 240;
    private static final int UNITS = 400;

    @TempDir
    Path folder;

    @Test
    void bulkBeyondTheThroughputGetsThereAndProcessorsOfBothModesSeeAllOfIt() throws IOException {
        try (var server = OrreryServer.startInMemory(folder, "--enforce-throughput");
                var feed = new Feed(
                        server,
                        builder -> ClientMode.DIRECT
                                .to(builder)
                                .throttlingRetryOptions(new ThrottlingRetryOptions()
                                        .setMaxRetryAttemptsOnThrottledRequests(1_000)
                                        .setMaxRetryWaitTime(Await.PATIENCE)))) {
            var container = feed.container("busy", UNITS);
            var deliveries = new HashMap<Manner, Delivery>();
            var processors = new ArrayList<Processor>();
            for (var manner : List.of(Manner.RANGE_LEASES, Manner.ALL_VERSIONS)) {
                var delivery = new Delivery(folder.resolve(manner.name()));
                deliveries.put(manner, delivery);
                processors.add(Processor.start(manner, Pace.CALM, feed.followed(), "busy", manner.name(), delivery));
            }
            processors.forEach(processor -> Await.until(
                    "a processor has noted where it starts",
                    () -> !processor.owners().isEmpty() && !processor.owners().contains("") && processor.lag() == 0));

            var written = writeInBulk(container);
            deliveries.forEach(
                    (manner, delivery) -> Await.value(manner + " delivers everything", delivery::reached, written));
            processors.forEach(Processor::close);
            assertThat(throttled(server)).as("requests that came too early").isPositive();
        }
    }

    /** One item of every key, since bulk keeps no order. */
    private static Map<String, Integer> writeInBulk(CosmosContainer container) {
        var operations = new ArrayList<CosmosItemOperation>();
        var written = new HashMap<String, Integer>();
        for (int key = 0; key < KEYS; key++) {
            var partition = "p" + key;
            written.put(partition, 1);
            operations.add(CosmosBulkOperations.getCreateItemOperation(
                    Map.of("id", "1", "pk", partition, "n", 1), new PartitionKey(partition)));
        }
        for (var reply : container.executeBulkOperations(operations)) {
            assertThat(reply.getException()).isNull();
            assertThat(reply.getResponse().getStatusCode()).isEqualTo(201);
        }
        return written;
    }

    private static long throttled(OrreryServer server) throws IOException {
        var status = new ObjectMapper()
                .readTree(new WireClient(server)
                        .exchange(WireRequest.of("GET", "/_orrery/status"))
                        .body());
        assertThat(status.path("directPort").asInt())
                .as("status tells the port")
                .isPositive();
        long sum = 0;
        for (JsonNode operation : status.path("operations")) {
            sum += operation.path("throttled").asLong();
        }
        return sum;
    }
}
