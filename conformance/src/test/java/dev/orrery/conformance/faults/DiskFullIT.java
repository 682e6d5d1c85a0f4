package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A real file system that is full: reads go on, writes say why not, and all is well when there is room again. */
@ParameterizedClass(name = "{0}")
@EnumSource
class DiskFullIT {
    private static final PartitionKey KEY = new PartitionKey("p");
    private static final int DISK_MEGABYTES = 256;
    private static final int TEXT_CHARS = 400_000;
    private static final int MEGABYTE = 1 << 20;

    @Parameter
    private ClientMode mode;

    @TempDir
    private Path folder;

    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        var size = "size=" + DISK_MEGABYTES + "m";
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", size, "tmpfs", disk.toString()),
                "only root can mount a small file system");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    @Test
    void aDiskThatIsFullKeepsNobodyFromReadingAndIsGotOver() throws Exception {
        var acknowledged = new LinkedHashSet<String>();
        try (var server = OrreryServer.start(disk.resolve("data"), "--disk-reserve", "0")) {
            try (var client = client(server)) {
                var container = container(client);
                write(container, "first");
                acknowledged.add("first");
                fillDisk(0);

                var refusal = writeUntilRefused(container, acknowledged);
                assertThat(refusal.getStatusCode()).isEqualTo(503);
                assertThat(refusal.getMessage()).contains("may or may not have taken effect");
                assertServesReadsOnly(server, container, acknowledged);
                Await.until("a refusal for sure", () -> isRefused(container, "refused", "No space left"));

                Files.delete(disk.resolve("ballast"));
                Await.value("ready", () -> get(server, "/_orrery/ready").status(), 200);
                assertThat(get(server, "/_orrery/health").body()).startsWith("healthy");
                assertThat(found(container)).containsAll(acknowledged).doesNotContain("refused");
                write(container, "last");
                acknowledged.add("last");
            }
            server.kill();
            server.restart();
            try (var client = client(server)) {
                var container = client.getDatabase("d").getContainer("c");
                assertThat(found(container)).containsAll(acknowledged).doesNotContain("refused");
            }
        }
    }

    @Test
    void writesStopAtTheReserveAndGoOnAboveIt() throws Exception {
        try (var server = OrreryServer.start(disk.resolve("data"), "--disk-reserve", "32");
                var client = client(server)) {
            var container = container(client);
            write(container, "first");
            fillDisk(50);
            Await.until("a warning", () -> get(server, "/_orrery/health").body().contains("--disk-reserve"));
            assertThat(get(server, "/_orrery/ready").status()).isEqualTo(200);
            write(container, "second");

            fillDisk(20);
            Await.value("not ready", () -> get(server, "/_orrery/ready").status(), 503);
            assertThat(isRefused(container, "refused", "--disk-reserve")).isTrue();
            assertServesReadsOnly(server, container, Set.of("first", "second"));
            assertThat(get(server, "/_orrery/metrics").body()).contains("orrery_store_stopped 1.0");

            Files.delete(disk.resolve("ballast"));
            Await.value("ready", () -> get(server, "/_orrery/ready").status(), 200);
            write(container, "third");
            assertThat(found(container)).containsExactlyInAnyOrder("first", "second", "third");
            assertThat(server.log().tail(200)).contains("--disk-reserve", "Writes are taken again");
        }
    }

    private static void assertServesReadsOnly(OrreryServer server, CosmosContainer container, Set<String> there) {
        Await.value("not ready", () -> get(server, "/_orrery/ready").status(), 503);
        assertThat(get(server, "/_orrery/ready").body()).startsWith("not ready: No writes are taken");
        assertThat(get(server, "/_orrery/health").status()).isEqualTo(200);
        assertThat(get(server, "/_orrery/health").body()).startsWith("degraded: ");
        assertThat(get(server, "/_orrery/status").status()).isEqualTo(200);
        assertThat(container
                        .readItem("first", KEY, ObjectNode.class)
                        .getItem()
                        .path("id")
                        .textValue())
                .isEqualTo("first");
        assertThat(found(container)).containsAll(there);
        assertThat(
                        container
                                .queryItems(
                                        "SELECT VALUE COUNT(1) FROM c", new CosmosQueryRequestOptions(), Integer.class)
                                .stream())
                .allMatch(count -> count >= there.size());
    }

    private static CosmosException writeUntilRefused(CosmosContainer container, Set<String> acknowledged) {
        for (int i = 0; ; i++) {
            var id = "i" + i;
            var refusal = catchThrowableOfType(CosmosException.class, () -> write(container, id));
            if (refusal != null) {
                return refusal;
            }
            acknowledged.add(id);
        }
    }

    private static boolean isRefused(CosmosContainer container, String id, String reason) {
        var refusal = catchThrowableOfType(CosmosException.class, () -> write(container, id));
        assertThat(refusal.getStatusCode()).isEqualTo(503);
        assertThat(refusal.getMessage()).doesNotContain("may or may not");
        return refusal.getMessage().contains(reason);
    }

    private static void write(CosmosContainer container, String id) {
        var text = new StringBuilder(TEXT_CHARS);
        while (text.length() < TEXT_CHARS) { // Of letters that cannot be compressed.
            text.append(Long.toString(ThreadLocalRandom.current().nextLong(), Character.MAX_RADIX));
        }
        container.createItem(Map.of("id", id, "pk", "p", "text", text.toString()), KEY, null);
    }

    private static Set<String> found(CosmosContainer container) {
        var ids = new LinkedHashSet<String>();
        container
                .queryItems("SELECT VALUE c.id FROM c", new CosmosQueryRequestOptions(), String.class)
                .forEach(ids::add);
        return ids;
    }

    private static CosmosContainer container(CosmosClient client) {
        client.createDatabase("d");
        client.getDatabase("d").createContainer("c", "/pk");
        return client.getDatabase("d").getContainer("c");
    }

    private CosmosClient client(OrreryServer server) {
        return mode.to(new CosmosClientBuilder()
                        .endpoint(server.http().toString())
                        .key(OrreryServer.WELL_KNOWN_KEY)
                        .consistencyLevel(ConsistencyLevel.SESSION))
                .buildClient();
    }

    private static WireReply get(OrreryServer server, String path) {
        return new WireClient(server).exchange(WireRequest.of("GET", path));
    }

    /** Leaves so many megabytes. */
    private void fillDisk(int megabytes) throws IOException {
        var ballast = disk.resolve("ballast");
        Files.deleteIfExists(ballast);
        long bytes = Files.getFileStore(disk).getUsableSpace() - (long) megabytes * MEGABYTE;
        try (var out = Files.newOutputStream(ballast)) {
            var some = new byte[MEGABYTE];
            for (long left = bytes; left > 0; left -= some.length) {
                out.write(some, 0, (int) Math.min(left, some.length));
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
