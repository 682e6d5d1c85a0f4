package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosClientBuilder;
import dev.orrery.conformance.changes.Processor.Manner;
import dev.orrery.conformance.changes.Processor.Pace;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A host of processors in all manners, in a process of its own, so that it can be killed. */
final class HostProcess implements AutoCloseable {
    private final Process process;

    private HostProcess(Process process) {
        this.process = process;
    }

    static HostProcess start(
            OrreryServer server,
            ClientMode mode,
            String database,
            String container,
            String host,
            Map<Manner, Delivery> deliveries) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true",
                "-cp",
                System.getProperty("java.class.path"),
                HostProcess.class.getName(),
                mode.name(),
                server.http().toString(),
                database,
                container,
                host));
        deliveries.forEach((manner, delivery) ->
                command.addAll(List.of(manner.name(), delivery.file().toString())));
        try {
            return new HostProcess(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends it at once (SIGKILL): it can neither finish what it has in hand nor give its leases back. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws IOException {
        var client = ClientMode.valueOf(arguments[0])
                .to(new CosmosClientBuilder().endpoint(arguments[1]).key(OrreryServer.WELL_KNOWN_KEY))
                .contentResponseOnWriteEnabled(true)
                .buildAsyncClient();
        var database = client.getDatabase(arguments[2]);
        for (int i = 5; i < arguments.length; i += 2) {
            var delivery = new Delivery(Path.of(arguments[i + 1]));
            Processor.start(Manner.valueOf(arguments[i]), Pace.BRISK, database, arguments[3], arguments[4], delivery);
        }
        // Ends with the tests, however they end.
        while (System.in.read() >= 0) {}
        System.exit(0);
    }
}
