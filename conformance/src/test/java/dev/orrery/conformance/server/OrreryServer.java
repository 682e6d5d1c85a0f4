package dev.orrery.conformance.server;

import dev.orrery.conformance.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A server started through the launcher script, as a user starts it, in a process of its own. */
public final class OrreryServer implements AutoCloseable {
    /** The key every local server accepts when it is given no other. */
    public static final String WELL_KNOWN_KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    // Systems give ports from 32768 on, or higher ones, to whoever asks for any: to a client that connects to a server
    // which
    // is being started again as well, whose port would be taken then.
    private static final int PORT_MIN = 20_000;
    private static final int PORT_MAX = 32_000;

    private final int port;
    private final List<String> command;
    private final Path workingFolder;
    private final Map<String, String> environment;
    private final ServerLog log = new ServerLog();
    private Process process;

    private OrreryServer(int port, List<String> command, Path workingFolder, Map<String, String> environment) {
        this.port = port;
        this.command = List.copyOf(command);
        this.workingFolder = workingFolder;
        this.environment = Map.copyOf(environment);
    }

    /** Starts a server on a free port, with its data in the given folder, and returns when it is ready. */
    public static OrreryServer start(Path data, String... options) {
        var all = new ArrayList<>(List.of("--data", data.toString()));
        all.addAll(List.of(options));
        return start(data.toAbsolutePath().getParent(), "", all);
    }

    /** The same, with flags for the JVM, separated by blanks. */
    public static OrreryServer startWith(String javaOptions, Path data, String... options) {
        var all = new ArrayList<>(List.of("--data", data.toString()));
        all.addAll(List.of(options));
        return start(data.toAbsolutePath().getParent(), javaOptions, all);
    }

    /** Starts a server that keeps nothing on disk. */
    public static OrreryServer startInMemory(Path workingFolder, String... options) {
        var all = new ArrayList<>(List.of("--memory"));
        all.addAll(List.of(options));
        return start(workingFolder, "", all);
    }

    /** The same, with flags for the JVM. */
    public static OrreryServer startInMemoryWith(String javaOptions, Path workingFolder) {
        return start(workingFolder, javaOptions, List.of("--memory"));
    }

    /** The same, with variables in its environment. */
    public static OrreryServer startInMemoryWith(
            Map<String, String> environment, Path workingFolder, String... options) {
        var all = new ArrayList<>(List.of("--memory"));
        all.addAll(List.of(options));
        return start(freePort(), workingFolder, environment, all);
    }

    private static OrreryServer start(Path workingFolder, String javaOptions, List<String> options) {
        return start(freePort(), workingFolder, javaOptions, options);
    }

    /** Starts a server on a port that others have been told of already. */
    public static OrreryServer startOn(int port, Path data, String... options) {
        var all = new ArrayList<>(List.of("--data", data.toString()));
        all.addAll(List.of(options));
        return start(port, data.toAbsolutePath().getParent(), "", all);
    }

    private static OrreryServer start(int port, Path workingFolder, String javaOptions, List<String> options) {
        var environment = javaOptions.isEmpty() ? Map.<String, String>of() : Map.of("ORRERY_JAVA_OPTS", javaOptions);
        return start(port, workingFolder, environment, options);
    }

    private static OrreryServer start(
            int port, Path workingFolder, Map<String, String> environment, List<String> options) {
        var command = new ArrayList<>(List.of(launcher().toString(), "start", "--port", Integer.toString(port)));
        command.addAll(options);
        var server = new OrreryServer(port, command, workingFolder, environment);
        server.run();
        return server;
    }

    /** Runs the launcher to its end, for commands that serve nothing. */
    public static Finished run(Path workingFolder, String... arguments) {
        var command = new ArrayList<>(List.of(launcher().toString()));
        command.addAll(List.of(arguments));
        try {
            var process =
                    builder(command, workingFolder).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var watchdog = Thread.ofPlatform().daemon().start(() -> killUnlessFinished(process));
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            var exitCode = process.waitFor();
            watchdog.interrupt();
            return new Finished(exitCode, output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted while the launcher ran", interrupted);
        }
    }

    /** Starts a command that serves nothing and does not wait for its end; what it prints goes to a file. */
    public static Process begin(Path workingFolder, Path output, String... arguments) {
        var command = new ArrayList<>(List.of(launcher().toString()));
        command.addAll(List.of(arguments));
        try {
            return builder(command, workingFolder)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** How a command ended, and everything it printed. */
    public record Finished(int exitCode, String output) {}

    public int port() {
        return port;
    }

    public URI http() {
        return URI.create("http://localhost:" + port);
    }

    public URI https() {
        return URI.create("https://localhost:" + port);
    }

    public ServerLog log() {
        return log;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Starts again on the same port and data, after {@link #stop} or {@link #kill}. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("the server still runs");
        }
        run();
    }

    /** Asks the server to stop (SIGTERM) and returns its exit code. */
    public int stop() {
        process.toHandle().destroy(); // the process itself would close its output, and with it the last words
        return awaitEnd();
    }

    /** Ends the server at once (SIGKILL): nothing it had in hand is finished. */
    public void kill() {
        var descendants = process.descendants().toList();
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        descendants.forEach(descendant -> descendant.onExit().join());
        awaitEnd();
    }

    /** Lets it stand still (SIGSTOP): it has its connections and answers nothing. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on after {@link #freeze}. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = Await.end(new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start());
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " failed with code " + code);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    private void run() {
        var ready = new CountDownLatch(1);
        var readyLine = "Orrery is ready: " + http() + " and " + https();
        log.add("---- " + String.join(" ", command));
        try {
            var builder = builder(command, workingFolder);
            builder.environment().putAll(environment);
            process = builder.start();
            process.getOutputStream().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        var stdout = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var stderr = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        follow(stdout, readyLine, ready);
        follow(stderr, null, ready);
        awaitReady(ready, readyLine);
    }

    private static ProcessBuilder builder(List<String> command, Path workingFolder) {
        var builder = new ProcessBuilder(command).directory(workingFolder.toFile());
        // The build that runs these tests has built the server; a test must never start another one.
        builder.environment().put("ORRERY_NO_BUILD", "true");
        return builder;
    }

    private void follow(BufferedReader lines, String awaited, CountDownLatch seen) {
        // Reading from a process holds on to the thread, so that a few of them would use up all virtual ones.
        Thread.ofPlatform().daemon().start(() -> {
            try (lines) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    log.add(line);
                    if (line.equals(awaited)) {
                        seen.countDown();
                    }
                }
            } catch (IOException closed) {
                log.add("---- output closed: " + closed.getMessage());
            }
        });
    }

    private void awaitReady(CountDownLatch ready, String readyLine) {
        // Kept as a variable because the build wants it: what it does cannot fail.
        var _ = process.onExit().thenRun(ready::countDown);
        try {
            if (!ready.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS) || !process.isAlive()) {
                var state = process.isAlive() ? "still runs" : "ended with code " + process.exitValue();
                close();
                throw new IllegalStateException(
                        "no line \"" + readyLine + "\"; the server " + state + "\n" + log.tail(100));
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted while the server started", interrupted);
        }
    }

    private int awaitEnd() {
        try {
            if (!process.waitFor(Await.PATIENCE)) {
                process.destroyForcibly();
                throw new IllegalStateException("the server did not stop\n" + log.tail(100));
            }
            log.add("---- ended with code " + process.exitValue());
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted while the server stopped", interrupted);
        }
    }

    private static void killUnlessFinished(Process process) {
        try {
            if (!process.waitFor(Await.PATIENCE)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException finished) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path launcher() {
        var launcher = Path.of(System.getProperty("server.launcher", "../orrery"));
        if (!Files.isExecutable(launcher)) {
            throw new IllegalStateException("no launcher at " + launcher.toAbsolutePath());
        }
        return launcher.toAbsolutePath().normalize();
    }

    /** One that nobody listens on. */
    public static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one, then.
            }
        }
    }
}
