package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final List<Integer> SERVED_OR_REFUSED = List.of(200, 201, 204, 400, 413, 429);

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
    void manyGroupingsAtOnce() {
        untilSome(SmallHeapIT::groupings, 200);
    }

    private static List<Integer> groupings() throws Exception {
        return together(
                60,
                number -> query(
                        number % 2 == 0
                                ? "SELECT c.v.text, COUNT(1) AS n FROM c GROUP BY c.v.text"
                                : "SELECT DISTINCT VALUE CONCAT(c.v.text, c.id) FROM c"));
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
    void manyLargeItemsAtOnce() {
        // Every number becomes an entry of the index.
        var list = numbers(1_000_000, 200_000);
        untilSome(() -> together(24, number -> item("heavy-" + number, "[" + number + "," + list + "]")), 201);
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

    @Test
    void manyListsAndChangesAtOnce() {
        untilSome(() -> together(30, _ -> ofPartition("GET", ITEMS)), 200);
        untilSome(() -> together(30, _ -> ofPartition("GET", ITEMS).header("a-im", "Incremental Feed")), 200);
    }

    /** Together they are several times the heap. */
    @Test
    void manyRepliesThatNobodyReads() throws IOException {
        var connections = new ArrayList<WireConnection>();
        try {
            for (int number = 0; number < 60; number++) {
                var connection = new WireConnection(server.port());
                connections.add(connection);
                for (int request = 0; request < 4; request++) { // The first ones fit into buffers of the system.
                    connection.send(client.bytes(ofPartition("GET", ITEMS)));
                }
            }
            Await.until("the memory for replies is used up", () -> memoryTaken() > 80 << 20);
            assertThat(client.send(ofPartition("GET", ITEMS + "/small")).status())
                    .isEqualTo(200);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
        Await.until("all of it is given back", () -> memoryTaken() == 0);
    }

    /** A delete brings nothing with it, and finds a hundred thousand index entries to remove. */
    @Test
    void manyPatchesAndDeletesOfLargeItemsAtOnce() {
        var list = numbers(1_000_000, 100_000);
        for (int number = 0; number < 4; number++) {
            create("found-" + number, "[" + number + "," + list + "]");
        }
        untilSome(
                () -> together(
                        12,
                        number -> ofPartition("PATCH", ITEMS + "/found-" + number % 4)
                                .header("content-type", "application/json_patch+json")
                                .body("{\"operations\":[{\"op\":\"set\",\"path\":\"/n" + number + "\",\"value\":1}]}")),
                200);
        untilSome(() -> together(4, number -> ofPartition("DELETE", ITEMS + "/found-" + number)), 204);
    }

    /** What was read of queries is kept, but not any number of long ones. */
    @Test
    void manyLongQueries() {
        for (int round = 0; round < 4; round++) {
            int first = round * 1_000_000;
            untilSome(
                    () -> together(
                            12,
                            number -> query("SELECT c.id FROM c WHERE c.n IN ("
                                    + numbers(10_000_000 + first + number * 50_000, 40_000) + ")")),
                    200,
                    400);
        }
    }

    /** Everything that describes the account stays in memory. */
    @Test
    void scriptsThatTogetherAreLargerThanTheHeap() {
        var body = "function () { /* " + "x".repeat(400_000) + " */ }";
        int made = 0;
        WireReply reply;
        do {
            reply = client.post(
                    "/dbs/d/colls/c/triggers",
                    "{\"id\":\"t" + made + "\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\",\"body\":\"" + body
                            + "\"}");
            made += reply.status() == 201 ? 1 : 0;
        } while (reply.status() == 201);
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.body()).contains("MB of memory");
        for (int number = 0; number < made; number++) {
            assertThat(client.send(WireRequest.of("DELETE", "/dbs/d/colls/c/triggers/t" + number))
                            .status())
                    .isEqualTo(204);
        }
    }

    @Test
    void manyStreamsOfChangesThatNobodyReads() throws IOException {
        var connections = new ArrayList<WireConnection>();
        try {
            for (int number = 0; number < 60; number++) {
                var connection = new WireConnection(server.port());
                connections.add(connection);
                connection.send(client.bytes(WireRequest.of("GET", "/dbs/d/colls/c/changes")));
            }
            Await.until("the memory for pieces is used up", () -> memoryTaken() > 80 << 20);
            assertThat(client.send(ofPartition("GET", ITEMS + "/small")).status())
                    .isEqualTo(200);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
        Await.until("all of it is given back", () -> memoryTaken() == 0);
    }

    /** Ten thousand headers of six bytes each, from hundreds of clients. */
    @Test
    void manyHeadsThatNeverEnd() throws IOException {
        var head = ("GET / HTTP/1.1\r\nHost: localhost\r\n" + "a:b\r\n".repeat(10_000))
                .getBytes(StandardCharsets.US_ASCII);
        var connections = new ArrayList<WireConnection>();
        try {
            for (int number = 0; number < 300; number++) {
                var connection = new WireConnection(server.port());
                connections.add(connection);
                connection.send(head);
            }
            assertThat(client.send(ofPartition("GET", ITEMS + "/small")).status())
                    .isEqualTo(200);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
        Await.until("all of it is given back", () -> memoryTaken() == 0);
    }

    @Test
    void aServerThatKeepsEverythingInMemoryTakesNoMoreThanFits() {
        try (var small = OrreryServer.startInMemoryWith("-Xmx128m", folder)) {
            var asked = new WireClient(small);
            asked.post("/dbs", "{\"id\":\"d\"}");
            asked.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}");
            int made = 0;
            WireReply reply;
            do {
                reply = asked.send(item("i" + made, "\"" + "z".repeat(500_000) + "\""));
                made += reply.status() == 201 ? 1 : 0;
            } while (reply.status() == 201);
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body()).contains("--memory");
            assertThat(asked.get("/_orrery/ready").status()).isEqualTo(503);
            assertThat(asked.send(ofPartition("GET", ITEMS + "/i" + (made - 1))).status())
                    .isEqualTo(200);
            assertThat(small.isAlive()).isTrue();
        }
    }

    @Test
    void afterAnAttackMemoryGoesBackToTheSystem() throws Exception {
        groupings();
        Await.until("the heap shrinks", () -> {
            Await.pause(20_000, "a server that is asked for nothing has time for it");
            return metric("jvm_memory_committed_bytes{area=\"heap\"") < 128 << 20;
        });
    }

    private static long memoryTaken() {
        return metric("orrery_request_memory_bytes");
    }

    /** The sum over all lines that begin so. */
    private static long metric(String name) {
        return client.get("/_orrery/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private interface Attack {
        List<Integer> statuses() throws Exception;
    }

    /**
     * Attacks until somebody is served. On a slow machine all may have waited for memory in vain that others of them had;
     * where nobody can be served, the net against hanging says so.
     */
    private static void untilSome(Attack attack, Integer... wanted) {
        Await.until("somebody gets one of " + List.of(wanted), () -> {
            try {
                return attack.statuses().stream()
                        .anyMatch(status -> List.of(wanted).contains(status));
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
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

    /** What was taken by those before may not have been given back yet. */
    private static void create(String id, String value) {
        Await.value("what " + id + " gets", () -> client.send(item(id, value)).status(), 201);
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
