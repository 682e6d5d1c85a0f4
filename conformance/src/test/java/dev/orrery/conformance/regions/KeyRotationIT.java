package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of an account are replaced in one region after the other, and the regions understand each other meanwhile. */
class KeyRotationIT {
    private static final String OLD = key(1);
    private static final String NEW = key(2);

    @TempDir
    private Path folder;

    private static String key(int seed) {
        var bytes = new byte[64];
        Arrays.fill(bytes, (byte) seed);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void oneRegionAfterTheOtherTakesTheNewKeyFirst() throws IOException {
        int west = OrreryServer.freePort();
        int north = OrreryServer.freePort();
        var list = "West US=http://localhost:" + west + ",North Europe=http://localhost:" + north;
        try (var first = start("West US", west, list);
                var second = start("North Europe", north, list)) {
            assertThat(first.isAlive() && second.isAlive()).isTrue();
            Await.until("west takes the writes", () -> create(west, OLD, "/dbs", "{\"id\":\"before\"}"));
            awaitDatabase(north, "before");

            write("West US.primary", NEW);
            Await.value("west has read its primary key", () -> status(west, OLD), 401);
            write("West US.secondary", OLD);
            Await.value("west has read its secondary key", () -> status(west, OLD), 200);
            assertThat(create(west, NEW, "/dbs", "{\"id\":\"after\"}")).isTrue();
            awaitDatabase(north, "after");
        }
    }

    private OrreryServer start(String name, int port, String list) throws IOException {
        write(name + ".primary", OLD);
        write(name + ".secondary", NEW);
        return OrreryServer.startOn(
                port,
                folder.resolve(Integer.toString(port)),
                "--region",
                name,
                "--regions",
                list,
                "--key-file",
                folder.resolve(name + ".primary").toString(),
                "--secondary-key-file",
                folder.resolve(name + ".secondary").toString());
    }

    private void write(String name, String key) throws IOException {
        var next = folder.resolve("next");
        Files.writeString(next, key);
        Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean create(int port, String key, String path, String body) {
        return new WireClient(port, key).post(path, body).status() == 201;
    }

    private static int status(int port, String key) {
        return new WireClient(port, key).get("/").status();
    }

    private static void awaitDatabase(int port, String id) {
        Await.value(
                id + " is there",
                () -> new WireClient(port, OLD).get("/dbs/" + id).status(),
                200);
    }
}
