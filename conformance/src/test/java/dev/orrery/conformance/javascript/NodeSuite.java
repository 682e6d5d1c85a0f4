package dev.orrery.conformance.javascript;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The test files of {@code src/test/js}, copied to the build folder with the SDK beside them, and run by Node. */
public final class NodeSuite {
    private static final Path SOURCE = Path.of("src/test/js");
    public static final Path FOLDER = Path.of("target/js-suite");
    private static final int NODE_VERSION_MIN = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private NodeSuite() {}

    /** One finished test of a file. */
    record Result(String name, boolean passed, boolean skipped, String error) {}

    /** What is missing to run the suite; empty when nothing is. */
    public static String missing() {
        try {
            var version =
                    run(List.of("node", "--version"), Path.of("."), Map.of()).strip();
            var major = Integer.parseInt(version.substring(1, version.indexOf('.')));
            if (major < NODE_VERSION_MIN) {
                return "Node " + version + " is too old for the JavaScript SDK, which needs " + NODE_VERSION_MIN;
            }
            run(List.of("npm", "--version"), Path.of("."), Map.of());
            return "";
        } catch (IOException absent) {
            return "Node and npm are not installed: " + absent.getMessage();
        }
    }

    /** Copies the suite and installs exactly the packages of its lock file. */
    public static synchronized void install() throws IOException {
        Files.createDirectories(FOLDER);
        var installed = FOLDER.resolve("node_modules/.installed-lock.json");
        var lock = Files.readAllBytes(SOURCE.resolve("package-lock.json"));
        try (var files = Files.list(SOURCE)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, FOLDER.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (Files.exists(installed) && Arrays.equals(Files.readAllBytes(installed), lock)) {
            return;
        }
        run(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"), FOLDER, Map.of());
        Files.write(installed, lock);
    }

    static List<String> files() throws IOException {
        try (var files = Files.list(SOURCE)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".test.js"))
                    .sorted()
                    .toList();
        }
    }

    /** What a program of the suite prints. */
    public static String output(String file, Map<String, String> environment, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("node", file));
        command.addAll(List.of(arguments));
        return run(command, FOLDER, environment);
    }

    static List<Result> run(String file, Map<String, String> environment) throws IOException {
        var command = List.of("node", "--test", "--test-reporter=./reporter.js", file);
        var output = run(command, FOLDER, environment);
        var results = new ArrayList<Result>();
        var printed = new StringBuilder();
        for (var line : output.split("\n", -1)) {
            if (!line.startsWith("{")) {
                printed.append(line).append('\n');
                continue;
            }
            var event = JSON.readTree(line);
            if (event.has("output")) {
                printed.append(event.path("output").textValue());
            } else {
                results.add(new Result(
                        event.path("name").textValue(),
                        event.path("passed").booleanValue(),
                        event.path("skipped").booleanValue(),
                        event.path("error").textValue() + "\n" + printed));
            }
        }
        if (results.isEmpty()) {
            throw new IllegalStateException("Node ran no test of " + file + ":\n" + output);
        }
        return results;
    }

    /** Runs a command and returns what it printed; the exit code of {@code node --test} only repeats its report. */
    private static String run(List<String> command, Path folder, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        var watchdog = Thread.ofPlatform().daemon().start(() -> killUnlessFinished(process));
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            var exitCode = process.waitFor();
            watchdog.interrupt();
            if (exitCode != 0 && !command.contains("--test")) {
                throw new IOException(String.join(" ", command) + " ended with " + exitCode + "\n" + output);
            }
            return output;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static void killUnlessFinished(Process process) {
        try {
            if (!process.waitFor(Await.PATIENCE)) {
                Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                        .forEach(ProcessHandle::destroyForcibly);
            }
        } catch (InterruptedException finished) {
            Thread.currentThread().interrupt();
        }
    }
}
