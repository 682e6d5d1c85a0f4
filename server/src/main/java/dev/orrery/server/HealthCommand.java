package dev.orrery.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks a running server one thing: whether it takes requests. For health checks of containers, so it is brief. */
@Command(
        name = "health",
        description = "Tells by its exit code whether a server takes requests: 0 if so, else 1.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {"", "Examples:", "  orrery health", "  orrery health --endpoint http://localhost:9000"})
final class HealthCommand implements Callable<Integer> {
    private static final int TIMEOUT_MILLIS = 5_000;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "${env:ORRERY_ENDPOINT:-http://localhost:8081}",
            description = "Where the server is (default: $ORRERY_ENDPOINT, or http://localhost:8081).")
    private URI endpoint;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (!"http".equals(endpoint.getScheme()) || endpoint.getHost() == null) {
            throw new UserError("The endpoint is an address such as http://localhost:8081, not '" + endpoint
                    + "': http is served on the port of https, and needs no certificate.");
        }
        var out = spec.commandLine().getOut();
        try {
            var connection = (HttpURLConnection)
                    endpoint.resolve(RunningServer.READY_PATH).toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            boolean ready = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            try (var body = ready ? connection.getInputStream() : connection.getErrorStream()) {
                out.println(
                        body == null
                                ? "status " + connection.getResponseCode()
                                : new String(body.readAllBytes(), StandardCharsets.UTF_8).strip());
            }
            return ready ? 0 : 1;
        } catch (IOException unreachable) {
            out.println("No Orrery answers at " + endpoint + ": " + unreachable.getMessage());
            return 1;
        }
    }
}
