package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.OrreryServer.Finished;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees who asks a running server. */
class QueryCommandIT {
    private static final String CONFIGURATION = """
        databases:
          - id: shop
            containers:
              - id: orders and more
                partitionKey: /customer
                throughput: 12000
                seed:
                  - {id: "1", customer: ada, total: 42, tags: [a, b]}
                  - {id: "2", customer: böb, total: 7.5}
                  - {id: "3", customer: ada, total: null}
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

    private static Finished query(String text, String... options) {
        return query(server.http(), text, options);
    }

    private static Finished query(URI endpoint, String text, String... options) {
        var arguments = new ArrayList<>(
                List.of("query", text, "-d", "shop", "-c", "orders and more", "--endpoint", endpoint.toString()));
        arguments.addAll(List.of(options));
        return OrreryServer.run(folder, arguments.toArray(String[]::new));
    }

    private static String endpoint() {
        return server.http().toString();
    }

    @Test
    void rowsAreATable() {
        var finished = query("SELECT * FROM c WHERE c.customer = @who ORDER BY c.id", "--parameter", "who=\"ada\"");

        assertThat(finished.exitCode()).isZero();
        assertThat(finished.output().lines())
                .startsWith(
                        "id  customer  total  tags",
                        "--  --------  -----  ---------",
                        "1   ada          42  [\"a\",\"b\"]",
                        "3   ada        null",
                        "")
                .last()
                .asString()
                .matches("2 rows, [0-9.]+ request units");
    }

    @Test
    void rowsAreJsonForPrograms() {
        assertThat(query("SELECT c.id, c.total FROM c ORDER BY c.id", "--format", "json")
                        .output())
                .isEqualTo("""
                    [
                    {"id":"1","total":42},
                    {"id":"2","total":7.5},
                    {"id":"3","total":null}
                    ]
                    """);
        assertThat(query("SELECT VALUE c.id FROM c ORDER BY c.id", "--format", "ndjson", "--max-items", "2")
                        .output())
                .isEqualTo("\"1\"\n\"2\"\n");
        assertThat(query("SELECT VALUE c.id FROM c WHERE false", "--format", "json")
                        .output())
                .isEqualTo("[\n]\n");
    }

    @Test
    void aServerWithACertificateOfItsOwnIsTrustedOnThisMachine() {
        var finished =
                query(server.https(), "SELECT VALUE c.id FROM c", "--partition-key", "\"böb\"", "--format", "ndjson");

        assertThat(finished.output()).isEqualTo("\"2\"\n");
    }

    @Test
    void aQueryCanBeReadFromAFile() throws IOException {
        var file = Files.writeString(folder.resolve("count.sql"), "SELECT VALUE COUNT(1)\nFROM c -- all of them\n");
        var finished = OrreryServer.run(
                folder,
                "query",
                "--file",
                file.toString(),
                "-d",
                "shop",
                "-c",
                "orders and more",
                "--endpoint",
                endpoint());

        assertThat(finished.output()).contains("    3\n");
    }

    @Test
    void explainTellsTheAccessThePlanAndTheCost() {
        assertThat(query("SELECT * FROM c WHERE c.customer = 'ada' AND c.id = '1'", "--explain")
                        .output())
                .contains("access   key lookup: 1 item in 1 of 2 physical partitions")
                .contains("plan     filter ((c.customer = \"ada\") AND (c.id = \"1\"))")
                .contains("read     1 item, ")
                .contains("returned 1 row in 1 page")
                .containsPattern("charge   [0-9.]+ request units");
        assertThat(query("SELECT * FROM c WHERE c.total > 10", "--explain").output())
                .contains("access   index in 2 of 2 physical partitions")
                .contains("index    /total/? above 10")
                .contains("read     1 index entry, 1 item, ")
                .contains("returned 1 row");
        assertThat(query("SELECT * FROM c WHERE c.total + 1 > 10", "--explain").output())
                .contains("access   full scan: every item in 2 of 2 physical partitions")
                .contains("read     3 items, ")
                .contains("hint     no index can answer this filter");
        assertThat(query("SELECT * FROM c ORDER BY c.total DESC", "--explain").output())
                .contains("index    order of /total/? descending");
        assertThat(query("SELECT * FROM c", "--partition-key", "\"ada\"", "--explain")
                        .output())
                .contains("access   1 logical partition in 1 of 2 physical partitions")
                .contains("read     2 items, ");
    }

    @Test
    void aMistakeInTheQueryIsPointedAt() {
        var finished = query("SELECT *\nFORM c");

        assertThat(finished.exitCode()).isEqualTo(1);
        assertThat(finished.output()).contains("line 2, column 1").endsWith("\n  FORM c\n  ^^^^\n");
    }

    @Test
    void whatIsWrongIsSaidInWords() {
        assertThat(query("SELECT * FROM c", "--key", "d3Jvbmc=").output())
                .contains("--key")
                .doesNotContain("\tat ");
        assertThat(query("SELECT * FROM c", "--key", "?").output()).contains("base64");
        assertThat(OrreryServer.run(folder, "query", "SELECT 1", "-d", "shop", "-c", "none", "--endpoint", endpoint())
                        .output())
                .contains("There is no container 'none' in a database 'shop'.");
        assertThat(query("SELECT * FROM c", "--parameter", "who=ada").output()).contains("'\"ada\"'");
        assertThat(query("SELECT * FROM c", "--max-items", "0").output()).contains("from 1 on");
        assertThat(query(URI.create("localhost:8081"), "SELECT * FROM c").output())
                .contains("http://localhost:8081");
        var nobody = query(URI.create("http://localhost:1"), "SELECT * FROM c");
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.output()).contains("orrery start").doesNotContain("\tat ");
    }

    @Test
    void helpGivesExamples() {
        assertThat(OrreryServer.run(folder, "query", "--help").output())
                .contains("--explain", "--format", "--parameter", "--partition-key", "Examples:");
    }
}
