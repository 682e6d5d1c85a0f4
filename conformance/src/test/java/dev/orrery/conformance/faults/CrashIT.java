package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged survives the sudden death of the server, and nothing is ever half there. */
class CrashIT {
    private static final int ROUNDS = 10;
    private static final int WRITERS = 8;
    private static final int UNITS_FOR_THREE_RANGES = 18_000;
    private static final String DOCS = "/dbs/crash/colls/items/docs";
    private static final String VIEW_DOCS = "/dbs/crash/colls/view/docs";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    @Test
    void everyAcknowledgedWriteSurvivesTenKills() throws Exception {
        var seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("CrashIT: -Dtest.seed=" + seed);
        var random = new SplittableRandom(seed);
        var writers = CrashWriter.many(WRITERS, DOCS, random);
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            try (var client = new KeepAliveClient(server)) {
                createContainer(client);
            }
            for (var round = 1; round <= ROUNDS; round++) {
                var acknowledged = writeAndKill(server, writers, random);
                server.restart();
                try (var client = new KeepAliveClient(server)) {
                    check(client, writers);
                }
                var there =
                        writers.stream().mapToInt(CrashWriter::promisedCount).sum();
                System.out.printf("CrashIT: round %d, %d acknowledged, %d there%n", round, acknowledged, there);
            }
        }
    }

    private static void createContainer(KeepAliveClient client) throws IOException {
        assertThat(client.post("/dbs", Map.of(), "{\"id\":\"crash\"}").statusCode())
                .isEqualTo(201);
        var definition = """
            {"id":"items","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},
             "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/unique"]}]}}\
            """;
        var throughput = Map.of("x-ms-offer-throughput", Integer.toString(UNITS_FOR_THREE_RANGES));
        assertThat(client.post("/dbs/crash/colls", throughput, definition).statusCode())
                .isEqualTo(201);
        // Every change of a value moves an item to another partition of the view.
        var view = """
            {"id":"view","partitionKey":{"paths":["/value"],"kind":"Hash","version":2},
             "materializedViewDefinition":{"sourceCollectionId":"items","definition":"SELECT * FROM c"}}\
            """;
        assertThat(client.post("/dbs/crash/colls", throughput, view).statusCode())
                .isEqualTo(201);
    }

    /** Lets every writer write, kills the server at a random moment, and returns how many writes were acknowledged. */
    private static int writeAndKill(OrreryServer server, List<CrashWriter> writers, SplittableRandom random)
            throws Exception {
        var acknowledged = new AtomicInteger();
        try (var client = new KeepAliveClient(server);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = writers.stream()
                    .map(writer ->
                            threads.submit(() -> writer.writeUntilTheServerDies(client, acknowledged::incrementAndGet)))
                    .toList();
            Await.until(
                    "all write",
                    () -> acknowledged.get() >= WRITERS || running.stream().anyMatch(Future::isDone));
            Await.pause(random.nextInt(1, 1_200), "any moment will do for a kill");
            server.kill();
            for (var writer : running) {
                writer.get();
            }
        }
        assertThat(acknowledged).hasValueGreaterThanOrEqualTo(WRITERS);
        return acknowledged.get();
    }

    private static void check(KeepAliveClient client, List<CrashWriter> writers) throws Exception {
        var found = readEverything(client, DOCS);
        checkView(client, found);
        for (var writer : writers) {
            writer.check(onlyValues(found.getOrDefault(writer.key(), Map.of())));
            checkSessionToken(client, writer);
            checkUniqueKeys(client, writer);
        }
        assertThat(writers.stream().map(CrashWriter::key).toList()).containsAll(found.keySet());
    }

    /** The view comes to have exactly what its source has, whatever it was doing when the server died. */
    private static void checkView(KeepAliveClient client, Map<String, Map<String, List<Integer>>> source) {
        Await.value(
                "the view",
                () -> {
                    try {
                        return readEverything(client, VIEW_DOCS);
                    } catch (IOException failure) {
                        throw new UncheckedIOException(failure);
                    }
                },
                source);
    }

    /** A token that was handed out is never ahead of a server that came back. */
    private static void checkSessionToken(KeepAliveClient client, CrashWriter writer) throws IOException {
        var headers = new HashMap<>(writer.headers());
        headers.put("x-ms-session-token", writer.sessionToken());
        headers.put("x-ms-consistency-level", "Session");
        var reply = client.get(DOCS + "/" + writer.anyItem().orElse("none"), headers);
        assertThat(reply.headers().firstValue("x-ms-substatus")).isNotEqualTo(Optional.of("1002"));
        assertThat(reply.statusCode()).as(reply.body()).isIn(200, 404);
    }

    /** Claims of unique values belong to items that are there, and only to them. */
    private static void checkUniqueKeys(KeepAliveClient client, CrashWriter writer) throws IOException {
        var item = writer.anyItem();
        if (item.isPresent()) {
            var taken = writer.body(item.get(), 1).replace("\"id\":\"", "\"id\":\"second-");
            assertThat(client.post(DOCS, writer.headers(), taken).statusCode()).isEqualTo(409);
        }
        assertThat(client.post(DOCS, writer.headers(), writer.body("free", 1)).statusCode())
                .isEqualTo(201);
        assertThat(client.delete(DOCS + "/free", writer.headers()).statusCode()).isEqualTo(204);
    }

    private static Map<String, Integer> onlyValues(Map<String, List<Integer>> values) {
        var only = new TreeMap<String, Integer>();
        values.forEach((id, all) -> {
            assertThat(all).as("values of " + id).hasSize(1);
            only.put(id, all.getFirst());
        });
        return only;
    }

    /** The values under each id in each partition. An item that moves in a view meanwhile may be met twice. */
    private static Map<String, Map<String, List<Integer>>> readEverything(KeepAliveClient client, String docs)
            throws IOException {
        var found = new TreeMap<String, Map<String, List<Integer>>>();
        var continuation = "";
        do {
            var headers = Map.of("x-ms-max-item-count", "1000", "x-ms-continuation", continuation);
            var page = client.get(docs, headers);
            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            for (JsonNode item : JSON.readTree(page.body()).path("Documents")) {
                // In the view, the ids of twins from different partitions are told apart.
                var id = item.path("unique").textValue();
                assertThat(item.path("id").textValue()).startsWith(id);
                found.computeIfAbsent(item.path("pk").textValue(), any -> new TreeMap<>())
                        .computeIfAbsent(id, any -> new ArrayList<>())
                        .add(item.path("value").intValue());
            }
            continuation = page.headers().firstValue("x-ms-continuation").orElse("");
        } while (!continuation.isEmpty());
        return found;
    }
}
