package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids of items: what divides addresses may stand in them, and such an item is found wherever a request names it. */
class ItemIdsIT extends SdkSuite {
    private static final List<String> IDS = List.of(
            "question?mark",
            "number#sign",
            "100%",
            "percent%20escape",
            "percent%E9%B1%80escapes",
            " blank in front",
            "blank behind ",
            "tab\there",
            "line\r\nfeed",
            "allowed,=.:~+-@()^${}[]!_",
            "quote\"d",
            "unicode鱀á");

    private CosmosContainer container;

    @BeforeEach
    void createContainer() {
        container = container("/pk");
    }

    @Test
    void theSdkFindsWhatItHasStored() {
        for (var id : IDS) {
            var item = json("{'pk':'a','n':1}").put("id", id);
            assertThat(container.createItem(item).getStatusCode()).as(id).isEqualTo(201);
            assertThat(read(container, id, key("a")).path("id").textValue()).isEqualTo(id);
            container.replaceItem(item.put("n", 2), id, key("a"), new CosmosItemRequestOptions());
            container.patchItem(id, key("a"), CosmosPatchOperations.create().increment("/n", 40), ObjectNode.class);
            assertThat(queried(id))
                    .extracting(found -> found.path("n").intValue())
                    .containsExactly(42);
            assertThat(container
                            .deleteItem(id, key("a"), new CosmosItemRequestOptions())
                            .getStatusCode())
                    .as(id)
                    .isEqualTo(204);
            assertRefused(404, () -> read(container, id, key("a")));
        }
    }

    @Test
    void aSlashIsStoredAndFoundByNameAndByResourceId() {
        var id = "with/slash/docs/1";
        var item = container.createItem(json("{'pk':'a','n':1}").put("id", id)).getItem();
        assertThat(queried(id)).hasSize(1);
        var path = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs/"
                + URLEncoder.encode(id, StandardCharsets.UTF_8);
        assertThat(named("GET", path, "").json().path("_rid")).isEqualTo(item.path("_rid"));
        var replaced = named("PUT", path, "{\"id\":\"%s\",\"pk\":\"a\",\"n\":2}".formatted(id));
        assertThat(replaced.status()).as(replaced.body()).isEqualTo(200);
        var self = "/" + item.path("_self").textValue();
        var byRid = wire().sendByResourceId(WireRequest.of("GET", self.substring(0, self.length() - 1))
                .header("x-ms-documentdb-partitionkey", "[\"a\"]"));
        assertThat(byRid.json().path("id").textValue()).as(byRid.body()).isEqualTo(id);
        assertThat(byRid.json().path("n").intValue()).isEqualTo(2);
        assertThat(named("DELETE", path, "").status()).isEqualTo(204);
        assertThat(named("GET", path, "").status()).isEqualTo(404);
    }

    @Test
    void aPermissionMayNameAnItemWithASlash() {
        container.createItem(json("{'id':'a/b','pk':'a'}"));
        container.createItem(json("{'id':'other','pk':'a'}"));
        var user = "/dbs/" + database.getId() + "/users/u-" + container.getId();
        wire().post("/dbs/" + database.getId() + "/users", "{\"id\":\"u-%s\"}".formatted(container.getId()));
        var items = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs/";
        var permission = wire().post(
                        user + "/permissions",
                        "{\"id\":\"p\",\"permissionMode\":\"read\",\"resource\":\"%sa/b\"}"
                                .formatted(items.substring(1)));
        assertThat(permission.status()).as(permission.body()).isEqualTo(201);
        var token = URLEncoder.encode(permission.json().path("_token").textValue(), StandardCharsets.UTF_8);
        for (var expected : Map.of("a%2Fb", 200, "other", 403).entrySet()) {
            var reply = wire().send(WireRequest.of("GET", items + expected.getKey())
                    .header("authorization", token)
                    .header("x-ms-documentdb-partitionkey", "[\"a\"]"));
            assertThat(reply.status()).as(reply.body()).isEqualTo(expected.getValue());
        }
    }

    @Test
    void aBackslashIsRefused() {
        assertRefused(400, () -> container.createItem(json("{'pk':'a'}").put("id", "back\\slash")));
    }

    @Test
    void idsInABatchAreFree() {
        var body = "[{\"operationType\":\"Create\",\"resourceBody\":{\"id\":\"a/b?c#d\",\"pk\":\"a\"}},"
                + "{\"operationType\":\"Read\",\"id\":\"a/b?c#d\"},{\"operationType\":\"Delete\",\"id\":\"a/b?c#d\"}]";
        var reply = wire().send(
                        WireRequest.of("POST", "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs")
                                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                                .header("x-ms-cosmos-is-batch-request", "True")
                                .header("x-ms-cosmos-batch-atomic", "True")
                                .body(body));
        assertThat(reply.json().findValuesAsText("statusCode")).as(reply.body()).containsExactly("201", "200", "204");
    }

    private WireReply named(String method, String path, String body) {
        return wire().send(WireRequest.of(method, path)
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .body(body));
    }

    private List<ObjectNode> queried(String id) {
        var query = new SqlQuerySpec("SELECT * FROM c WHERE c.id = @id", new SqlParameter("@id", id));
        return container
                .queryItems(query, new CosmosQueryRequestOptions().setPartitionKey(key("a")), ObjectNode.class)
                .stream()
                .toList();
    }
}
