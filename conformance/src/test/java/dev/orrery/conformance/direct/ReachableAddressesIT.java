package dev.orrery.conformance.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.DirectConnectionConfig;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client in Direct mode that can reach the server under another address only, which checks whether the certificate names
 * that address.
 */
class ReachableAddressesIT {
    /** Nobody listens here but the proxies of these tests: servers listen to 127.0.0.1. */
    private static final String ELSEWHERE = SharedServer.CERTIFICATE_NAME;

    @TempDir
    Path folder;

    private String trustBefore;

    /** Before any client: the JVM reads its trust store once. */
    @BeforeAll
    static void startSharedServer() {
        SharedServer.running();
    }

    @BeforeEach
    void checkCertificates() throws IOException {
        trustBefore = System.clearProperty(ClientMode.TRUST_ANY);
        try (var port = new ServerSocket(0, 1, InetAddress.getByName(ELSEWHERE))) {
            assumeThat(port.isBound()).isTrue();
        } catch (IOException none) {
            assumeThat(none).as("not every system has all of 127.0.0.0/8").isNull();
        }
    }

    @AfterEach
    void restore() {
        if (trustBefore != null) {
            System.setProperty(ClientMode.TRUST_ANY, trustBefore);
        }
    }

    @Test
    void aClientBehindMappedPortsReachesBothIfThatOfDirectModeIsTheSame() throws IOException {
        var server = SharedServer.running();
        int directPort = FrameSocket.portOf(server);
        try (var https = new TcpProxy(ELSEWHERE, 0, server.port());
                var direct = new TcpProxy(ELSEWHERE, directPort, directPort)) {
            assertThat(https.port()).isNotEqualTo(server.port());
            use("https://" + ELSEWHERE + ":" + https.port() + "/", "mapped");
            assertThat(direct.connections()).isPositive();
        }
    }

    @Test
    void aClientGoesWhereItIsToldByAdvertise() throws IOException {
        int port = OrreryServer.freePort();
        var data = Files.createDirectories(folder.resolve("data").resolve("tls"));
        // The certificate that this JVM trusts.
        Files.copy(SharedServer.certificateWithKey(), data.resolve("orrery.pem"));
        try (var mapped = new TcpProxy(ELSEWHERE, 0, port);
                var server = OrreryServer.startOn(
                        port, folder.resolve("data"), "--advertise", "https://" + ELSEWHERE + ":" + mapped.port())) {
            int directPort = FrameSocket.portOf(server);
            try (var direct = new TcpProxy(ELSEWHERE, directPort, directPort)) {
                use(server.https().toString(), "advertised");
                assertThat(mapped.connections()).isPositive();
                assertThat(direct.connections()).isPositive();
            }
        }
    }

    private static void use(String endpoint, String name) {
        var key = new PartitionKey("a");
        var builder = new CosmosClientBuilder()
                .endpoint(endpoint)
                .key(OrreryServer.WELL_KNOWN_KEY)
                .directMode(DirectConnectionConfig.getDefaultConfig().setNetworkRequestTimeout(Duration.ofSeconds(10)));
        try (var client = builder.buildClient()) {
            client.createDatabaseIfNotExists("reachable");
            client.getDatabase("reachable").createContainerIfNotExists(name, "/pk");
            var container = client.getDatabase("reachable").getContainer(name);
            var item = JsonNodeFactory.instance.objectNode().put("id", "1").put("pk", "a");
            assertThat(container.upsertItem(item).getStatusCode()).isEqualTo(201);
            assertThat(container.readItem("1", key, ObjectNode.class).getStatusCode())
                    .isEqualTo(200);
            assertThat(container.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), ObjectNode.class))
                    .hasSize(1);
        }
    }
}
