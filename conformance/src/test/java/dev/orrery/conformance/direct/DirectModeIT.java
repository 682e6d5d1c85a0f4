package dev.orrery.conformance.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDiagnostics;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.DirectConnectionConfig;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** A client without any setting of its mode, at every level, through restarts and replaced containers. */
class DirectModeIT {
    private static final String TRUST_ANY = "COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PartitionKey KEY = new PartitionKey("a");

    @TempDir
    Path folder;

    /** Before any client: the JVM reads its trust store once. */
    @BeforeAll
    static void startSharedServer() {
        SharedServer.running();
    }

    private static CosmosClient client(OrreryServer server) {
        return builder(server).buildClient();
    }

    /** A client of a server with a certificate of its own, as the docs tell users to make one. */
    private static CosmosClient trustingClient(OrreryServer server) {
        System.setProperty(TRUST_ANY, "true");
        try {
            return client(server);
        } finally {
            System.clearProperty(TRUST_ANY);
        }
    }

    private static CosmosClientBuilder builder(OrreryServer server) {
        return new CosmosClientBuilder()
                .endpoint(server.http().toString())
                .key(OrreryServer.WELL_KNOWN_KEY)
                .directMode(DirectConnectionConfig.getDefaultConfig().setNetworkRequestTimeout(Duration.ofSeconds(10)));
    }

    private static CosmosContainer container(CosmosClient client, String name) {
        client.createDatabaseIfNotExists("direct");
        client.getDatabase("direct").createContainerIfNotExists(name, "/pk");
        return client.getDatabase("direct").getContainer(name);
    }

    private static ObjectNode item(String id) {
        return JSON.createObjectNode().put("id", id).put("pk", "a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "[::1]"})
    void aClientMayNameThisMachineByAnAddress(String host) throws IOException {
        assumeThat(isHere(host)).as("this machine has " + host).isTrue();
        var endpoint = "http://" + host + ":" + SharedServer.running().port();
        try (var client = builder(SharedServer.running()).endpoint(endpoint).buildClient()) {
            var container = container(client, "addresses");
            container.upsertItem(item("1"));
            assertThat(container.readItem("1", KEY, ObjectNode.class).getStatusCode())
                    .isEqualTo(200);
        }
    }

    private static boolean isHere(String address) throws IOException {
        try (var port = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return port.isBound();
        } catch (BindException none) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Strong", "BoundedStaleness", "Session", "ConsistentPrefix", "Eventual"})
    void aReadIsOneRequestAtEveryLevel(String level) {
        try (var server = OrreryServer.startInMemory(folder, "--default-consistency", level);
                var client = trustingClient(server)) {
            var container = container(client, "levels");
            container.createItem(item("1"));
            container.readItem("1", KEY, ObjectNode.class);
            var read = container.readItem("1", KEY, ObjectNode.class);
            assertThat(requests(read.getDiagnostics())).isEqualTo(1);
            assertThatThrownBy(() -> container.readItem("none", KEY, ObjectNode.class))
                    .isInstanceOfSatisfying(CosmosException.class, missing -> {
                        assertThat(missing.getStatusCode()).isEqualTo(404);
                        assertThat(requests(missing.getDiagnostics())).isEqualTo(1);
                    });
            var options = new CosmosQueryRequestOptions().setPartitionKey(KEY);
            assertThat(container.queryItems("SELECT * FROM c", options, ObjectNode.class).stream())
                    .hasSize(1);
        }
    }

    /** Requests that one call has sent to copies of a range; asking for addresses again would show as well. */
    private static int requests(CosmosDiagnostics diagnostics) {
        JsonNode seen;
        try {
            seen = JSON.readTree(diagnostics.toString());
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return seen.path("responseStatisticsList").size()
                + seen.path("addressResolutionStatistics").size();
    }

    @Test
    void aClientGoesOnAfterTheServerWasKilled() {
        try (var server = OrreryServer.start(folder.resolve("data"));
                var client = trustingClient(server)) {
            var container = container(client, "restart");
            container.createItem(item("before"));
            server.kill();
            server.restart();
            assertThat(container.readItem("before", KEY, ObjectNode.class).getStatusCode())
                    .isEqualTo(200);
            assertThat(container.createItem(item("after")).getStatusCode()).isEqualTo(201);
            server.stop();
            server.restart();
            assertThat(container.upsertItem(item("after")).getStatusCode()).isEqualTo(200);
        }
    }

    @Test
    void aContainerThatWasMadeAnewIsFoundAgain() {
        var server = SharedServer.running();
        try (var client = client(server);
                var other = client(server)) {
            var container = container(client, "anew");
            container.createItem(item("1"));
            other.getDatabase("direct").getContainer("anew").delete();
            container(other, "anew");
            assertThat(container.createItem(item("1")).getStatusCode()).isEqualTo(201);
            assertThat(container.readItem("1", KEY, ObjectNode.class).getStatusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void manyRequestsAreUnderWayAtOnce() {
        try (var client = builder(SharedServer.running()).buildAsyncClient()) {
            client.createDatabaseIfNotExists("direct").block();
            client.getDatabase("direct")
                    .createContainerIfNotExists("many", "/pk")
                    .block();
            CosmosAsyncContainer container = client.getDatabase("direct").getContainer("many");
            int count = 300;
            Flux.fromStream(IntStream.range(0, count).mapToObj(i -> item("i" + i)))
                    .flatMap(container::upsertItem, count)
                    .blockLast();
            var read = Flux.range(0, count)
                    .flatMap(i -> container.readItem("i" + i, KEY, ObjectNode.class), count)
                    .map(reply -> reply.getItem().path("id").textValue())
                    .collectList()
                    .block();
            assertThat(read).hasSize(count).doesNotHaveDuplicates();
        }
    }

    @Test
    void aWrongKeyIsRefusedAtOnce() {
        try (var client =
                builder(SharedServer.running()).key(SharedServer.SECONDARY_KEY).buildClient()) {
            assertThat(container(client, "keys").getId()).isEqualTo("keys");
        }
        assertThatThrownBy(() -> builder(SharedServer.running())
                        .key("AAAA" + OrreryServer.WELL_KNOWN_KEY.substring(4))
                        .buildClient()
                        .close())
                .hasMessageContaining("401");
    }

    @Test
    void whereItIsOffTheRefusalSaysWhatToDo() {
        try (var server = OrreryServer.startInMemory(folder, "--direct-port", "off");
                var client = client(server)) {
            assertThatThrownBy(() -> client.createDatabaseIfNotExists("direct")).hasMessageContaining("gatewayMode()");
        }
    }
}
