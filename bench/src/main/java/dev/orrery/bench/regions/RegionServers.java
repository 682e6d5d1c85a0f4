package dev.orrery.bench.regions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** An account in several regions, each a server of its own on this machine. */
final class RegionServers implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long LOOK_MILLIS = 5;

    private final Servers servers;
    private final String level;
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Map<String, HttpContender> regions = new LinkedHashMap<>();

    private RegionServers(Servers servers, String level) {
        this.servers = servers;
        this.level = level;
    }

    /** Starts them; the first one takes the writes. */
    static RegionServers start(Servers servers, String level, List<String> names) throws InterruptedException {
        var account = new RegionServers(servers, level);
        names.forEach(name -> account.addresses.put(name, address()));
        try {
            for (var name : names) {
                account.start(name);
            }
            account.await("a region takes the writes", () -> account.isWriter(names.getFirst()));
            return account;
        } catch (RuntimeException | InterruptedException failed) {
            account.close();
            throw failed;
        }
    }

    /** Another port for votes than the usual one: it may be somebody's. */
    private static String address() {
        return "http://localhost:" + freePort() + "/?council=" + freePort();
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    /** Starts a region, or starts it again. */
    void start(String name) throws InterruptedException {
        var list = addresses.entrySet().stream()
                .map(region -> region.getKey() + "=" + region.getValue())
                .collect(Collectors.joining(","));
        int port = Integer.parseInt(addresses.get(name).replaceAll("http://localhost:(\\d+)/.*", "$1"));
        var options = List.of(
                "--regions",
                list,
                "--region",
                name,
                "--default-consistency",
                level,
                "--allow-faults",
                "--direct-port",
                "off");
        regions.put(
                name,
                servers.startOrrery(port, servers.work().resolve(name), options).contender());
    }

    /** Counts one more region in and starts it; returns when it is ready, but not yet level. */
    void add(String name) throws InterruptedException {
        addresses.put(name, address());
        order(
                regions.keySet().iterator().next(),
                "/_orrery/regions/add",
                JSON.createObjectNode().put("name", name).put("address", addresses.get(name)));
        start(name);
    }

    HttpContender region(String name) {
        return regions.get(name);
    }

    /** Puts so much time between regions for a message and its answer. */
    void setApart(int millis) {
        for (var from : regions.keySet()) {
            for (var to : regions.keySet()) {
                if (!from.equals(to)) {
                    order(
                            from,
                            "/_orrery/fault",
                            JSON.createObjectNode()
                                    .put("kind", "delay")
                                    .put("to", to)
                                    .put("millis", millis / 2));
                }
            }
        }
    }

    void failOver(String to) {
        order(to, "/_orrery/failover", JSON.createObjectNode().put("to", to));
    }

    private void order(String region, String path, ObjectNode order) {
        var contender = regions.get(region);
        var requests = new Requests(contender.plain(), contender.key());
        try (var connection = new KeepAliveConnection(contender.plain())) {
            connection.demand(requests.order(path, order.toString()));
        }
    }

    JsonNode status(String region) {
        var contender = regions.get(region);
        var requests = new Requests(contender.plain(), contender.key());
        try (var connection = new KeepAliveConnection(contender.plain())) {
            return JSON.readTree(
                    connection.demand(requests.look("/_orrery/regions")).body());
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    boolean isWriter(String region) {
        return status(region).path("role").asText().equals("writes");
    }

    /** Waits until a region has all that the one has which takes the writes. */
    void awaitLevel(String writer, String follower) throws InterruptedException {
        await(follower + " is level", () -> {
            for (var region : status(writer).path("regions")) {
                if (region.path("name").asText().equals(follower)) {
                    return region.has("lagLsns") && region.path("lagLsns").asLong() == 0;
                }
            }
            return false;
        });
    }

    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new BenchException("It never comes that " + what + ".");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** Bytes that a region has sent to the others and received from them. */
    long linkBytes(String region) {
        var bytes = status(region).path("linkBytes");
        return bytes.path("sent").asLong() + bytes.path("received").asLong();
    }

    @Override
    public void close() {
        regions.values().forEach(region -> region.server().close());
    }
}
