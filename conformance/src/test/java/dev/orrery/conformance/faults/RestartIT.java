package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restart keeps everything, to the last byte that a client can see. */
class RestartIT {
    private static final String ITEMS = "/dbs/kept/colls/items";
    private static final List<String> PATHS = List.of(
            "/dbs",
            "/dbs/kept",
            "/dbs/kept/colls",
            ITEMS,
            ITEMS + "/pkranges",
            ITEMS + "/docs",
            "/dbs/kept/colls/plain/docs",
            "/dbs/kept/users",
            "/dbs/kept/users/somebody",
            "/offers",
            "/_orrery/cert.pem");

    @TempDir
    Path folder;

    @Test
    void everythingIsThereAfterACleanStop() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var client = new WireClient(server);
            fill(client);
            var before = everything(client);
            for (var round = 0; round < 2; round++) {
                assertThat(server.stop()).as("exit code after SIGTERM").isIn(0, 143);
                server.restart();
                assertThat(everything(client)).isEqualTo(before);
            }
            assertStillAlive(client);
        }
    }

    @Test
    void everythingIsThereAfterAKill() {
        try (var server = OrreryServer.start(folder.resolve("data"))) {
            var client = new WireClient(server);
            fill(client);
            var before = everything(client);
            server.kill();
            server.restart();
            assertThat(everything(client)).isEqualTo(before);
            assertStillAlive(client);
        }
    }

    @Test
    void whatIsKeptInMemoryIsGoneAfterARestart() {
        try (var server = OrreryServer.startInMemory(folder)) {
            var client = new WireClient(server);
            fill(client);
            server.stop();
            server.restart();
            assertThat(client.get("/dbs/kept").status()).isEqualTo(404);
        }
    }

    private static void fill(WireClient client) {
        assertCreated(client.post("/dbs", "{\"id\":\"kept\"}"));
        var definition = """
            {"id":"items","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":-1,
             "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/mail"]}]},
             "indexingPolicy":{"indexingMode":"consistent","includedPaths":[{"path":"/*"}],
             "excludedPaths":[{"path":"/secret/*"}],
             "compositeIndexes":[[{"path":"/a","order":"ascending"},{"path":"/b","order":"descending"}]]},
             "geospatialConfig":{"type":"Geometry"},"computedProperties":[{"name":"l","query":"SELECT VALUE LOWER(c.n) FROM c"}]}\
            """;
        assertCreated(client.send(WireRequest.of("POST", "/dbs/kept/colls")
                .header("x-ms-offer-throughput", "10100")
                .body(definition)));
        assertCreated(client.send(WireRequest.of("POST", "/dbs/kept/colls")
                .header("x-ms-cosmos-offer-autopilot-settings", "{\"maxThroughput\":4000}")
                .body("{\"id\":\"plain\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")));
        assertCreated(client.post("/dbs/kept/users", "{\"id\":\"somebody\"}"));
        assertCreated(client.post(
                "/dbs/kept/users/somebody/permissions",
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/kept/colls/items\"}"));
        IntStream.range(0, 50).forEach(i -> assertCreated(create(client, ITEMS, i)));
        IntStream.range(0, 50).forEach(i -> assertCreated(create(client, "/dbs/kept/colls/plain", i)));
        IntStream.range(0, 10)
                .forEach(i -> assertThat(client.send(keyed("DELETE", ITEMS + "/docs/" + i, i))
                                .status())
                        .isEqualTo(204));
    }

    private static WireReply create(WireClient client, String container, int i) {
        var body =
                "{\"id\":\"%d\",\"pk\":\"key-%d\",\"mail\":\"m%d\",\"n\":%d.50,\"ttl\":-1}".formatted(i, i % 7, i, i);
        return client.send(keyed("POST", container + "/docs", i).body(body));
    }

    private static WireRequest keyed(String method, String path, int i) {
        return WireRequest.of(method, path).header("x-ms-documentdb-partitionkey", "[\"key-" + i % 7 + "\"]");
    }

    private static Map<String, String> everything(WireClient client) {
        var everything = new LinkedHashMap<String, String>();
        for (var path : PATHS) {
            assertThat(client.pages(path)).as(path).allMatch(reply -> reply.status() == 200);
            everything.put(path, client.whole(path));
        }
        return everything;
    }

    /** The counters behind ids, tags and tokens go on from where they were. */
    private static void assertStillAlive(WireClient client) {
        var token = client.send(keyed("GET", ITEMS + "/docs/20", 20))
                .header("x-ms-session-token")
                .orElseThrow();
        assertThat(create(client, ITEMS, 20).status()).as("an id that is taken").isEqualTo(409);
        var twin = keyed("POST", ITEMS + "/docs", 20).body("{\"id\":\"twin\",\"pk\":\"key-6\",\"mail\":\"m20\"}");
        assertThat(client.send(twin).status()).as("a unique key that is taken").isEqualTo(409);
        var created = create(client, ITEMS, 5);
        assertCreated(created);
        var rids = client.pages(ITEMS + "/docs").stream()
                .flatMap(page -> page.json().path("Documents").findValuesAsText("_rid").stream())
                .toList();
        assertThat(rids)
                .doesNotHaveDuplicates()
                .contains(created.json().path("_rid").textValue());
        var rewritten = client.send(
                keyed("PUT", ITEMS + "/docs/20", 20).body("{\"id\":\"20\",\"pk\":\"key-6\",\"mail\":\"m20\"}"));
        assertThat(rewritten.status()).isEqualTo(200);
        assertThat(lsn(rewritten.header("x-ms-session-token").orElseThrow())).isGreaterThan(lsn(token));
        assertCreated(client.post("/dbs", "{\"id\":\"second\"}"));
        var ids = client.get("/dbs").json().findValuesAsText("_rid");
        assertThat(ids).doesNotHaveDuplicates();
    }

    private static long lsn(String token) {
        return Long.parseLong(token.substring(token.indexOf('#') + 1));
    }

    private static void assertCreated(WireReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    }
}
