package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code orrery check}: whether a data folder is whole. */
class CheckIT {
    private static final int ITEMS = 50;

    @TempDir
    private Path folder;

    @Test
    void aFolderIsCheckedAndADamagedFileNamed() throws IOException {
        var data = folder.resolve("data");
        try (var server = OrreryServer.start(data)) {
            fill(new WireClient(server));
            assertThat(check(data).output()).contains("Another Orrery is using");
            server.kill();
            assertThat(check(data).output()).contains(ITEMS + " items in 1 container: all is well");
            assertThat(check(data).exitCode()).isZero();
            server.restart();
            assertThat(server.stop()).isIn(0, 143);
        }
        assertThat(check(data).output()).contains("all is well");

        var log = lastLog(data);
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 1;
        Files.write(log, bytes);
        var damaged = check(data);
        assertThat(damaged.exitCode()).isOne();
        assertThat(damaged.output())
                .contains(log.getFileName().toString(), "damaged")
                .doesNotContain("\tat ");
        assertThat(Files.readAllBytes(log)).isEqualTo(bytes);

        var repaired = folder.resolve("repaired");
        var repair = OrreryServer.run(folder, "check", "--data", data.toString(), "--repair", repaired.toString());
        assertThat(repair.output()).contains(log.getFileName().toString(), "can be read", repaired.toString());
        assertThat(Files.readAllBytes(log)).isEqualTo(bytes);
        assertThat(check(repaired).output()).contains("all is well");
        var again = OrreryServer.run(folder, "check", "--data", data.toString(), "--repair", repaired.toString());
        assertThat(again.output()).contains("There is something in");
        try (var server = OrreryServer.start(repaired)) {
            assertThat(new WireClient(server).get("/dbs/d/colls/c").status()).isEqualTo(200);
        }
    }

    @Test
    void aFolderWithoutAStoreIsSaidToHaveNone() {
        var none = check(folder.resolve("none"));

        assertThat(none.exitCode()).isOne();
        assertThat(none.output()).contains("There is no store in");
    }

    private OrreryServer.Finished check(Path data) {
        return OrreryServer.run(folder, "check", "--data", data.toString());
    }

    private static void fill(WireClient client) {
        assertThat(client.post("/dbs", "{\"id\":\"d\"}").status()).isEqualTo(201);
        var definition = """
            {"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":1000,
             "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]}}\
            """;
        assertThat(client.post("/dbs/d/colls", definition).status()).isEqualTo(201);
        for (int i = 0; i < ITEMS; i++) {
            var item = "{\"id\":\"%d\",\"pk\":\"p%d\",\"mail\":\"%d\"}".formatted(i, i % 5, i);
            var create = WireRequest.of("POST", "/dbs/d/colls/c/docs")
                    .header("x-ms-documentdb-partitionkey", "[\"p%d\"]".formatted(i % 5))
                    .body(item);
            assertThat(client.send(create).status()).isEqualTo(201);
        }
    }

    private static Path lastLog(Path data) throws IOException {
        try (var files = Files.list(data)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }
}
