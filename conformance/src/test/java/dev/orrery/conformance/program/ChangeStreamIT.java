package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.OrreryServer.Finished;
import dev.orrery.conformance.wire.EventStream;
import dev.orrery.conformance.wire.EventStream.Event;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What a program without an SDK, and a person at a terminal, see of changes as they happen. */
class ChangeStreamIT {
    private static final String KEY = OrreryServer.WELL_KNOWN_KEY;
    private static final String READ_ONLY_KEY = "cmVhZGVyIG9mIGNoYW5nZXM=";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static OrreryServer server;
    private static WireClient client;

    private String container;

    @BeforeAll
    static void start() {
        server = OrreryServer.start(folder.resolve("data"), "--read-only-key", READ_ONLY_KEY);
        client = new WireClient(server);
        assertThat(client.post("/dbs", "{\"id\":\"shop\"}").status()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void create(TestInfo test) {
        container = test.getTestMethod().orElseThrow().getName();
        var body =
                "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\"}}".formatted(container);
        assertThat(client.send(WireRequest.of("POST", "/dbs/shop/colls")
                                .header("x-ms-offer-throughput", "12000")
                                .body(body))
                        .status())
                .isEqualTo(201);
    }

    // ---- the stream ----

    @Test
    void changesComeFromTheBeginningAndThenAsTheyHappen() throws Exception {
        upsert(1);
        upsert(2);
        try (var stream = open("")) {
            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.header("content-type")).contains("text/event-stream");
            assertThat(ids(stream.next(2))).containsExactlyInAnyOrder("1", "2");

            upsert(3);
            var live = stream.next().orElseThrow();
            assertThat(live.type()).isEqualTo("change");
            assertThat(json(live.data()).path("id").asText()).isEqualTo("3");
            assertThat(json(live.data()).path("_lsn").asLong()).isPositive();
        }
    }

    @Test
    void aStreamGoesOnBehindTheLastIdThatWasSeen() throws Exception {
        String place;
        try (var stream = open("?from=now")) {
            upsert(1);
            place = stream.next().orElseThrow().lastId();
        }
        upsert(2);
        upsert(3);
        try (var stream = open("?from=now", Optional.of(place))) {
            assertThat(ids(stream.next(2))).containsExactlyInAnyOrder("2", "3");
        }
    }

    @Test
    void allVersionsTellWhatWasAndWhatWent() throws Exception {
        upsert(1);
        try (var stream = open("?mode=all-versions&previous=true")) {
            upsert(1);
            delete(1);
            var changes =
                    stream.next(2).stream().map(event -> json(event.data())).toList();
            assertThat(changes)
                    .extracting(change ->
                            change.path("metadata").path("operationType").asText())
                    .containsExactly("replace", "delete");
            assertThat(changes)
                    .extracting(change -> change.path("previous").path("id").asText())
                    .containsExactly("1", "1");
        }
        try (var refused = open("?mode=all-versions&from=beginning")) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("from=now");
        }
    }

    @Test
    void onlyOnePartitionKeyIsTold() throws Exception {
        upsert(1);
        upsert(2);
        try (var stream = open("?follow=false&partitionKey=%5B%22c2%22%5D")) {
            assertThat(ids(stream.next(1))).containsExactly("2");
            assertThat(stream.next()).isEmpty();
        }
    }

    @Test
    void aTransactionIsNeverCutInTwo() throws Exception {
        try (var stream = open("")) {
            var batch = IntStream.range(0, 60)
                    .mapToObj(i -> "{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"%d\",\"customer\":\"c\"}}"
                            .formatted(i))
                    .toList();
            for (int i = 0; i < 10; i++) {
                var reply = client.send(WireRequest.of("POST", items())
                        .header("x-ms-cosmos-is-batch-request", "true")
                        .header("x-ms-cosmos-batch-atomic", "true")
                        .header("x-ms-documentdb-partitionkey", "[\"c\"]")
                        .body(batch.toString()));
                assertThat(reply.status()).isEqualTo(200);
            }
            var seen = 0;
            for (boolean last = false; !last; ) {
                var event = stream.next().orElseThrow();
                seen++;
                if (event.placed()) {
                    assertThat(seen % 60).as("changes up to an id").isZero();
                }
                last = event.placed() && seen == 10 * 60;
            }
        }
    }

    @Test
    void whoeverMayReadMayFollow() throws Exception {
        upsert(1);
        try (var stream = EventStream.open(server.http(), READ_ONLY_KEY, changes(), Optional.empty())) {
            assertThat(ids(stream.next(1))).containsExactly("1");
        }
        try (var stream = EventStream.open(server.http(), "d3Jvbmc=", changes(), Optional.empty())) {
            assertThat(stream.status()).isEqualTo(401);
        }
        try (var stream = EventStream.open(server.http(), KEY, "/dbs/shop/colls/none/changes", Optional.empty())) {
            assertThat(stream.status()).isEqualTo(404);
            assertThat(json(stream.body()).path("code").asText()).isEqualTo("NotFound");
        }
    }

    @Test
    void theEndOfTheContainerIsTheLastEvent() throws Exception {
        try (var stream = open("")) {
            assertThat(client.send(WireRequest.of("DELETE", "/dbs/shop/colls/" + container))
                            .status())
                    .isEqualTo(204);
            var last = stream.next().orElseThrow();
            assertThat(last.type()).isEqualTo("error");
            assertThat(json(last.data()).path("code").asText()).isEqualTo("NotFound");
            assertThat(stream.next()).isEmpty();
        }
    }

    @Test
    void aPlaceOfADeletedContainerIsNotTakenForOneOfItsSuccessor(TestInfo test) throws Exception {
        String place;
        try (var stream = open("")) {
            upsert(1);
            place = stream.next().orElseThrow().lastId();
        }
        client.send(WireRequest.of("DELETE", "/dbs/shop/colls/" + container));
        create(test);
        upsert(2);
        try (var stream = open("", Optional.of(place))) {
            assertThat(stream.status()).isEqualTo(400);
            assertThat(stream.body()).contains("deleted and created again");
        }
    }

    @Test
    void aClientThatDoesNotReadKeepsNobodyElseWaiting() throws Exception {
        // More than sockets hold.
        var count = 200;
        var large = "x".repeat(200_000);
        for (int i = 0; i < count; i++) {
            assertThat(upsert(i, large).status()).isLessThan(300);
        }
        try (var slow = new WireConnection(server.port())) {
            slow.send(client.bytes(WireRequest.of("GET", changes() + "?follow=false")));
            try (var quick = open("")) {
                assertThat(ids(quick.next(count))).doesNotHaveDuplicates();
                upsert(count);
                assertThat(ids(quick.next(1))).containsExactly(Integer.toString(count));
            }
            assertThat(slow.reply().body().lines().filter(line -> line.startsWith("data: ")))
                    .hasSize(count + 1);
        }
    }

    @Test
    void aServerThatStopsEndsTheStream() throws Exception {
        try (var stream = open("")) {
            upsert(1);
            stream.next();
            assertThat(server.stop()).isIn(0, 143);
            assertThatThrownBy(stream::next).isInstanceOf(IOException.class);
        } finally {
            server.restart();
        }
    }

    @Test
    void theShellCommandsOfTheManualWork() throws Exception {
        upsert(1);
        var manual = Files.readString(Path.of("../docs/change-feed.md"));
        var script = manual.substring(manual.indexOf("```sh\n") + "```sh\n".length());
        var process = new ProcessBuilder(
                        "sh",
                        "-c",
                        script.substring(0, script.indexOf("```"))
                                .replace("localhost:8081", "localhost:" + server.port())
                                .replace("colls/orders", "colls/" + container)
                                .replace("?from=", "?follow=false&from="))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("event: change\ndata: {\"id\":\"1\"");
    }

    // ---- the command ----

    @Test
    void theCommandPrintsAChangeOnEachLineAndEnds() throws Exception {
        IntStream.range(0, 5).forEach(this::upsert);
        var all = run();
        assertThat(all.exitCode()).isZero();
        assertThat(printedIds(all.output())).containsExactlyInAnyOrder("0", "1", "2", "3", "4");

        assertThat(run("--max-items", "2").output().lines()).hasSize(2);
        assertThat(printedIds(run("--partition-key", "\"c3\"").output())).containsExactly("3");
        assertThat(run("--from", "2000-01-01T00:00:00Z").output().lines()).hasSize(5);
        assertThat(run("--from", "2999-01-01").output()).isEmpty();
        assertThat(run("--from", "now").output()).isEmpty();
        assertThat(run("--mode", "all-versions").output()).isEmpty();
        assertThat(run("--mode", "all-versions", "--from", "2999-01-01").output())
                .isEmpty();
    }

    @Test
    void theCommandSaysInWordsWhatIsWrong() {
        assertThat(run("--mode", "all-versions", "--from", "beginning"))
                .isEqualTo(new Finished(
                        1,
                        "orrery: All versions are kept for a while only, so they cannot be read from the beginning.\n"
                                + "Start with --from now, which is the default, or with a time that is not too long"
                                + " ago.\n"));
        assertThat(run("--from", "yesterday").output())
                .contains("2026-11-15T18:19:28Z")
                .doesNotContain("\tat ");
        assertThat(run("--key", "d3Jvbmc=").output()).contains("--key");
        assertThat(run("-c", "none").output()).contains("--container");
        assertThat(OrreryServer.run(
                                folder,
                                "changes",
                                "-d",
                                "shop",
                                "-c",
                                "none",
                                "--follow",
                                "--endpoint",
                                server.http().toString())
                        .output())
                .contains("There is no container 'none' in a database 'shop'.");
        assertThat(OrreryServer.run(folder, "changes", "--help").output())
                .contains("--follow", "--from", "--mode", "Examples:");
    }

    @Test
    void theCommandFollowsThroughARestartAndLeavesNothingOutOrTwice() throws Exception {
        upsert(0);
        var output = folder.resolve("followed.ndjson");
        var follower = OrreryServer.begin(folder, output, command("--follow"));
        try {
            awaitIds(output, 1);
            IntStream.range(1, 20).forEach(this::upsert);
            assertThat(server.stop()).isIn(0, 143);
            server.restart();
            IntStream.range(20, 40).forEach(this::upsert);
            awaitIds(output, 40);
            assertThat(printedIds(Files.readString(output)))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 40).mapToObj(Integer::toString).toList());
        } finally {
            end(follower);
        }
    }

    @Test
    void theCommandEndsQuietlyWithWhoeverReadsIt() throws Exception {
        IntStream.range(0, 3).forEach(this::upsert);
        var command = String.join(" ", command("--follow")) + " 2>&1 | head -n 1";
        var builder = new ProcessBuilder("sh", "-c", "\"$0\" " + command, launcher())
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("ORRERY_NO_BUILD", "true");
        var process = builder.start();
        process.getOutputStream().close();
        try (var output = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).startsWith("{\"id\":");
            // Only the next change finds that nobody reads any more.
            var next = new AtomicInteger(3);
            Await.until("the command notices", () -> {
                upsert(next.getAndIncrement());
                return !process.isAlive();
            });
            assertThat(output.lines()).isEmpty();
        } finally {
            end(process);
        }
    }

    // ---- what it takes ----

    private static String launcher() {
        return Path.of(System.getProperty("server.launcher", "../orrery"))
                .toAbsolutePath()
                .normalize()
                .toString();
    }

    private String items() {
        return "/dbs/shop/colls/" + container + "/docs";
    }

    private String changes() {
        return "/dbs/shop/colls/" + container + "/changes";
    }

    private EventStream open(String query) throws IOException, InterruptedException {
        return open(query, Optional.empty());
    }

    private EventStream open(String query, Optional<String> lastId) throws IOException, InterruptedException {
        return EventStream.open(server.http(), KEY, changes() + query, lastId);
    }

    private void upsert(int number) {
        assertThat(upsert(number, "").status()).isLessThan(300);
    }

    private WireReply upsert(int number, String text) {
        return client.send(WireRequest.of("POST", items())
                .header("x-ms-documentdb-partitionkey", "[\"c" + number + "\"]")
                .header("x-ms-documentdb-is-upsert", "true")
                .body("{\"id\":\"%d\",\n\"customer\":\"c%d\",\"text\":\"%s\"}".formatted(number, number, text)));
    }

    private void delete(int number) {
        assertThat(client.send(WireRequest.of("DELETE", items() + "/" + number)
                                .header("x-ms-documentdb-partitionkey", "[\"c" + number + "\"]"))
                        .status())
                .isEqualTo(204);
    }

    private String[] command(String... options) {
        var arguments = new ArrayList<>(List.of(
                "changes",
                "-d",
                "shop",
                "-c",
                container,
                "--endpoint",
                server.http().toString()));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private Finished run(String... options) {
        return OrreryServer.run(folder, command(options));
    }

    private static void awaitIds(Path output, int count) {
        Await.value("changes that were printed", () -> printedIds(read(output)).size(), count);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Of all changes that are there whole; what is said about the server goes to the same file. */
    private static List<String> printedIds(String output) {
        return output.lines()
                .filter(line -> line.startsWith("{") && line.endsWith("}"))
                .map(line -> json(line).path("id").asText())
                .toList();
    }

    private static List<String> ids(List<Event> events) {
        return events.stream()
                .map(event -> json(event.data()).path("id").asText())
                .toList();
    }

    private static void end(Process process) throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.waitFor();
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new AssertionError("no JSON: " + text, malformed);
        }
    }
}
