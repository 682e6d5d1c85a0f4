package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./orrery start --regions} with names alone starts all regions of an account, and is a single command to stop. */
class OneCommandIT {
    private static final List<String> REGIONS = List.of("West US", "North Europe", "Southeast Asia");
    private static final int PORTS_APART = 10;

    /** For requests, for Direct mode and for votes. */
    private static final int PORTS_OF_A_REGION = 3;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void allRegionsAreReadyAndAnswerAndEndTogether() {
        int port = freePorts();
        var said = folder.resolve("said");
        var process = OrreryServer.begin(folder, said, start(port));
        try {
            Await.until(
                    "all regions are ready",
                    () -> text(said).contains("Orrery is ready in 3 regions; West US takes the writes"));
            for (int place = 0; place < REGIONS.size(); place++) {
                assertThat(text(said))
                        .containsPattern(
                                REGIONS.get(place) + " +http://localhost:" + (port + place * PORTS_APART) + " ");
            }
            try (var owner = clientIn(port, 0)) {
                owner.createDatabase("d");
                owner.getDatabase("d").createContainer("c", "/pk");
            }
            for (int place = 0; place < REGIONS.size(); place++) {
                try (var client = clientIn(port, place)) {
                    var container = client.getDatabase("d").getContainer("c");
                    var id = "i" + place;
                    container.createItem(JSON.createObjectNode().put("id", id).put("pk", "p"));
                    assertThat(container
                                    .readItem(id, new PartitionKey("p"), JsonNode.class)
                                    .getItem()
                                    .path("id")
                                    .asText())
                            .isEqualTo(id);
                }
            }
            var children = process.descendants().toList();
            process.toHandle().destroy();
            Await.end(process);
            children.forEach(child -> Await.until("a region has ended", () -> !child.isAlive()));
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
        var elsewhere = OrreryServer.run(folder, start(freePorts()));
        assertThat(elsewhere.exitCode()).isNotZero();
        assertThat(elsewhere.output())
                .contains("The other regions of the account look for West US at http://localhost:" + port + "/");
    }

    private String[] start(int port) {
        return new String[] {
            "start",
            "--regions",
            String.join(",", REGIONS),
            "--port",
            Integer.toString(port),
            "--data",
            folder.resolve("data").toString()
        };
    }

    private static CosmosClient clientIn(int port, int place) {
        return ClientMode.apply(new CosmosClientBuilder()
                        .endpoint("http://localhost:" + (port + place * PORTS_APART))
                        .key(OrreryServer.WELL_KNOWN_KEY))
                .preferredRegions(List.of(REGIONS.get(place)))
                .consistencyLevel(ConsistencyLevel.SESSION)
                .buildClient();
    }

    /** The first of those that the regions take, none of which is taken. */
    private static int freePorts() {
        int first = OrreryServer.freePort();
        while (!areFree(first)) {
            first = OrreryServer.freePort();
        }
        return first;
    }

    private static boolean areFree(int first) {
        return IntStream.range(0, REGIONS.size() * PORTS_OF_A_REGION)
                .map(number -> first + number / PORTS_OF_A_REGION * PORTS_APART + number % PORTS_OF_A_REGION)
                .allMatch(OneCommandIT::isFree);
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
