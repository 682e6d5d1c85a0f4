package dev.orrery.conformance.javascript;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The official JavaScript SDK at a server that enforces throughput; every test of its file is a test here. */
class JavaScriptThrottlingIT {
    @BeforeAll
    static void install() throws IOException {
        var missing = NodeSuite.missing();
        assumeTrue(missing.isEmpty(), missing);
        NodeSuite.install();
    }

    @TestFactory
    List<DynamicTest> tests(@TempDir Path folder) throws IOException {
        try (var server = OrreryServer.startInMemory(folder, "--enforce-throughput")) {
            var environment =
                    Map.of("ORRERY_ENDPOINT", server.http().toString(), "ORRERY_KEY", OrreryServer.WELL_KNOWN_KEY);
            return NodeSuite.run("throttling.js", environment).stream()
                    .map(result -> dynamicTest(result.name(), () -> {
                        if (!result.passed()) {
                            fail(result.error());
                        }
                    }))
                    .toList();
        }
    }
}
