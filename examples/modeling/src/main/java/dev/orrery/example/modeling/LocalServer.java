package dev.orrery.example.modeling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** A server that belongs to this program and ends with it. */
public final class LocalServer implements AutoCloseable {
    /** The key that every local server accepts when it is given no other. */
    public static final String KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    private static final Pattern READY = Pattern.compile("Orrery is ready: (http://localhost:\\d+) .*");
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final URI endpoint;

    private LocalServer(Process process, Path log) {
        this.process = process;
        // Whatever ends this program ends the server, too.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        endpoint = awaitReady(log);
    }

    /**
     * Starts one and returns when it is ready.
     *
     * @param home the folder of the launcher; the server must have been built
     * @param log the file for what it says beside its output
     */
    public static LocalServer start(Path home, Path log, String... options) {
        var command = new ArrayList<>(List.of(home.resolve("orrery").toString(), "start", "--port", "0"));
        command.addAll(List.of(options));
        var builder = new ProcessBuilder(command)
                .directory(log.toAbsolutePath().getParent().toFile())
                .redirectError(log.toFile());
        // Whoever runs this has built the server, and must not be kept waiting by another build.
        builder.environment().put("ORRERY_NO_BUILD", "1");
        builder.environment().put("ORRERY_JAVA", System.getProperty("java.home"));
        try {
            return new LocalServer(builder.start(), log);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot start " + command.getFirst(), failure);
        }
    }

    public URI endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private URI awaitReady(Path log) {
        var ready = new CompletableFuture<URI>();
        // Not a virtual thread: one that waits for a pipe keeps its carrier, and there are few of those.
        Thread.ofPlatform().daemon().start(() -> follow(ready));
        try {
            return ready.get(START_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted while the server started", interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            close();
            throw new IllegalStateException("The server did not start, and said:\n" + words(log), failure);
        }
    }

    private static String words(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return "(unknown: " + unreadable + ")";
        }
    }

    /** Reads on after it is ready, so that the server never waits for somebody to read its words. */
    private void follow(CompletableFuture<URI> ready) {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> {
                var matcher = READY.matcher(line);
                if (matcher.matches()) {
                    ready.complete(URI.create(matcher.group(1)));
                }
            });
        } catch (IOException | UncheckedIOException _) {
            // It was ended in the middle of a line.
        }
        ready.completeExceptionally(new IllegalStateException("it ended"));
    }
}
