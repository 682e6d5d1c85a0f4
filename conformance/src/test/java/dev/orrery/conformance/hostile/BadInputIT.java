package dev.orrery.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireConnection;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Malformed and hostile requests are refused for what they are, in words, and change nothing. */
class BadInputIT {
    private static final String ITEM =
            "{\"id\":\"there\",\"pk\":\"a\",\"n\":1,\"text\":\"t\",\"list\":[1,2],\"object\":{\"x\":1}}";
    private static final Map<Integer, String> CODES = Map.of(
            400, "BadRequest",
            401, "Unauthorized",
            403, "Forbidden",
            404, "NotFound",
            405, "MethodNotAllowed",
            408, "RequestTimeout",
            409, "Conflict",
            410, "Gone",
            412, "PreconditionFailed",
            413, "RequestEntityTooLarge");

    private static WireClient client;
    private static String before;

    @BeforeAll
    static void prepare() {
        client = new WireClient(SharedServer.running());
        assertThat(client.post("/dbs", "{\"id\":\"bad\"}").status()).isEqualTo(201);
        var items = "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";
        assertThat(client.post("/dbs/bad/colls", items).status()).isEqualTo(201);
        var levels =
                "{\"id\":\"levels\",\"partitionKey\":{\"paths\":[\"/t\",\"/u\"],\"kind\":\"MultiHash\",\"version\":2}}";
        assertThat(client.post("/dbs/bad/colls", levels).status()).isEqualTo(201);
        assertThat(client.post("/dbs/bad/users", "{\"id\":\"somebody\"}").status())
                .isEqualTo(201);
        var item = WireRequest.of("POST", "/dbs/bad/colls/items/docs")
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .body(ITEM);
        assertThat(client.send(item).status()).isEqualTo(201);
        before = everything();
    }

    @AfterAll
    static void theServerStillServesAndNothingHasChanged() {
        assertThat(SharedServer.running().isAlive()).isTrue();
        assertThat(everything()).isEqualTo(before);
    }

    @TestFactory
    Stream<DynamicTest> requestsThatMakeNoSense() {
        return BadRequest.table("bad-requests.http").stream().map(BadInputIT::test);
    }

    @TestFactory
    Stream<DynamicTest> containersThatCannotBe() {
        return BadRequest.table("bad-containers.http").stream().map(BadInputIT::test);
    }

    @TestFactory
    Stream<DynamicTest> messagesThatAreNoHttp() {
        return BadRequest.table("bad-http.http").stream().map(BadInputIT::test);
    }

    private static DynamicTest test(BadRequest request) {
        return dynamicTest(request.name(), () -> assertAnswer(request, send(request)));
    }

    private static WireReply send(BadRequest request) throws IOException {
        var port = SharedServer.running().port();
        try (var connection = new WireConnection(port)) {
            try {
                connection.send(request.bytes(port));
            } catch (IOException refusedWhileSending) {
                // A server may answer and hang up before it has read everything; the answer is there to read.
            }
            return connection.reply();
        }
    }

    private static void assertAnswer(BadRequest request, WireReply reply) {
        var answer = reply.status() + (reply.substatus() == 0 ? "" : "/" + reply.substatus());
        assertThat(answer).as(reply.body()).isIn(request.answers());
        assertThat(reply.header("content-type").orElse("")).startsWith("application/json");
        var error = reply.json();
        assertThat(error.path("code").textValue())
                .isNotBlank()
                .isEqualTo(CODES.getOrDefault(reply.status(), error.path("code").textValue()));
        assertThat(error.path("message").textValue())
                .isNotBlank()
                .doesNotContain("Exception", "\tat ", "dev.orrery", "java.", "io.netty");
    }

    /** All that the database holds, as the server tells it. */
    private static String everything() {
        return Stream.of(
                        "/dbs/bad",
                        "/dbs/bad/colls",
                        "/dbs/bad/users",
                        "/dbs/bad/users/somebody/permissions",
                        "/dbs/bad/colls/items/docs",
                        "/dbs/bad/colls/levels/docs",
                        "/dbs/bad/colls/items/pkranges")
                .map(client::whole)
                .reduce("", (all, one) -> all + one + "\n");
    }
}
