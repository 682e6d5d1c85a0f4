package dev.orrery.example.blog;

import dev.orrery.example.blog.Consumers.Settings;
import dev.orrery.example.blog.Consumers.Start;
import dev.orrery.example.blog.Consumers.Takeover;
import dev.orrery.example.common.LocalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A host of consumers in a process of its own, so that it can be killed. */
final class ConsumerProcess implements AutoCloseable {
    static final Duration POLL_DELAY = Duration.ofMillis(100);

    private final Process process;

    private ConsumerProcess(Process process) {
        this.process = process;
    }

    static ConsumerProcess start(URI endpoint, String database, String host) {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                ConsumerProcess.class.getName(),
                endpoint.toString(),
                database,
                host);
        try {
            return new ConsumerProcess(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends it at once: it can neither finish what it has in hand nor give its leases back. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws IOException {
        var client = new BlogClient(URI.create(arguments[0]), LocalServer.KEY);
        var settings = new Settings(arguments[2], Takeover.SOON, Start.BEGINNING, Start.BEGINNING, POLL_DELAY);
        Consumers.start(client, arguments[1], Version.V3, settings);
        // Ends with the tests, however they end.
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
