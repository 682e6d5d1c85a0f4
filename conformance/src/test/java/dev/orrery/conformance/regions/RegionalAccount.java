package dev.orrery.conformance.regions;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The servers of one account, one for each region. */
public final class RegionalAccount implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final String list;
    private final Map<String, OrreryServer> servers = new LinkedHashMap<>();
    private final List<CosmosClient> clients = new ArrayList<>();

    public RegionalAccount(Path folder, List<String> names, String... options) {
        this(folder, names, Optional.empty(), options);
    }

    /**
     * With one more member.
     *
     * @param witness its name and address, such as {@code Tower=witness://localhost:9000}; it is to be started by the test
     */
    RegionalAccount(Path folder, List<String> names, Optional<String> witness, String... options) {
        this.folder = folder;
        var ports = new LinkedHashMap<String, Integer>();
        names.forEach(name -> ports.put(name, OrreryServer.freePort()));
        var addresses = ports.entrySet().stream()
                .map(region -> region.getKey() + "=http://localhost:" + region.getValue() + "/?council="
                        + OrreryServer.freePort())
                .collect(Collectors.joining(","));
        list = addresses + witness.map(member -> "," + member).orElse("");
        ports.forEach((name, port) -> start(name, port, list, options));
        Await.until(
                "a region takes the writes",
                () -> status(names.getFirst()).path("role").asText().equals("writes"));
    }

    private void start(String name, int port, String list, String... options) {
        var all = new ArrayList<>(List.of("--region", name, "--regions", list, "--allow-faults"));
        all.addAll(List.of(options));
        servers.put(name, OrreryServer.startOn(port, folder(name), all.toArray(String[]::new)));
    }

    /** All members with their addresses, as each of them is told at its start. */
    String list() {
        return list;
    }

    /** Adds a region as people do: one that is there is told, and says how to start the new one. */
    void add(String name, String told) {
        int port = OrreryServer.freePort();
        var said = order(
                told, "region", "add", name + "=http://localhost:" + port + "/?council=" + OrreryServer.freePort());
        var matcher = Pattern.compile("--regions \"([^\"]+)\"").matcher(said);
        if (!matcher.find()) {
            throw new IllegalStateException("It does not say how to start the new region: " + said);
        }
        start(name, port, matcher.group(1));
        // An SDK asks other addresses when this one answers 503, and a host with one name has none of them.
        var wire = new WireClient(server(name));
        Await.until(name + " lets clients in", () -> wire.get("/").status() == 200);
    }

    /** Where a region keeps its data. */
    public Path folder(String name) {
        return folder.resolve(name.replace(' ', '-'));
    }

    public OrreryServer server(String region) {
        return servers.get(region);
    }

    /** A client as an application has one that runs in a region. */
    CosmosClient clientIn(String region) {
        return clientIn(region, ConsistencyLevel.SESSION);
    }

    CosmosClient clientIn(String region, ConsistencyLevel level) {
        return client(builder(region).preferredRegions(List.of(region)).consistencyLevel(level));
    }

    /** A client that is closed with the account. */
    CosmosClient client(CosmosClientBuilder builder) {
        var client = builder.buildClient();
        clients.add(client);
        return client;
    }

    /** A client that learns from a region which others there are. */
    CosmosClientBuilder builder(String region) {
        return ClientMode.apply(
                new CosmosClientBuilder().endpoint(endpoint(region).toString()).key(OrreryServer.WELL_KNOWN_KEY));
    }

    /** The ids of what a container's conflicts feed holds, as the SDK reads it. */
    List<String> conflictsIn(String region, String database, String container) {
        try (var client = builder(region).buildAsyncClient()) {
            return client.getDatabase(database)
                    .getContainer(container)
                    .readAllConflicts(new CosmosQueryRequestOptions())
                    .toStream()
                    .map(conflict -> conflict.getId())
                    .toList();
        }
    }

    /** What a region says of its account. */
    JsonNode status(String region) {
        try {
            var reply = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(server(region).http().resolve("/_orrery/regions"))
                                    .build(),
                            BodyHandlers.ofString());
            return JSON.readTree(reply.body());
        } catch (IOException unreachable) {
            throw new UncheckedIOException(unreachable);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Runs a command of the launcher against a region. */
    public String order(String region, String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--endpoint", endpoint(region).toString()));
        var finished = OrreryServer.run(folder, all.toArray(String[]::new));
        if (finished.exitCode() != 0) {
            throw new IllegalStateException(String.join(" ", all) + " failed: " + finished.output());
        }
        return finished.output();
    }

    /** Moves the writes as people do. A region that had no processor for some seconds is refused, and may be named again. */
    String move(String asked, String to) {
        return Await.some(to + " takes the writes", () -> {
            var finished = OrreryServer.run(
                    folder,
                    "failover",
                    "--to",
                    to,
                    "--endpoint",
                    endpoint(asked).toString());
            return finished.exitCode() == 0 ? Optional.of(finished.output()) : Optional.empty();
        });
    }

    /** Disturbs what one region sends to another. */
    public void fault(String from, String to, String kind, int millis) {
        post(from, "/_orrery/fault", "{\"kind\":\"%s\",\"to\":\"%s\",\"millis\":%d}".formatted(kind, to, millis));
    }

    /** Asks for a failover by hand; whether it can be done at the moment is another matter. */
    int failOver(String to) {
        return post(to, "/_orrery/failover", "{\"to\":\"%s\"}".formatted(to));
    }

    private int post(String region, String path, String body) {
        try {
            var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(OrreryServer.WELL_KNOWN_KEY), "HmacSHA256"));
            var signature = Base64.getEncoder()
                    .encodeToString(mac.doFinal(
                            ("post\n\n\n" + date.toLowerCase(Locale.ROOT) + "\n\n").getBytes(StandardCharsets.UTF_8)));
            var reply = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(endpoint(region).resolve(path))
                                    .header("x-ms-date", date)
                                    .header("x-ms-version", "2020-07-15")
                                    .header(
                                            "authorization",
                                            URLEncoder.encode(
                                                    "type=master&ver=1.0&sig=" + signature, StandardCharsets.UTF_8))
                                    .POST(BodyPublishers.ofString(body))
                                    .build(),
                            BodyHandlers.ofString());
            return reply.statusCode();
        } catch (IOException unreachable) {
            throw new UncheckedIOException(unreachable);
        } catch (InterruptedException | GeneralSecurityException problem) {
            throw new IllegalStateException(problem);
        }
    }

    URI endpoint(String region) {
        return server(region).http();
    }

    public void awaitRole(String region, String role) {
        Await.until(
                region + " " + role, () -> status(region).path("role").asText().equals(role));
    }

    @Override
    public void close() {
        clients.forEach(CosmosClient::close);
        servers.values().forEach(OrreryServer::close);
    }
}
