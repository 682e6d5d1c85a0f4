package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees who types commands. */
class CommandLineIT {
    private static final String OWN_KEY = "b3JyZXJ5LWNvbmZvcm1hbmNlLWtleS1vZi1vdXItb3du";
    private static final String READ_ONLY_KEY = "b3JyZXJ5LXJlYWQtb25seS1rZXk=";

    @TempDir
    Path folder;

    @Test
    void helpTellsTheCommandsAndGivesExamples() {
        assertThat(OrreryServer.run(folder, "--help").output()).contains("start", "status", "Examples:");
        assertThat(OrreryServer.run(folder, "start", "--help").output())
                .contains("--port", "--host", "--data", "--memory", "--key", "--config", "--durability")
                .contains("--default-consistency", "--log-level", "Examples:");
    }

    @Test
    void aTypingErrorIsAnsweredWithWhatIsKnown() {
        var finished = OrreryServer.run(folder, "start", "--prot", "8081");

        assertThat(finished.exitCode()).isNotZero();
        assertThat(finished.output()).contains("--prot", "--port", "--help").doesNotContain("\tat ");
        assertThat(finished.output().lines()).as("short enough to be read").hasSizeLessThan(12);
    }

    @Test
    void everyCommandTellsItsVersion() {
        assertThat(OrreryServer.run(folder, "--version").output()).startsWith("orrery ");
        assertThat(OrreryServer.run(folder, "start", "-V").output()).startsWith("orrery ");
        assertThat(OrreryServer.run(folder, "status", "-V").output()).startsWith("orrery ");
        assertThat(OrreryServer.run(folder, "query", "-V").output()).startsWith("orrery ");
    }

    @Test
    void theWellKnownKeyIsForLoopbackOnly() {
        var finished = OrreryServer.run(folder, "start", "--memory", "--port", "0", "--host", "0.0.0.0");

        assertThat(finished.exitCode()).isNotZero();
        assertThat(finished.output()).contains("--key");
        assertThat(OrreryServer.run(
                                folder,
                                "start",
                                "--memory",
                                "--port",
                                "0",
                                "--host",
                                "0.0.0.0",
                                "--key",
                                OWN_KEY,
                                "--secondary-key",
                                OrreryServer.WELL_KNOWN_KEY)
                        .output())
                .contains("known to all");
    }

    @Test
    void aKeyThatCanBeGuessedIsForLoopbackOnly() {
        for (var option : new String[] {"--key", "--read-only-key"}) {
            var finished = OrreryServer.run(
                    folder,
                    "start",
                    "--memory",
                    "--port",
                    "0",
                    "--host",
                    "0.0.0.0",
                    "--secondary-key",
                    OWN_KEY,
                    option.equals("--key") ? "--read-only-key" : "--key",
                    OWN_KEY,
                    option,
                    "YWJj");
            assertThat(finished.exitCode()).isEqualTo(1);
            assertThat(finished.output()).contains("a key of 3 bytes can be guessed", "at least 32");
            assertThat(finished.output().lines()).hasSize(1);
        }
    }

    @Test
    void tooFewFilesAreToldInOneSentence() throws IOException, InterruptedException {
        var launcher = Path.of(System.getProperty("server.launcher", "../orrery"))
                .toAbsolutePath()
                .normalize();
        var limited = new ProcessBuilder("sh", "-c", "ulimit -n 64 && exec '" + launcher + "' start --memory --port 0")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        limited.environment().put("ORRERY_NO_BUILD", "true");
        var process = limited.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output.lines()).hasSize(1);
        assertThat(output).contains("only 64 files", "ulimit -n 4096");
    }

    @Test
    void impossibleOptionsAreRefusedInWords() {
        assertThat(OrreryServer.run(folder, "start", "--durability", "none").output())
                .contains("strict or relaxed");
        assertThat(OrreryServer.run(folder, "start", "--default-consistency", "Perfect")
                        .output())
                .contains("Strong, BoundedStaleness, Session");
        assertThat(OrreryServer.run(folder, "start", "--key", "not base64!").output())
                .contains("base64");
        assertThat(OrreryServer.run(folder, "start", "--port", "70000").output())
                .contains("0 to 65535");
        assertThat(OrreryServer.run(folder, "start", "--log-level", "loud").output())
                .contains("error, warn, info or debug");
        assertThat(OrreryServer.run(folder, "start", "--advertise", "db.example")
                        .output())
                .contains("https://db.example:8081");
        assertThat(OrreryServer.run(folder, "status", "--endpoint", "db.example")
                        .output())
                .contains("http://localhost:8081")
                .doesNotContain("\tat ");
        assertThat(OrreryServer.run(folder, "start", "--memory", "--data", "x").output())
                .contains("Leave one out");
    }

    @Test
    void aSecondServerOnTheSameDataOrPortSaysWhatIsWrong() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var sameData = OrreryServer.run(
                    folder,
                    "start",
                    "--port",
                    "0",
                    "--data",
                    folder.resolve("data").toString());
            assertThat(sameData.exitCode()).isNotZero();
            assertThat(sameData.output()).contains("data").doesNotContain("\tat ");

            var samePort = OrreryServer.run(folder, "start", "--memory", "--port", Integer.toString(server.port()));
            assertThat(samePort.exitCode()).isNotZero();
            assertThat(samePort.output())
                    .contains(Integer.toString(server.port()))
                    .doesNotContain("\tat ");
            assertThat(new WireClient(server).get("/dbs").status()).isEqualTo(200);
        }
    }

    @Test
    void whoeverWantsAdviceOnADatabaseThatIsNotThereIsToldSo() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var said = OrreryServer.run(
                    folder,
                    "advise",
                    "--database",
                    "nope",
                    "--endpoint",
                    server.http().toString());
            assertThat(said.exitCode()).isEqualTo(1);
            assertThat(said.output()).contains("There is no database 'nope'.");
        }
    }

    @Test
    void statusTellsWhetherAServerIsReady() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var ready = OrreryServer.run(
                    folder, "status", "--endpoint", server.http().toString());
            assertThat(ready.exitCode()).isZero();
            assertThat(ready.output()).contains("ready");
            server.stop();
            var gone = OrreryServer.run(
                    folder, "status", "--endpoint", server.http().toString());
            assertThat(gone.exitCode()).isEqualTo(1);
            assertThat(gone.output()).contains("orrery start");
        }
    }

    @Test
    void keysOfOnesOwnReplaceTheWellKnownOne() {
        try (var server =
                OrreryServer.start(folder.resolve("data"), "--key", OWN_KEY, "--read-only-key", READ_ONLY_KEY)) {
            assertThat(new WireClient(server).get("/dbs").status()).isEqualTo(401);
            assertThat(new WireClient(server.port(), OWN_KEY)
                            .post("/dbs", "{\"id\":\"d\"}")
                            .status())
                    .isEqualTo(201);
            var reader = new WireClient(server.port(), READ_ONLY_KEY);
            assertThat(reader.get("/dbs/d").status()).isEqualTo(200);
            assertThat(reader.send(WireRequest.of("DELETE", "/dbs/d")).status()).isEqualTo(403);
        }
    }

    @Test
    void aServerInMemoryLeavesNothingBehind() {
        try (var server = OrreryServer.startInMemory(folder)) {
            assertThat(new WireClient(server).post("/dbs", "{\"id\":\"d\"}").status())
                    .isEqualTo(201);
            assertThat(Files.exists(folder.resolve("orrery-data"))).isFalse();
        }
    }

    @Test
    void requestsAreLoggedOnlyWhenAskedFor() throws InterruptedException {
        try (var quiet = OrreryServer.start(folder.resolve("quiet"));
                var talkative = OrreryServer.start(folder.resolve("talkative"), "--log-level", "debug")) {
            new WireClient(quiet).get("/dbs/nowhere");
            new WireClient(talkative).get("/dbs/nowhere");

            assertThat(talkative.log().waitFor("nowhere")).isTrue();
            assertThat(String.join("\n", quiet.log().lines())).doesNotContain("nowhere");
        }
    }

    @Test
    void aKeyOfOnesOwnIsNotPrinted() {
        try (var server = OrreryServer.startInMemory(folder, "--key", OWN_KEY)) {
            assertThat(server.log().lines().stream().filter(line -> !line.startsWith("----")))
                    .isNotEmpty()
                    .noneMatch(line -> line.contains(OWN_KEY));
        }
    }

    @Test
    void aStartTellsEndpointKeyAndConnectionStringInAFewLines() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            assertThat(String.join("\n", server.log().lines()))
                    .contains("https://localhost:" + server.port())
                    .contains(OrreryServer.WELL_KNOWN_KEY)
                    .contains("AccountEndpoint=https://localhost:" + server.port() + "/;AccountKey=");
            assertThat(server.log().lines()).hasSizeLessThan(20);
        }
    }

    @Test
    void sigtermStopsTheServerCleanly() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            assertThat(new WireClient(server).post("/dbs", "{\"id\":\"d\"}").status())
                    .isEqualTo(201);
            assertThat(server.stop())
                    .as("the exit code of success, or of a program ended by SIGTERM")
                    .isIn(0, 143);
            server.restart();
            assertThat(new WireClient(server).get("/dbs/d").status()).isEqualTo(200);
        }
    }

    @Test
    void aStopWaitsOnlyForWhatIsUnderWay() throws InterruptedException {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var client = new WireClient(server);
            client.post("/dbs", "{\"id\":\"d\"}");
            client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
            var offer = (ObjectNode) client.get("/offers").json().at("/Offers/0");
            offer.putObject("content").put("offerThroughput", 20_000);
            var path = "/offers/" + offer.path("_rid").textValue();
            assertThat(client.send(WireRequest.of("PUT", path).body(offer.toString()))
                            .status())
                    .isEqualTo(200);

            server.stop();

            // The range that was split is dropped half a minute later, or by the next start.
            assertThat(server.log().waitFor("Stopped")).isTrue();
            assertThat(String.join("\n", server.log().lines())).doesNotContain("still going on");
        }
    }

    @Test
    void theDefaultConsistencyIsTheOneAskedFor() {
        try (var server = OrreryServer.startInMemory(folder, "--default-consistency", "Strong")) {
            var client = new WireClient(server);
            assertThat(client.get("/")
                            .json()
                            .findPath("defaultConsistencyLevel")
                            .textValue())
                    .isEqualTo("Strong");
            assertThat(client.post("/dbs", "{\"id\":\"d\"}").status()).isEqualTo(201);
            var strong = WireRequest.of("GET", "/dbs/d").header("x-ms-consistency-level", "Strong");
            assertThat(client.send(strong).status()).isEqualTo(200);
        }
    }

    @Test
    void relaxedDurabilityKeepsDataOverACleanStop() {
        try (var server = OrreryServer.start(folder.resolve("data"), "--durability", "relaxed")) {
            assertThat(new WireClient(server).post("/dbs", "{\"id\":\"d\"}").status())
                    .isEqualTo(201);
            server.stop();
            server.restart();
            assertThat(new WireClient(server).get("/dbs/d").status()).isEqualTo(200);
        }
    }

    @Test
    void neitherSignaturesNorItemsGoIntoTheLog() throws InterruptedException {
        try (var server = OrreryServer.startInMemory(folder, "--log-level", "debug")) {
            new WireClient(server).post("/dbs", "{\"id\":\"secret-value\"}");
            new WireClient(server).get("/dbs/nowhere");
            assertThat(server.log().waitFor("nowhere")).isTrue();
            assertThat(server.log().lines())
                    .noneMatch(line -> line.contains("sig%3D") || line.contains("secret-value"));
        }
    }
}
