package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients did is found again in metrics and in the status that a person asks for. */
class StatusIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PartitionKey KEY = new PartitionKey("a");

    @TempDir
    Path folder;

    @Test
    void aServerWithoutContainersSaysSo() {
        try (var server = OrreryServer.startInMemory(folder)) {
            assertThat(status(server)).contains("is ready", "There are no containers.", "No requests since");
        }
    }

    @Test
    void whatAClientDidIsFoundAgain() throws JsonProcessingException {
        try (var server = OrreryServer.startInMemory(folder);
                var client = client(server)) {
            client.createDatabase("shop");
            client.getDatabase("shop")
                    .createContainer("orders", "/pk", ThroughputProperties.createManualThroughput(500));
            double charge = use(client.getDatabase("shop").getContainer("orders"));
            awaitCounted(server, "DeleteItem", "204", 1);
            awaitCounted(server, "CreateItem", "201", 3);
            awaitCounted(server, "ReadItem", "200", 2);
            awaitCounted(server, "ReadItem", "404", 1);
            awaitCounted(server, "QueryItems", "200", 1);

            assertThat(counted(server, "orrery_request_units_total", "CreateItem", "201"))
                    .isCloseTo(charge, within(0.02));
            assertThat(counted(server, "orrery_requests_seconds_count", "ReadRanges", "200"))
                    .as("asked for by rid, told by name")
                    .isPositive();
            assertThat(metrics(server))
                    .contains("orrery_container_documents{container=\"orders\",database=\"shop\"} 2.0")
                    .contains("orrery_container_partitions{container=\"orders\",database=\"shop\"} 1.0")
                    .contains("orrery_throughput_request_units{container=\"orders\",database=\"shop\","
                            + "mode=\"manual\"} 500.0")
                    .contains("orrery_throttled_total{container=\"orders\",database=\"shop\","
                            + "operation=\"ReadItem\"} 0.0");

            assertThat(status(server))
                    .containsPattern("shop +orders +2 +[0-9]+ B +1 +500 +[0-9]+ +[0-9.,]+ +0 +[0-9.]+ +[0-9.]+\\R")
                    .containsPattern("CreateItem +3 +[0-9.]+ +[0-9.]+ +0 +[0-9.]+ +[0-9.]+\\R")
                    .containsPattern("ReadItem +3 +3\\.");
            var report = report(server);
            assertThat(report.at("/containers/0/documents").intValue()).isEqualTo(2);
            assertThat(report.at("/containers/0/throughput/mode").textValue()).isEqualTo("manual");
        }
    }

    @Test
    void whatDoesNotExistHasNoSeries() {
        try (var server = OrreryServer.startInMemory(folder);
                var client = client(server)) {
            client.createDatabase("shop");
            client.getDatabase("shop").createContainer("passing", "/pk");
            client.getDatabase("shop").getContainer("passing").createItem(item("1"));
            assertThat(metrics(server)).contains("container=\"passing\"");
            client.getDatabase("shop").getContainer("passing").delete();
            var wire = new WireClient(server);
            for (int i = 0; i < 20; i++) {
                wire.get("/dbs/shop/colls/guess" + i);
                wire.get("/dbs/guess" + i + "/colls/orders");
            }

            assertThat(metrics(server)).contains("database=\"shop\"").doesNotContain("passing", "guess");
            assertThat(status(server)).doesNotContain("passing", "guess");
        }
    }

    /** Three items, two reads, one in vain, a query, a delete; gives the charge of the three. */
    private static double use(CosmosContainer container) {
        double charge = 0;
        for (var id : new String[] {"1", "2", "3"}) {
            charge += container.createItem(item(id)).getRequestCharge();
        }
        container.readItem("1", KEY, ObjectNode.class);
        container.readItem("2", KEY, ObjectNode.class);
        assertThatThrownBy(() -> container.readItem("none", KEY, ObjectNode.class))
                .isInstanceOf(CosmosException.class);
        var options = new CosmosQueryRequestOptions().setPartitionKey(KEY);
        assertThat(container.queryItems("SELECT * FROM c", options, ObjectNode.class))
                .hasSize(3);
        container.deleteItem("1", KEY, new CosmosItemRequestOptions());
        return charge;
    }

    private static CosmosClient client(OrreryServer server) {
        return ClientMode.apply(new CosmosClientBuilder()
                        .endpoint(server.http().toString())
                        .key(OrreryServer.WELL_KNOWN_KEY))
                .buildClient();
    }

    private static ObjectNode item(String id) {
        return JSON.createObjectNode().put("id", id).put("pk", "a");
    }

    private static String metrics(OrreryServer server) {
        return new WireClient(server)
                .exchange(WireRequest.of("GET", "/_orrery/metrics"))
                .body();
    }

    private static double counted(OrreryServer server, String name, String operation, String status) {
        var start = "%s{container=\"orders\",database=\"shop\",operation=\"%s\",status=\"%s\",substatus=\"0\"} "
                .formatted(name, operation, status);
        return metrics(server)
                .lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(start.length())))
                .sum();
    }

    /** A reply is on its way before it is counted. */
    private static void awaitCounted(OrreryServer server, String operation, String status, double count) {
        Await.value(
                operation + " with " + status,
                () -> counted(server, "orrery_requests_seconds_count", operation, status),
                count);
    }

    private String status(OrreryServer server) {
        var finished =
                OrreryServer.run(folder, "status", "--endpoint", server.http().toString());
        assertThat(finished.exitCode()).isZero();
        return finished.output();
    }

    private JsonNode report(OrreryServer server) throws JsonProcessingException {
        var finished = OrreryServer.run(
                folder, "status", "--json", "--endpoint", server.http().toString());
        assertThat(finished.exitCode()).isZero();
        return JSON.readTree(finished.output());
    }
}
