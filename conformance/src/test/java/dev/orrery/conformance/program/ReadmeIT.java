package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.orrery.conformance.javascript.NodeSuite;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick starts of the README run as they are printed, but for the port. */
class ReadmeIT {
    private static final Path README = Path.of("../README.md");

    @TempDir
    Path folder;

    @Test
    void theQuickStartInJavaRuns() throws Exception {
        var program = Files.writeString(folder.resolve("QuickStart.java"), quickStart("java"));
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        assertThat(run(List.of(java, "-cp", classPath, program.toString(), OrreryServer.WELL_KNOWN_KEY)))
                .contains("customer=ada", "total=42");
    }

    @Test
    void theQuickStartInJavaScriptRuns() throws Exception {
        var missing = NodeSuite.missing();
        assumeTrue(missing.isEmpty(), missing);
        NodeSuite.install();
        var program = Files.writeString(NodeSuite.FOLDER.resolve("quickstart.mjs"), quickStart("js"));
        assertThat(run(List.of("node", program.toAbsolutePath().toString(), OrreryServer.WELL_KNOWN_KEY)))
                .contains("customer: 'ada'", "total: 42", "request units");
    }

    /** The one block of code in the README in the given language. */
    private static String quickStart(String language) throws IOException {
        var blocks = Files.readString(README).split("```" + language + "\n", -1);
        assertThat(blocks)
                .as("blocks of " + language + " and what is before them")
                .hasSize(2);
        var code = blocks[1].substring(0, blocks[1].indexOf("```"));
        assertThat(code.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(22);
        return code.replace(
                "localhost:8081", "localhost:" + SharedServer.running().port());
    }

    private String run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
