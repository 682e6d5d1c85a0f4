package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.BinaryJson;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies in Cosmos binary JSON, as the Rust client sends them: the same as text to everybody else. */
class BinaryJsonIT extends SdkSuite {
    private CosmosContainer container;

    @BeforeEach
    void createContainer() {
        container = container("/pk");
    }

    @Test
    void anItemSentInBinaryIsTheItem() {
        var item = json("{'id':'1','pk':'a','n':-5,'real':2.5,'large':9007199254740993,'tags':['x','x',null,true,{}],"
                + "'text':'grüße 😀'}");
        var created = send("POST", "", item);
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(created.json().path("large").longValue()).isEqualTo(9007199254740993L);
        var found = read(container, "1", key("a"));
        assertThat(found.retain(
                        item.properties().stream().map(Map.Entry::getKey).toList()))
                .isEqualTo(item);
    }

    @Test
    void everyRequestWithABodyMayBeInBinary() {
        send("POST", "", json("{'id':'1','pk':'a','n':1}"));
        assertThat(send("PUT", "/1", json("{'id':'1','pk':'a','n':2}")).status())
                .isEqualTo(200);
        var patch = json("{'operations':[{'op':'incr','path':'/n','value':40}]}");
        assertThat(send("PATCH", "/1", patch).json().path("n").intValue()).isEqualTo(42);
        var query =
                json("{'query':'SELECT VALUE c.n FROM c WHERE c.id = @id','parameters':[{'name':'@id','value':'1'}]}");
        var rows = wire().send(request("POST", "", query)
                .header("x-ms-documentdb-isquery", "True")
                .header("content-type", "application/query+json"));
        assertThat(rows.json().path("Documents").toString()).as(rows.body()).isEqualTo("[42]");
        var batch = Json.object("{'all':[{'operationType':'Upsert','resourceBody':{'id':'2','pk':'a','n':7}},"
                        + "{'operationType':'Read','id':'1'}]}")
                .path("all");
        var results = wire().send(request("POST", "", batch)
                .header("x-ms-cosmos-is-batch-request", "True")
                .header("x-ms-cosmos-batch-atomic", "True"));
        assertThat(results.json().findValuesAsText("statusCode"))
                .as(results.body())
                .containsExactly("201", "200");
        assertThat(read(container, "2", key("a")).path("n").intValue()).isEqualTo(7);
    }

    @Test
    void whatIsMalformedIsABadRequestAndStoresNothing() {
        var whole = BinaryJson.of(json("{'id':'1','pk':'a','n':1}"));
        for (var bad : new byte[][] {Arrays.copyOf(whole, whole.length - 1), Arrays.copyOf(whole, whole.length + 1)}) {
            var reply = wire().send(request("POST", "", json("{}")).body(bad));
            assertThat(reply.status()).as(reply.body()).isEqualTo(400);
            assertThat(reply.json().path("message").textValue()).contains("binary JSON");
        }
        assertRefused(404, () -> read(container, "1", key("a")));
    }

    private WireReply send(String method, String item, ObjectNode body) {
        return wire().send(request(method, item, body));
    }

    private WireRequest request(String method, String item, JsonNode body) {
        return WireRequest.of(method, "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs" + item)
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .header("x-ms-cosmos-supported-serialization-formats", "CosmosBinary")
                .body(BinaryJson.of(body));
    }
}
