package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.OrreryServer.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees who carries files into a running server and out of it. */
class ImportExportIT {
    private static final String CONFIGURATION = """
        databases:
          - id: shop
            containers:
              - {id: formats, partitionKey: /city, throughput: 12000}
              - {id: tables, partitionKey: /city, throughput: 6000}
              - {id: mended, partitionKey: /city, throughput: 6000}
              - {id: conflicts, partitionKey: /city, throughput: 6000}
              - {id: nameless, partitionKey: /city, throughput: 6000}
              - {id: slow, partitionKey: /city, throughput: 12000}
        """;

    @TempDir
    static Path folder;

    private static OrreryServer server;

    @BeforeAll
    static void start() throws IOException {
        var configuration = Files.writeString(folder.resolve("orrery.yaml"), CONFIGURATION);
        server = OrreryServer.startInMemory(folder, "--config", configuration.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String[] command(String name, String container, String... options) {
        var arguments = new ArrayList<>(List.of(
                name, "-d", "shop", "-c", container, "--endpoint", server.http().toString()));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private static Finished run(String name, String container, String... options) {
        return OrreryServer.run(folder, command(name, container, options));
    }

    private static void file(String name, String... lines) throws IOException {
        Files.write(folder.resolve(name), List.of(lines));
    }

    private static String item(int number) {
        return "{\"id\":\"%d\",\"city\":\"ulm %d\",\"big\":12345678901234567890,\"n\":{\"x\":[1,2.50]}}"
                .formatted(number, number % 10);
    }

    private static List<String> exported(String name) throws IOException {
        try (var lines = Files.lines(folder.resolve(name))) {
            return lines.sorted().toList();
        }
    }

    private static String count(String container) {
        return run("query", container, "SELECT VALUE COUNT(1) FROM c", "--format", "ndjson")
                .output()
                .strip();
    }

    @Test
    void whatIsImportedComesOutAsItWasInEveryFormat() throws IOException {
        var items = IntStream.range(0, 500).mapToObj(ImportExportIT::item).toList();
        Files.write(folder.resolve("items.ndjson"), items);

        var imported = run("import", "formats", "items.ndjson");
        assertThat(imported.exitCode()).as(imported.output()).isZero();
        assertThat(imported.output()).contains("Imported 500 items");
        assertThat(folder.resolve("items.ndjson.orrery-import")).doesNotExist();

        for (var name : List.of("all.json.gz", "all.csv.zst", "all.ndjson")) {
            assertThat(run("export", "formats", name).output()).contains("Exported 500 items");
            var again = run("import", "formats", name, "--upsert");
            assertThat(again.output()).contains("Imported 500 items");
            assertThat(run("export", "formats", "compared.ndjson").exitCode()).isZero();
            assertThat(exported("compared.ndjson"))
                    .as(name)
                    .isEqualTo(items.stream().sorted().toList());
        }
        assertThat(run("export", "formats", "some.json", "--query", "SELECT c.id FROM c WHERE c.id IN ('7', '8')")
                        .exitCode())
                .isZero();
        assertThat(Files.readString(folder.resolve("some.json")))
                .contains("{\"id\":\"7\"}", "{\"id\":\"8\"}")
                .startsWith("[\n")
                .endsWith("\n]\n");
        assertThat(run("export", "formats", "--query", "SELECT * FROM c WHERE c.id = '7'", "--system-properties")
                        .output())
                .contains("\"_ts\":", "\"_rid\":");
    }

    @Test
    void aTableBecomesItemsWithTypes() throws IOException {
        file("people.csv", "id,city,age,address.street,note", "1,ulm,42,Main,\"a \"\"b\"\"", "c\"", "2,ulm,,,x");

        assertThat(run("import", "tables", "people.csv").exitCode()).isZero();
        assertThat(run("export", "tables").output())
                .contains("{\"id\":\"1\",\"city\":\"ulm\",\"age\":42,\"address\":{\"street\":\"Main\"},"
                        + "\"note\":\"a \\\"b\\\"\\nc\"}\n")
                .contains("{\"id\":\"2\",\"city\":\"ulm\",\"note\":\"x\"}\n");
    }

    @Test
    void badLinesAreToldAndOnlyTheyAreImportedWhenMended() throws IOException {
        file("bad.ndjson", item(1), "{\"id\":\"2\",\"city\":}", item(3), "{\"city\":\"ulm\"}", "", "[]", item(4));

        var first = run("import", "mended", "bad.ndjson");
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.output())
                .contains("bad.ndjson:2:18: Malformed JSON: expected a value.")
                .contains("bad.ndjson:4: The item has no id. With --generate-ids such items are given one.")
                .contains("bad.ndjson:6: An item is a JSON object, and this is not one.")
                .contains("Imported 3 items", "Refused 3 records.", "--resume")
                .doesNotContain("\tat ");
        assertThat(run("import", "mended", "bad.ndjson").output()).contains("Go on with --resume, or remove");

        file("bad.ndjson", item(1), item(2), item(3), item(5), "", item(6), item(4));
        var second = run("import", "mended", "bad.ndjson", "--resume");
        assertThat(second.output()).contains("Imported 3 items");
        assertThat(second.exitCode()).isZero();
        assertThat(count("mended")).isEqualTo("6");

        file("bad.ndjson", item(7), "x", item(8));
        assertThat(run("import", "mended", "bad.ndjson").output()).contains("bad.ndjson:2:1: ", "Refused 1 record.");
        file("bad.ndjson", item(9), "x", item(8));
        assertThat(run("import", "mended", "bad.ndjson", "--resume").output())
                .contains("have changed")
                .doesNotContain("Go on with");
    }

    @Test
    void anImportGivesUpWhenTooMuchIsRefused() throws IOException {
        file("hopeless.ndjson", "1", "2", "3", "4", "5");

        var finished = run("import", "mended", "hopeless.ndjson", "--errors-max", "2");
        assertThat(finished.exitCode()).isEqualTo(1);
        assertThat(finished.output())
                .contains(
                        "hopeless.ndjson:3: ",
                        "Gave up, because more than 2 records were refused",
                        "Refused 3 records.")
                .doesNotContain("hopeless.ndjson:4: ");
    }

    @Test
    void itemsThatAreThereAreRefusedKeptOrReplaced() throws IOException {
        file("old.ndjson", "{\"id\":\"1\",\"city\":\"ulm\",\"v\":1}");
        file("new.ndjson", "{\"id\":\"1\",\"city\":\"ulm\",\"v\":2}", "{\"id\":\"1\",\"city\":\"ulm\",\"v\":3}");
        assertThat(run("import", "conflicts", "old.ndjson").exitCode()).isZero();

        var refused = run("import", "conflicts", "new.ndjson", "--checkpoint", "elsewhere");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).contains("new.ndjson:1: ", "already exists", "new.ndjson:2: ");
        assertThat(folder.resolve("elsewhere")).exists();

        var skipped = run("import", "conflicts", "new.ndjson", "--on-conflict", "skip");
        assertThat(skipped.exitCode()).isZero();
        assertThat(skipped.output()).contains("Skipped 2 items");
        assertThat(run("export", "conflicts").output()).contains("\"v\":1}");

        assertThat(run("import", "conflicts", "new.ndjson", "--on-conflict", "replace")
                        .exitCode())
                .isZero();
        assertThat(run("export", "conflicts").output()).contains("\"v\":3}"); // the last one of the file
    }

    @Test
    void itemsWithoutIdsAreGivenSome() throws IOException {
        file("nameless.ndjson", "{\"city\":\"ulm\"}", "{}", " {\"id\":\"own\"}");

        assertThat(run("import", "nameless", "nameless.ndjson", "--generate-ids")
                        .exitCode())
                .isZero();
        assertThat(run("export", "nameless").output().lines().filter(line -> line.startsWith("{")))
                .hasSize(3)
                .contains("{\"id\":\"own\"}")
                .anyMatch(line -> line.matches("\\{\"id\":\"[0-9a-f-]{36}\",\"city\":\"ulm\"}"));
    }

    /** The file is a pipe through which lines trickle, so that the import is still under way when it is looked at. */
    @Test
    void anImportThatWasInterruptedGoesOnWhereItWas() throws Exception {
        var lines = IntStream.range(0, 5_000).mapToObj(ImportExportIT::item).toList();
        var pipe = folder.resolve("slow.ndjson");
        var checkpoint = folder.resolve("slow.ndjson.orrery-import");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        var asked = begin("asked.log");
        trickle(lines, pipe);
        awaitAcknowledged(asked, checkpoint, 1);
        asked.toHandle().destroy();
        assertThat(Await.end(asked)).isEqualTo(143);
        assertThat(Files.readString(folder.resolve("asked.log"))).contains("Interrupted.", "--resume");

        int acknowledged = acknowledged(checkpoint);
        var killed = begin("killed.log", "--resume");
        trickle(lines, pipe);
        awaitAcknowledged(killed, checkpoint, acknowledged + 1);
        killed.destroyForcibly().waitFor();

        Files.delete(pipe);
        Files.write(pipe, lines);
        var last = run("import", "slow", "slow.ndjson", "--resume");
        assertThat(last.exitCode()).as(last.output()).isZero();
        assertThat(count("slow")).isEqualTo("5000");
        assertThat(checkpoint).doesNotExist();
    }

    private static Process begin(String log, String... options) {
        var all = new ArrayList<>(List.of("slow.ndjson", "--connections", "2"));
        all.addAll(List.of(options));
        return OrreryServer.begin(folder, folder.resolve(log), command("import", "slow", all.toArray(String[]::new)));
    }

    /** Writes until the other end is closed; all lines take half a minute. */
    private static void trickle(List<String> lines, Path pipe) {
        Thread.ofPlatform().daemon().start(() -> {
            try (var out = Files.newBufferedWriter(pipe, StandardOpenOption.WRITE)) {
                for (var line : lines) {
                    out.write(line + "\n");
                    out.flush();
                    Await.pause(5, "lines are to trickle");
                }
            } catch (IOException _) {
                // Nobody reads any more.
            }
        });
    }

    private static void awaitAcknowledged(Process process, Path checkpoint, int records) {
        Await.until("records are acknowledged", () -> {
            assertThat(process.isAlive()).as("the import still runs").isTrue();
            return acknowledged(checkpoint) >= records;
        });
    }

    private static int acknowledged(Path checkpoint) {
        try {
            return Integer.parseInt(Files.readString(checkpoint).replaceFirst("(?s).*\"acknowledged\":(\\d+).*", "$1"));
        } catch (NoSuchFileException _) {
            return 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void whatIsWrongIsSaidInWords() throws IOException {
        file("a.txt", "x");
        assertThat(run("import", "formats", "a.txt").output()).contains("--format");
        assertThat(run("import", "formats", "none.csv").output()).contains("no file none.csv");
        file("a.ndjson", item(1));
        assertThat(run("import", "none", "a.ndjson").output())
                .contains("There is no container 'none' in a database 'shop'.");
        assertThat(run("export", "none").output()).contains("There is no container 'none' in a database 'shop'.");
        assertThat(run("import", "formats", "a.ndjson", "--key", "d3Jvbmc=").output())
                .contains("--key");
        assertThat(run("export", "formats", "--query", "SELECT").exitCode()).isEqualTo(1);
        assertThat(run("import", "formats", "--help").output()).contains("--resume", "Examples:");
        assertThat(run("export", "formats", "--help").output()).contains("--query", "Examples:");
    }
}
