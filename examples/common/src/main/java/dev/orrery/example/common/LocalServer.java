package dev.orrery.example.common;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server that belongs to this program and ends with it. */
public final class LocalServer implements AutoCloseable {
    /** The key that every local server accepts when it is given no other. */
    public static final String KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String READY = "Orrery is ready: ";
    private static final Duration START_PATIENCE = Duration.ofMinutes(5);
    private static final Duration STOP_PATIENCE = Duration.ofMinutes(1);

    // Systems give ports from 32768 on, or higher ones, to whoever asks for any: to a client that connects to a server
    // which
    // is being started again as well, whose port would be taken then.
    private static final int PORT_MIN = 20_000;
    private static final int PORT_MAX = 32_000;

    private final Path home;
    private final List<String> flags;
    private final List<String> options;
    private final Path log;
    private final int port;
    private Process process;

    private LocalServer(Path home, Path log, int port, List<String> flags, List<String> options) {
        this.home = home;
        this.log = log;
        this.port = port;
        this.flags = List.copyOf(flags);
        this.options = List.copyOf(options);
    }

    /**
     * Starts one and returns when it is ready.
     *
     * @param home the folder of the launcher; the server must have been built
     * @param log the file for what it says beside its output
     */
    public static LocalServer start(Path home, Path log, String... options) {
        return start(home, log, freePort(), List.of(), List.of(options));
    }

    /**
     * Starts one at a certain port, where others look for it.
     *
     * @param flags for its JVM
     */
    public static LocalServer start(Path home, Path log, int port, List<String> flags, List<String> options) {
        var server = new LocalServer(home, log, port, flags, options);
        server.run(Redirect.to(log.toFile()));
        return server;
    }

    public URI endpoint() {
        return URI.create("http://localhost:" + port);
    }

    public int port() {
        return port;
    }

    /** The number of its process, which is another one after a restart. */
    public long pid() {
        return process.pid();
    }

    /** What it has still to put in order. */
    public long backlogBytes() {
        try {
            return JSON.readTree(endpoint().resolve("/_orrery/status").toURL())
                    .path("backlogBytes")
                    .asLong();
        } catch (IOException failure) {
            throw new DemoException("The server does not answer any more.", failure);
        }
    }

    /** Starts again after {@link #kill}, at the same address and on the same data. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("the server still runs");
        }
        run(Redirect.appendTo(log.toFile()));
    }

    /** Ends it at once: nothing that it has in hand is finished. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    private void run(Redirect words) {
        var command =
                new ArrayList<>(List.of(home.resolve("orrery").toString(), "start", "--port", Integer.toString(port)));
        command.addAll(options);
        var builder = new ProcessBuilder(command)
                .directory(log.toAbsolutePath().getParent().toFile())
                .redirectError(words);
        // Whoever runs this has built the server, and must not be kept waiting by another build.
        builder.environment().put("ORRERY_NO_BUILD", "1");
        builder.environment().put("ORRERY_JAVA", System.getProperty("java.home"));
        if (!flags.isEmpty()) {
            builder.environment().put("ORRERY_JAVA_OPTS", String.join(" ", flags));
            // Whoever says how it is to run wants it small: native code keeps memory in fewer pools then.
            builder.environment().put("MALLOC_ARENA_MAX", "2");
        }
        // Where its native library is unpacked, and stays when it is killed.
        builder.environment().put("ROCKSDB_SHAREDLIB_DIR", builder.directory().toString());
        try {
            process = builder.start();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot start " + command.getFirst(), failure);
        }
        // Whatever ends this program ends the server, too.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitReady(process);
    }

    private void awaitReady(Process started) {
        var ready = new CompletableFuture<String>();
        // Not a virtual thread: one that waits for a pipe keeps its carrier, and there are few of those.
        Thread.ofPlatform().daemon().start(() -> follow(started, ready));
        try {
            ready.get(START_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted while the server started", interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            close();
            throw new IllegalStateException("The server did not start, and said:\n" + words(), failure);
        }
    }

    /** Reads on after it is ready, so that the server never waits for somebody to read its words. */
    private static void follow(Process started, CompletableFuture<String> ready) {
        try (var lines = started.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> {
                if (line.startsWith(READY)) {
                    ready.complete(line);
                }
            });
        } catch (IOException | UncheckedIOException _) {
            // It was ended in the middle of a line.
        }
        ready.completeExceptionally(new IllegalStateException("it ended"));
    }

    /** A port that nobody listens at, and that nobody is given by chance. */
    public static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException _) {
                // Taken: another one, then.
            }
        }
    }

    private String words() {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return "(unknown: " + unreadable + ")";
        }
    }
}
