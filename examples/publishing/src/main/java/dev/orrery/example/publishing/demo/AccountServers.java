package dev.orrery.example.publishing.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.LocalServer;
import dev.orrery.example.common.Together;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The processes of one account: one in each of its regions. */
final class AccountServers {
    /** Nine of them share a machine. */
    private static final List<String> FLAGS =
            List.of("-Xmx96m", "-XX:MaxDirectMemorySize=48m", "-XX:TieredStopAtLevel=1");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration FAILOVER_MAX = Duration.ofMinutes(1);
    private static final double LAG_WHEN_CAUGHT_UP_MILLIS = 1_000;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final Path orrery;
    private final String name;
    private final Region home;
    private final int port = LocalServer.freePort();
    private final Map<Region, LocalServer> servers = new EnumMap<>(Region.class);
    private Duration apart = Duration.ZERO;

    private AccountServers(Path orrery, String name, Region home, Map<Region, LocalServer> servers) {
        this.orrery = orrery;
        this.name = name;
        this.home = home;
        this.servers.putAll(servers);
    }

    /**
     * Starts an account.
     *
     * @param orrery the folder of the launcher
     * @param folder for what the processes keep
     * @param home its write region
     * @param options of all its processes
     */
    static AccountServers start(
            Path orrery, Path folder, String name, Region home, List<Region> regions, List<String> options) {
        Map<Region, Integer> ports = new EnumMap<>(Region.class);
        regions.forEach(region -> ports.put(region, LocalServer.freePort()));
        var all = home.before(regions).stream()
                .map(region -> region + "=http://localhost:" + ports.get(region))
                .collect(Collectors.joining(","));
        var servers = Together.map(
                regions, region -> start(orrery, folder.resolve(name), region, ports.get(region), all, options));
        return new AccountServers(
                orrery, name, home, servers.stream().collect(Collectors.toMap(Started::region, Started::server)));
    }

    private record Started(Region region, LocalServer server) {}

    private static Started start(Path orrery, Path parent, Region region, int port, String all, List<String> more) {
        var folder = parent.resolve(region.name());
        try {
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        var options = new ArrayList<>(List.of(
                "--account",
                parent.getFileName().toString(),
                "--regions",
                all,
                "--region",
                region.title(),
                "--allow-faults",
                "--direct-port",
                "off",
                "--cache",
                "16",
                "--data",
                folder.resolve("data").toString()));
        options.addAll(more);
        try {
            return new Started(region, LocalServer.start(orrery, folder.resolve("server.log"), port, FLAGS, options));
        } catch (IllegalStateException failure) {
            throw new DemoException(failure.getMessage(), failure);
        }
    }

    String name() {
        return name;
    }

    /** The region that it is written in at first; where all regions write, the one that settles what they write. */
    Region home() {
        return home;
    }

    /** Where the account has a process. */
    Collection<Region> regions() {
        return servers.keySet();
    }

    /** Where the process of a region answers. */
    URI endpoint(Region region) {
        return server(region).endpoint();
    }

    /** Where the account answers as long as one of its regions does: a name that {@link Network} knows. */
    URI endpoint() {
        return URI.create("http://localhost:" + port);
    }

    /** Makes itself known to the network. */
    void join(Network network) {
        servers.forEach((region, server) -> network.place(server.port(), region));
        network.name(port, servers.values().stream().map(LocalServer::port).toList());
    }

    LocalServer server(Region region) {
        return servers.get(region);
    }

    /** Puts its regions so far apart that a message and its answer take some time, also those that are started again. */
    void setApart(Duration roundTrip) {
        apart = roundTrip;
        setApart(List.copyOf(regions()));
    }

    /** What goes from some regions to others is late. */
    private void setApart(List<Region> senders) {
        var millis = apart.toMillis() / 2;
        try (var client = HttpClient.newHttpClient()) {
            Together.forEach(
                    senders,
                    from -> regions().stream()
                            .filter(to -> to != from)
                            .forEach(to -> SignedOrder.post(
                                    client,
                                    endpoint(from),
                                    "/_orrery/fault",
                                    "{\"kind\":\"delay\",\"to\":\"%s\",\"millis\":%d}".formatted(to.title(), millis))));
        }
    }

    /** Lets another region take the writes, although the one that has them may be lost. */
    void failOver(Region to, boolean lost) {
        var command = new ArrayList<>(List.of("failover", "--to", to.title()));
        if (lost) {
            command.add("--force");
        }
        long deadline = System.nanoTime() + FAILOVER_MAX.toNanos();
        var refusal = order(to, command);
        while (refusal.isPresent() && writer().filter(to::equals).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new DemoException(name + " cannot be written in " + to + ": " + refusal.get());
            }
            Demo.pause(LOOK_AGAIN);
            refusal = order(to, command);
        }
    }

    /** Gives an order to the process of a region, and tells why it was refused. */
    private Optional<String> order(Region to, List<String> words) {
        var command = new ArrayList<String>();
        command.add(orrery.resolve("orrery").toString());
        command.addAll(words);
        command.addAll(List.of("--endpoint", endpoint(to).toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ORRERY_NO_BUILD", "1");
        builder.environment().put("ORRERY_JAVA", System.getProperty("java.home"));
        try {
            var process = builder.start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.empty() : Optional.of(said.strip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DemoException("It was stopped.", interrupted);
        }
    }

    /** Waits until all regions take writes, if they are to: each has to know first that it belongs to the account. */
    void awaitWriters() {
        for (var region : regions()) {
            while (status(region)
                    .filter(status -> !status.path("takesItems").asBoolean(true))
                    .isPresent()) {
                Demo.pause(LOOK_AGAIN);
            }
        }
    }

    /** The region that takes the writes, as far as anybody knows. */
    Optional<Region> writer() {
        return status().flatMap(status -> regions().stream()
                .filter(region ->
                        region.title().equals(status.path("writeRegion").asText()))
                .findFirst());
    }

    /** Whether the copy in a region is less than a second behind, so that only what is under way is missing. */
    boolean hasCaughtUp(Region region) {
        return lagMillis(region)
                .filter(millis -> millis < LAG_WHEN_CAUGHT_UP_MILLIS)
                .isPresent();
    }

    /** The age of the first change that the copy in a region lacks, as far as anybody knows. */
    Optional<Double> lagMillis(Region region) {
        return status().flatMap(status -> {
            for (var told : status.path("regions")) {
                // The one that takes the writes lacks nothing.
                if (told.path("name").asText().equals(region.title())
                        && (told.has("lagSeconds") || told.path("writes").asBoolean())) {
                    return Optional.of(told.path("lagSeconds").asDouble() * 1e3);
                }
            }
            return Optional.empty();
        });
    }

    /** What a process tells of all regions: that with the writes, when there is one. */
    private Optional<JsonNode> status() {
        var all = regions().stream().map(this::status).flatMap(Optional::stream).toList();
        return all.stream()
                .filter(status -> status.path("role").asText().equals("writes"))
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /** What the process of a region tells of itself and the others. */
    Optional<JsonNode> status(Region region) {
        try {
            return Optional.of(
                    JSON.readTree(endpoint(region).resolve("/_orrery/regions").toURL()));
        } catch (IOException _) {
            return Optional.empty(); // It is lost.
        }
    }

    /** Ends the process of a region at once. */
    void kill(Region region) {
        servers.get(region).kill();
    }

    /** Ends all its processes at once. */
    void kill() {
        servers.values().forEach(LocalServer::kill);
    }

    /** Starts the process of a region again, on the data that it left, and as far from the others as before. */
    void restart(Region region) {
        servers.get(region).restart();
        setApart(List.of(region));
    }

    /** How much memory the process of a region has had at most, where the system tells. */
    OptionalLong peakBytes(Region region) {
        var file = Path.of("/proc", Long.toString(servers.get(region).pid()), "status");
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
                    .findFirst();
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }
}
