package dev.orrery.conformance.javascript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The official JavaScript SDK in Node, over http and over https; every test of its files is a test here. */
class JavaScriptSdkIT {
    @BeforeAll
    static void install() throws IOException {
        var missing = NodeSuite.missing();
        assumeTrue(missing.isEmpty(), missing);
        NodeSuite.install();
    }

    @TestFactory
    Stream<DynamicContainer> overHttp() throws IOException {
        return suite(SharedServer.running().http());
    }

    @TestFactory
    Stream<DynamicContainer> overHttps() throws IOException {
        return suite(SharedServer.running().https());
    }

    @Test
    void theLockFileNamesNoRegistry() throws IOException {
        assertThat(Files.readString(Path.of("src/test/js/package-lock.json"))).doesNotContain("://");
    }

    private static Stream<DynamicContainer> suite(URI endpoint) throws IOException {
        var environment = Map.of(
                "ORRERY_ENDPOINT", endpoint.toString(),
                "ORRERY_KEY", OrreryServer.WELL_KNOWN_KEY,
                "NODE_EXTRA_CA_CERTS", SharedServer.certificate().toString());
        // A file runs when its tests are asked for, so that it is named when it takes long or fails as a whole.
        return NodeSuite.files().stream()
                .map(file -> dynamicContainer(file, Stream.of(file).flatMap(one -> tests(one, environment))));
    }

    private static Stream<DynamicTest> tests(String file, Map<String, String> environment) {
        try {
            return NodeSuite.run(file, environment).stream()
                    .map(result -> dynamicTest(result.name(), () -> {
                        assumeFalse(result.skipped());
                        if (!result.passed()) {
                            fail(result.error());
                        }
                    }));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
