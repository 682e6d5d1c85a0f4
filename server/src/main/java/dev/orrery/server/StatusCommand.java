package dev.orrery.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
        description = {
            "Tells whether a server is running and ready; the exit code is 0 if so, else 1.",
            "",
            "Also prints a table of its containers and one of the operations that clients have asked for: requests,"
                    + " request units (RU), how many were throttled, and the latency in the server that half of them"
                    + " (p50) and 99 of 100 (p99) stay below."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Examples:",
            "  orrery status",
            "  orrery status --endpoint http://localhost:9000",
            "  orrery status --json"
        })
final class StatusCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "http://localhost:8081",
            description = "Where the server is (default: ${DEFAULT-VALUE}).")
    private URI endpoint;

    @Option(names = "--json", description = "Print the figures as JSON, and nothing else.")
    private boolean json;

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
            var figures = client.send(request("/_orrery/status"), BodyHandlers.ofString());
            if (json) {
                out.println(figures.body().strip());
            } else {
                out.println("Orrery is ready at " + endpoint);
                out.println();
                lines(figures).forEach(out::println);
                var regions = client.send(request(RunningRegion.REGIONS_PATH), BodyHandlers.ofString());
                if (regions.statusCode() == 200) {
                    out.println();
                    RegionTable.lines(JSON.readTree(regions.body())).forEach(out::println);
                }
            }
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

    private static List<String> lines(HttpResponse<String> figures) {
        return figures.statusCode() == 200
                ? new StatusTables((Obj) JsonReader.parse(figures.body())).lines(Terminal.columns())
                : List.of("It is of an earlier version, which tells no figures.");
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(endpoint.resolve(path))
                .timeout(Duration.ofSeconds(5))
                .build();
    }
}
