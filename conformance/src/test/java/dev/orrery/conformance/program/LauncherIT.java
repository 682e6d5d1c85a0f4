package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script by itself. */
class LauncherIT {
    private static final Path LAUNCHER = Path.of(System.getProperty("server.launcher", "../orrery"));

    @TempDir
    Path folder;

    @Test
    void helpNeverStartsABuild() throws IOException, InterruptedException {
        var unbuilt = Files.createDirectories(folder.resolve("unbuilt"));
        Files.copy(LAUNCHER, unbuilt.resolve("orrery"));
        var tools = Files.createDirectories(folder.resolve("tools"));
        var maven = Files.writeString(
                tools.resolve("mvn"), "#!/bin/sh\ntouch '" + folder.resolve("a-build") + "'\nexit 1\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();

        for (var words : List.of(
                "--help",
                "-h",
                "--version",
                "start --help",
                "status --help",
                "health -h",
                "query --help",
                "import --help",
                "export --help",
                "changes --help",
                "advise --help",
                "bench --help",
                "demo --help",
                "demo blog --help",
                "demo modeling -h",
                "start --memory --help")) {
            var said = run(unbuilt.resolve("orrery"), tools, words);
            assertThat(said.exitCode()).as(words).isZero();
            assertThat(said.output()).as(words).startsWith("Usage: orrery");
        }
        assertThat(folder.resolve("a-build")).doesNotExist();

        assertThat(run(unbuilt.resolve("orrery"), tools, "start --memory").exitCode())
                .isNotZero();
        assertThat(folder.resolve("a-build")).as("what is no help is built").exists();
    }

    @Test
    void everyCommandHasHelpOnceItIsBuilt() {
        for (var command : List.of("start", "status", "health", "query", "import", "export", "changes", "advise")) {
            var said = OrreryServer.run(folder, command, "--help");
            assertThat(said.exitCode()).as(command).isZero();
            assertThat(said.output()).startsWith("Usage: orrery " + command).contains("Examples:");
        }
    }

    @Test
    void healthTellsByItsExitCode() {
        try (var server = OrreryServer.startInMemory(folder)) {
            var endpoint = server.http().toString();
            var ready = OrreryServer.run(folder, "health", "--endpoint", endpoint);
            assertThat(ready.exitCode()).isZero();
            assertThat(ready.output()).isEqualTo("ready\n");
            server.stop();
            var gone = OrreryServer.run(folder, "health", "--endpoint", endpoint);
            assertThat(gone.exitCode()).isEqualTo(1);
            assertThat(gone.output()).contains(endpoint).doesNotContain("\tat ");
        }
        assertThat(OrreryServer.run(folder, "health", "--endpoint", "https://localhost:1")
                        .output())
                .contains("http://localhost:8081");
    }

    private OrreryServer.Finished run(Path launcher, Path tools, String words)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(words.split(" ", -1)));
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().merge("PATH", tools.toString(), (path, first) -> first + ":" + path);
        builder.environment().remove("ORRERY_NO_BUILD");
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new OrreryServer.Finished(process.waitFor(), output);
    }
}
