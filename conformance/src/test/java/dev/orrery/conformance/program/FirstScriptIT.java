package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first script of a process is quick because what it needs is there before it comes. That is told by the classes that
 * the server has loaded, and from where: their number does not depend on the speed of the machine.
 */
class FirstScriptIT {
    private static final String OF_THE_ENGINE = "com.oracle.truffle.";

    /** Half of those that a first script needs. */
    private static final int CLASSES_MIN = 1_000;

    private static final String FROM_THE_CACHE = "source: shared objects file";

    @TempDir
    Path folder;

    @Test
    void theEngineIsMadeBeforeAScriptComesAndItsClassesAreFromTheCache() {
        var log = folder.resolve("classes");
        var options = "-Xmx1g -Xlog:class+load:file=" + log + ":none";
        try (var server = OrreryServer.startInMemoryWith(options, folder)) {
            // Nobody has asked for a script.
            Await.until("the engine is made", () -> ofTheEngine(log).size() >= CLASSES_MIN);

            var client = new WireClient(server);
            assertThat(client.post("/dbs", "{\"id\":\"d\"}").status()).isEqualTo(201);
            var container = "/dbs/d/colls/c";
            assertThat(client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
                            .status())
                    .isEqualTo(201);
            assertThat(client.post(
                                    container + "/sprocs",
                                    "{\"id\":\"s\",\"body\":\"function () { getContext().getResponse().setBody(1);"
                                            + " }\"}")
                            .status())
                    .isEqualTo(201);
            assertThat(client.send(WireRequest.of("POST", container + "/sprocs/s")
                                    .header("x-ms-documentdb-partitionkey", "[\"p\"]")
                                    .body("[]"))
                            .body())
                    .isEqualTo("1");

            var all = ofTheEngine(log);
            var fromCache =
                    all.stream().filter(line -> line.contains(FROM_THE_CACHE)).count();
            assertThat(fromCache).as("from the class cache, of " + all.size()).isGreaterThan(all.size() * 9L / 10);
        }
    }

    private static List<String> ofTheEngine(Path log) {
        return lines(log).stream()
                .filter(line -> line.startsWith(OF_THE_ENGINE))
                .toList();
    }

    private static List<String> lines(Path log) {
        try {
            return Files.readAllLines(log, StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
