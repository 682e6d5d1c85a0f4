package dev.orrery.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks a running server how it is. */
@Command(
        name = "status",
        description = "Tells whether a server is running and ready; the exit code is 0 if so, else 1.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {"", "Examples:", "  orrery status", "  orrery status --endpoint http://localhost:9000"})
final class StatusCommand implements Callable<Integer> {
    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "http://localhost:8081",
            description = "Where the server is (default: ${DEFAULT-VALUE}).")
    private URI endpoint;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (endpoint.getHost() == null || !List.of("http", "https").contains(endpoint.getScheme())) {
            throw new ParameterException(
                    spec.commandLine(), "The endpoint must look like http://localhost:8081, not '" + endpoint + "'.");
        }
        var out = spec.commandLine().getOut();
        try (var client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build()) {
            var reply = client.send(request("/_orrery/ready"), BodyHandlers.ofString());
            if (reply.statusCode() != 200) {
                out.println("The server at " + endpoint + " answers, but is not ready: "
                        + reply.body().strip());
                return 1;
            }
            out.println("Orrery is ready at " + endpoint);
            return 0;
        } catch (SSLException untrusted) {
            out.println("The server at " + endpoint + " has a certificate that Java does not trust here."
                    + " Ask over http, which is served on the same port.");
            return 1;
        } catch (IOException unreachable) {
            out.println("No Orrery answers at " + endpoint + ". Start one with: orrery start");
            return 1;
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(endpoint.resolve(path))
                .timeout(Duration.ofSeconds(5))
                .build();
    }
}
