package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries over several partitions from clients that have no plan: who puts the rows together is a matter of settings. */
class RawQueriesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WHOLE = "x-orrery-serve-raw-query";
    private static final String SORTED = "SELECT VALUE c.n FROM c ORDER BY c.n DESC";
    private static final String GROUPS_IN_ORDER = "SELECT c.half, COUNT(1) AS n FROM c GROUP BY c.half ORDER BY c.half";

    @TempDir
    Path folder;

    @Test
    void aQueryThatNeedsAPlanIsRefusedWithIt() throws IOException {
        var client = new WireClient(SharedServer.running());
        var documents = filled(client, "raw-refused", 18_000);
        var reply = client.send(query(documents, SORTED));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).contains("1004");
        var plan = client.send(query(documents, SORTED)
                .header("x-ms-cosmos-is-query-plan-request", "True")
                .header("x-ms-cosmos-supported-query-features", "OrderBy"));
        assertThat(JSON.readTree(reply.json().path("additionalErrorInfo").textValue()))
                .isEqualTo(plan.json());
        assertThat(client.send(query(documents, GROUPS_IN_ORDER)).body())
                .contains("ORDER BY together with GROUP BY")
                .doesNotContain("additionalErrorInfo");
        assertThat(rows(client.send(query(documents, "SELECT * FROM c WHERE c.n >= 0"))))
                .hasSize(8);
        assertThat(rows(client.send(query(documents, "SELECT VALUE c.n FROM c WHERE c.pk = 'key-3' ORDER BY c.n"))))
                .hasSize(1);
    }

    @Test
    void allPartitionsAreAskedOnlyIfTheRequestAllowsIt() throws IOException {
        var client = new WireClient(SharedServer.running());
        var disabled = "Cross partition query is required but disabled. Please set"
                + " x-ms-documentdb-query-enablecrosspartition to true";
        // The number of ranges makes no difference: more may come.
        for (int units : new int[] {400, 18_000}) {
            var documents = filled(client, "raw-narrow-" + units, units);
            for (var text : List.of("SELECT * FROM c", SORTED, "SELECT * FROM c WHERE c.pk IN ('key-1', 'key-2')")) {
                var refused = client.send(narrow(documents, text));
                assertThat(refused.status()).as(text).isEqualTo(400);
                assertThat(refused.json().path("message").textValue()).as(text).contains(disabled);
            }
            assertThat(rows(client.send(narrow(documents, "SELECT * FROM c WHERE c.pk = 'key-1' AND c.n > 0"))))
                    .hasSize(1);
            var key = narrow(documents, SORTED).header("x-ms-documentdb-partitionkey", "[\"key-1\"]");
            assertThat(rows(client.send(key))).hasSize(1);
            assertThat(rows(client.send(narrow(documents, SORTED).header(WHOLE, "true"))))
                    .hasSize(8);
        }
    }

    @Test
    void whoAsksTheServerToPutRowsTogetherGetsThemAll() throws IOException {
        var client = new WireClient(SharedServer.running());
        var documents = filled(client, "raw-whole", 18_000);
        assertThat(rows(client.send(query(documents, SORTED).header(WHOLE, "true")))
                        .toString())
                .isEqualTo("[7,6,5,4,3,2,1,0]");
        assertThat(rows(client.send(query(documents, GROUPS_IN_ORDER).header(WHOLE, "true")))
                        .toString())
                .isEqualTo("[{\"half\":0,\"n\":2},{\"half\":1,\"n\":2},{\"half\":2,\"n\":2},{\"half\":3,\"n\":2}]");
        var oneRange = filled(client, "raw-one", 400);
        assertThat(rows(client.send(query(oneRange, SORTED)))).hasSize(8);
    }

    @Test
    void aServerMayPutRowsTogetherForEverybody() throws IOException {
        var file = Files.writeString(folder.resolve("orrery.yaml"), "serveRawQueries: true\n");
        for (var option : List.of(List.of("--serve-raw-queries"), List.of("--config", file.toString()))) {
            try (var server = OrreryServer.startInMemory(folder, option.toArray(String[]::new))) {
                var client = new WireClient(server);
                var documents = filled(client, "raw", 18_000);
                assertThat(rows(client.send(query(documents, SORTED))))
                        .as("%s", option)
                        .hasSize(8);
            }
        }
    }

    @Test
    void whoAsksForAdviceGetsIt() {
        var client = new WireClient(SharedServer.running());
        var documents = filled(client, "raw-advice", 400);
        var asking = query(documents, "SELECT * FROM c WHERE CONTAINS(c.name, 'x')");
        var advice = client.send(asking.header("x-ms-cosmos-populatequeryadvice", "true"))
                .header("x-ms-cosmos-query-advice");
        assertThat(URLDecoder.decode(advice.orElseThrow(), StandardCharsets.UTF_8))
                .isEqualTo("[{\"Id\":\"QA1002\",\"Params\":[]}]");
        assertThat(client.send(asking).header("x-ms-cosmos-query-advice")).isEmpty();
        assertThat(client.send(query(documents, "SELECT * FROM c").header("x-ms-cosmos-populatequeryadvice", "true"))
                        .header("x-ms-cosmos-query-advice"))
                .isEmpty();
    }

    /** The feed of a new container. */
    private static String filled(WireClient client, String database, int units) {
        assertThat(client.post("/dbs", "{\"id\":\"" + database + "\"}").status())
                .isEqualTo(201);
        assertThat(client.send(WireRequest.of("POST", "/dbs/" + database + "/colls")
                                .header("x-ms-offer-throughput", Integer.toString(units))
                                .body("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\","
                                        + "\"version\":2}}"))
                        .status())
                .isEqualTo(201);
        var documents = "/dbs/" + database + "/colls/c/docs";
        for (int number = 0; number < 8; number++) {
            var item = "{\"id\":\"%d\",\"pk\":\"key-%d\",\"n\":%d,\"half\":%d}"
                    .formatted(number, number, number, number / 2);
            var created = client.send(WireRequest.of("POST", documents)
                    .header("x-ms-documentdb-partitionkey", "[\"key-" + number + "\"]")
                    .body(item));
            assertThat(created.status()).isEqualTo(201);
        }
        return documents;
    }

    private static WireRequest query(String documents, String text) {
        return narrow(documents, text).header("x-ms-documentdb-query-enablecrosspartition", "true");
    }

    /** One that does not allow for several partitions. */
    private static WireRequest narrow(String documents, String text) {
        return WireRequest.of("POST", documents)
                .header("x-ms-documentdb-isquery", "true")
                .header("content-type", "application/query+json")
                .body("{\"query\":\"" + text + "\"}");
    }

    private static JsonNode rows(WireReply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().path("Documents");
    }
}
