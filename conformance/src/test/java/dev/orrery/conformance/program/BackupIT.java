package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.Signature;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code orrery backup} and {@code orrery restore}. */
class BackupIT {
    private static final String VIEW = """
        {"id":"v","partitionKey":{"paths":["/n"],"kind":"Hash","version":2},
         "materializedViewDefinition":{"sourceCollectionId":"c","definition":"SELECT c.id, c.pk, c.n FROM c"}}\
        """;

    @TempDir
    private Path folder;

    @Test
    void aRunningServerIsBackedUpAndRestoredAsItWasThenAndBefore() throws IOException {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var client = new WireClient(server);
            create(client);
            put(client, "a", 1);
            put(client, "b", 1);
            var before = waitForNextSecond();
            put(client, "a", 2);
            assertThat(delete(client, "b")).isEqualTo(204);
            put(client, "c", 1);

            var first = backup(server);
            assertThat(first.output()).contains("files", "were new");
            assertThat(first.exitCode()).isZero();
            put(client, "d", 1);
            var second = backup(server);
            assertThat(second.exitCode()).isZero();

            assertThat(run("restore", "--list", "--from", backups()).output()).contains("whole");
            restore("latest");
            restore("past", "--at", before.toString());
            assertThat(run("restore", "--from", backups(), "--data", path("past"))
                            .output())
                    .contains("There is something in");
            assertThat(run("restore", "--from", backups(), "--data", path("x"), "--at", "2020-01-01T00:00:00Z")
                            .output())
                    .doesNotContain("\tat ");
            assertThat(run("restore", "--from", backups(), "--data", path("x"), "--at", "2100-01-01T00:00:00Z")
                            .output())
                    .contains("Make one first");
        }
        try (var latest = OrreryServer.start(folder.resolve("latest"))) {
            assertItems(latest, "a2", "c1", "d1");
        }
        try (var past = OrreryServer.start(folder.resolve("past"))) {
            assertItems(past, "a1", "b1");
        }
        assertThat(run("check", "--data", path("past")).output()).contains("all is well");
        assertThat(run("check", "--data", path("latest")).output()).contains("all is well");
    }

    @Test
    void aServerThatEndsInTheMidstOfABackupLosesNothingAndLeavesNothing() throws IOException {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var client = new WireClient(server);
            create(client);
            put(client, "a", 1);
            var date = Signature.date(Instant.now());
            var begun = client.exchange(WireRequest.of("POST", "/_orrery/backup")
                    .header("x-ms-date", date)
                    .header("authorization", Signature.ofNames(OrreryServer.WELL_KNOWN_KEY, "POST", "/", date)));
            assertThat(begun.status()).isEqualTo(200);
            assertThat(folder.resolve("data/backup")).isDirectory();
            put(client, "b", 1);

            assertThat(backup(server).output()).contains("Another backup is under way");
            server.kill();
            server.restart();

            assertThat(folder.resolve("data/backup")).doesNotExist();
            assertItems(server, "a1", "b1");
            assertThat(backup(server).exitCode()).isZero();
            assertThat(folder.resolve("data/backup")).doesNotExist();
        }
    }

    @Test
    void whoHasNoKeyGetsNoBackup() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var refused = OrreryServer.run(
                    folder,
                    "backup",
                    "--to",
                    backups(),
                    "--endpoint",
                    server.http().toString(),
                    "--key",
                    "AAAA");
            assertThat(refused.output()).contains("does not know this key");
            assertThat(refused.exitCode()).isOne();
        }
    }

    private static void create(WireClient client) {
        assertThat(client.post("/dbs", "{\"id\":\"d\"}").status()).isEqualTo(201);
        assertThat(client.post(
                                "/dbs/d/colls",
                                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}")
                        .status())
                .isEqualTo(201);
        assertThat(client.post("/dbs/d/colls", VIEW).status()).isEqualTo(201);
    }

    private static void put(WireClient client, String id, int number) {
        var upsert = WireRequest.of("POST", "/dbs/d/colls/c/docs")
                .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                .header("x-ms-documentdb-is-upsert", "true")
                .body("{\"id\":\"%s\",\"pk\":\"p\",\"n\":%d}".formatted(id, number));
        assertThat(client.send(upsert).status()).isIn(200, 201);
    }

    private static int delete(WireClient client, String id) {
        return client.send(WireRequest.of("DELETE", "/dbs/d/colls/c/docs/" + id)
                        .header("x-ms-documentdb-partitionkey", "[\"p\"]"))
                .status();
    }

    /** The last moment of the second that has just ended. */
    private static Instant waitForNextSecond() {
        var second = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Await.until("the next second", () -> Instant.now().isAfter(second.plusSeconds(1)));
        return second;
    }

    private static void assertItems(OrreryServer server, String... expected) {
        var client = new WireClient(server);
        assertThat(rows(client, "c")).containsExactlyInAnyOrder(expected);
        Await.until("the view is filled", () -> rows(client, "v").length == expected.length);
        assertThat(rows(client, "v")).containsExactlyInAnyOrder(expected);
    }

    private static String[] rows(WireClient client, String container) {
        var body = client.whole("/dbs/d/colls/" + container + "/docs");
        return Pattern.compile("\"id\":\"(\\w+)\"[^}]*?\"n\":(\\d+)")
                .matcher(body)
                .results()
                .map(match -> match.group(1) + match.group(2))
                .toArray(String[]::new);
    }

    private OrreryServer.Finished backup(OrreryServer server) {
        return run("backup", "--to", backups(), "--endpoint", server.http().toString());
    }

    private void restore(String name, String... more) {
        var arguments = new ArrayList<>(List.of("restore", "--from", backups(), "--data", path(name)));
        arguments.addAll(List.of(more));
        var restored = run(arguments.toArray(String[]::new));
        assertThat(restored.output()).contains("is in " + path(name) + " now");
        assertThat(restored.exitCode()).isZero();
    }

    private OrreryServer.Finished run(String... arguments) {
        return OrreryServer.run(folder, arguments);
    }

    private String backups() {
        return path("backups");
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }
}
