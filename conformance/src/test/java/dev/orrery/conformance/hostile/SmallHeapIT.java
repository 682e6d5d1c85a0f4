package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that together want many times the heap are served one after another, or refused; the server stays. */
class SmallHeapIT {
    private static final String ITEMS = "/dbs/d/colls/c/docs";
    private static final List<Integer> SERVED_OR_REFUSED = List.of(200, 201, 400, 413, 429, 503);

    @TempDir
    private static Path folder;

    private static OrreryServer server;
    private static WireClient client;

    @BeforeAll
    static void start() {
        server = OrreryServer.startWith("-Xmx256m", folder.resolve("data"));
        client = new WireClient(server);
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}");
        create("small", "1");
        create("wide", "{\"text\":\"" + "x".repeat(100_000) + "\",\"list\":[" + numbers(0, 60) + "]}");
        for (int number = 0; number < 60; number++) {
            create("large-" + number, "{\"text\":\"" + number + "y".repeat(200_000) + "\"}");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void theServerStillAnswers() {
        assertThat(client.send(ofPartition("GET", ITEMS + "/small")).status()).isEqualTo(200);
        assertThat(server.isAlive()).isTrue();
        assertThat(server.log().lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    }

    @Test
    void manyGroupingsAtOnce() throws Exception {
        var statuses = together(
                60,
                number -> query(
                        number % 2 == 0
                                ? "SELECT c.v.text, COUNT(1) AS n FROM c GROUP BY c.v.text"
                                : "SELECT DISTINCT VALUE CONCAT(c.v.text, c.id) FROM c"));
        assertThat(statuses).contains(200);
    }

    @Test
    void aShortQueryThatMakesTwentyGigabytes() throws Exception {
        var statuses = together(
                4,
                _ -> query("SELECT VALUE ARRAY(SELECT VALUE c.v.text FROM a IN c.v.list JOIN b IN c.v.list"
                        + " JOIN d IN c.v.list) FROM c WHERE c.id = 'wide'"));
        // One that waits for the others to end is told to come again, or that it wants too much.
        assertThat(statuses).isSubsetOf(400, 429);
    }

    @Test
    void manyLargeItemsAtOnce() throws Exception {
        // Every number becomes an entry of the index.
        var list = numbers(1_000_000, 200_000);
        var statuses = together(24, number -> item("heavy-" + number, "[" + number + "," + list + "]"));
        assertThat(statuses).contains(201);
    }

    @Test
    void manyScriptsThatKeepAllTheyCan() throws Exception {
        client.post(
                "/dbs/d/colls/c/sprocs",
                "{\"id\":\"keep\",\"body\":\"function () { const kept = []; for (;;) kept.push(new"
                        + " Array(1000).fill(7)); }\"}");
        var statuses = together(
                12, _ -> ofPartition("POST", "/dbs/d/colls/c/sprocs/keep").body("[]"));
        assertThat(statuses).doesNotContain(200);
    }

    /** Sends requests at the same time, each on a connection of its own, and gives the statuses of all replies. */
    private static List<Integer> together(int count, IntFunction<WireRequest> request) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var replies = IntStream.range(0, count)
                    .mapToObj(number -> threads.submit((Callable<WireReply>) () -> client.send(request.apply(number))))
                    .toList();
            return replies.stream().map(SmallHeapIT::status).toList();
        }
    }

    private static int status(Future<WireReply> reply) {
        try {
            var status = reply.get().status();
            assertThat(SERVED_OR_REFUSED.contains(status) || status == 408)
                    .as(() -> reply.resultNow().body())
                    .isTrue();
            return status;
        } catch (InterruptedException | ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void create(String id, String value) {
        assertThat(client.send(item(id, value)).status()).isEqualTo(201);
    }

    private static WireRequest item(String id, String value) {
        return ofPartition("POST", ITEMS).body("{\"id\":\"" + id + "\",\"pk\":\"p\",\"v\":" + value + "}");
    }

    private static WireRequest query(String text) {
        return ofPartition("POST", ITEMS)
                .header("content-type", "application/query+json")
                .header("x-ms-documentdb-isquery", "true")
                .body("{\"query\":\"" + text + "\"}");
    }

    private static WireRequest ofPartition(String method, String path) {
        return WireRequest.of(method, path).header("x-ms-documentdb-partitionkey", "[\"p\"]");
    }

    private static String numbers(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }
}
