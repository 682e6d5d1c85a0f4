package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireRequest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Items one at a time: create, read, replace, upsert, delete, and what comes back. */
class ItemIT extends SdkSuite {
    private static final CosmosItemRequestOptions NO_OPTIONS = new CosmosItemRequestOptions();

    private CosmosContainer container;

    @BeforeEach
    void createContainer() {
        container = container("/pk");
    }

    @Test
    void aCreatedItemIsReadAsItWasWritten() {
        var item = json("""
            {'id':'1','pk':'a','text':'grüße 你好 \\uD83D\\uDE00','number':1.5,'long':9007199254740991,
             'yes':true,'nothing':null,'list':[1,[2,{}],'3'],'object':{'empty':{},'nested':{'deep':[]}}}\
            """);
        var created = container.createItem(item);
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(Json.withoutSystemProperties(created.getItem())).isEqualTo(item);
        assertThat(Json.withoutSystemProperties(read(container, "1", key("a")))).isEqualTo(item);
    }

    @Test
    void anItemGetsItsSystemProperties() {
        var item = container.createItem(json("{'id':'1','pk':'a'}")).getItem();
        var collection = container.read().getProperties().getResourceId();
        assertThat(item.path("_rid").textValue()).hasSize(24).startsWith(collection.substring(0, 8));
        assertThat(item.path("_self").textValue())
                .startsWith("dbs/")
                .endsWith("/docs/" + item.path("_rid").textValue() + "/");
        assertThat(item.path("_etag").textValue()).matches("\"[^\"]+\"");
        assertThat(item.path("_attachments").textValue()).isEqualTo("attachments/");
        assertThat(item.path("_ts").longValue())
                .isBetween(Instant.now().getEpochSecond() - 60, Instant.now().getEpochSecond() + 60);
    }

    @Test
    void systemPropertiesInABodyAreOverwritten() {
        var written = json("{'id':'1','pk':'a','_rid':'x','_self':7,'_etag':null,'_ts':1,'_attachments':{}}");
        container.createItem(written);
        var item = read(container, "1", key("a"));
        assertThat(item.path("_rid").textValue()).hasSize(24);
        assertThat(item.path("_etag").textValue()).startsWith("\"");
        assertThat(item.path("_ts").longValue()).isGreaterThan(1);
        assertThat(item.path("_attachments").textValue()).isEqualTo("attachments/");
        assertThat(item.size()).isEqualTo(7);
    }

    @Test
    void theOrderOfPropertiesAndTheSpellingOfNumbersAreKept() {
        var text =
                "{\"zebra\":1.0,\"id\":\"1\",\"b\":1e3,\"a\":-0.0,\"pk\":\"k\",\"c\":100000000000000000000,\"d\":0.10}";
        var docs = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs";
        var created = wire().send(WireRequest.of("POST", docs)
                .header("x-ms-documentdb-partitionkey", "[\"k\"]")
                .body(text));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        var prefix = text.substring(0, text.length() - 1) + ",\"_rid\":";
        assertThat(created.body()).startsWith(prefix);
        var read = wire().send(WireRequest.of("GET", docs + "/1").header("x-ms-documentdb-partitionkey", "[\"k\"]"));
        assertThat(read.body()).startsWith(prefix);
    }

    @Test
    void replaceChangesTheItemItsEtagAndKeepsItsResourceId() {
        var before = container.createItem(json("{'id':'1','pk':'a','n':1}")).getItem();
        var replaced = container.replaceItem(json("{'id':'1','pk':'a','m':2}"), "1", key("a"), NO_OPTIONS);
        assertThat(replaced.getStatusCode()).isEqualTo(200);
        var after = read(container, "1", key("a"));
        assertThat(after.has("n")).isFalse();
        assertThat(after.path("m").intValue()).isEqualTo(2);
        assertThat(after.path("_rid")).isEqualTo(before.path("_rid"));
        assertThat(after.path("_etag")).isNotEqualTo(before.path("_etag"));
    }

    @Test
    void replaceMayNotMoveAnItemToAnotherPartition() {
        container.createItem(json("{'id':'1','pk':'a'}"));
        assertRefused(400, 1001, () -> container.replaceItem(json("{'id':'1','pk':'b'}"), "1", key("a"), NO_OPTIONS));
        assertThat(read(container, "1", key("a")).path("pk").textValue()).isEqualTo("a");
    }

    @Test
    void upsertCreatesAndThenReplaces() {
        assertThat(container.upsertItem(json("{'id':'1','pk':'a','n':1}")).getStatusCode())
                .isEqualTo(201);
        assertThat(container.upsertItem(json("{'id':'1','pk':'a','n':2}")).getStatusCode())
                .isEqualTo(200);
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(2);
    }

    @Test
    void aReplacementMayHaveAnotherId() {
        container.createItem(json("{'id':'1','pk':'a','n':1}"));
        var replaced = container.replaceItem(json("{'id':'2','pk':'a','n':2}"), "1", key("a"), NO_OPTIONS);
        assertThat(replaced.getStatusCode()).isEqualTo(200);
        assertRefused(404, () -> read(container, "1", key("a")));
        assertThat(read(container, "2", key("a")).path("n").intValue()).isEqualTo(2);
        container.createItem(json("{'id':'3','pk':'a'}"));
        assertRefused(409, () -> container.replaceItem(json("{'id':'3','pk':'a'}"), "2", key("a"), NO_OPTIONS));
        assertRefused(400, 1001, () -> container.replaceItem(json("{'id':'2','pk':'b'}"), "2", key("a"), NO_OPTIONS));
    }

    @Test
    void deleteRemovesTheItem() {
        container.createItem(json("{'id':'1','pk':'a'}"));
        assertThat(container.deleteItem("1", key("a"), NO_OPTIONS).getStatusCode())
                .isEqualTo(204);
        assertRefused(404, () -> read(container, "1", key("a")));
        assertRefused(404, () -> container.deleteItem("1", key("a"), NO_OPTIONS));
        container.createItem(json("{'id':'1','pk':'a'}"));
    }

    @Test
    void aSecondItemOfTheSameIdAndKeyIsAConflict() {
        container.createItem(json("{'id':'1','pk':'a','n':1}"));
        var refusal = assertRefused(409, () -> container.createItem(json("{'id':'1','pk':'a','n':2}")));
        assertThat(refusal.getResponseHeaders()).containsKey("x-ms-session-token");
        assertThat(refusal.getRequestCharge()).isPositive();
        container.createItem(json("{'id':'1','pk':'b'}"));
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(1);
    }

    @Test
    void whatIsMissingIsNotFound() {
        assertRefused(404, () -> read(container, "none", key("a")));
        assertRefused(404, () -> container.replaceItem(json("{'id':'none','pk':'a'}"), "none", key("a"), NO_OPTIONS));
        assertRefused(404, () -> database.getContainer("none-such").read());
        // The SDK never gets as far as an item of a container that is missing.
        var reply = wire().send(WireRequest.of("GET", "/dbs/" + database.getId() + "/colls/none-such/docs/1")
                .header("x-ms-documentdb-partitionkey", "[\"a\"]"));
        assertThat(reply.status() + "/" + reply.substatus()).isEqualTo("404/1003");
    }

    @Test
    void byDefaultAWriteReturnsNoContentButEverythingElse() {
        try (var quiet = builder().contentResponseOnWriteEnabled(false).buildClient()) {
            var same = quiet.getDatabase(database.getId()).getContainer(container.getId());
            var created = same.createItem(json("{'id':'1','pk':'a','n':1}"));
            assertThat(created.getStatusCode()).isEqualTo(201);
            assertThat(created.getItem()).isNull();
            assertThat(created.getETag()).isNotBlank();
            assertThat(created.getRequestCharge()).isPositive();
            assertThat(created.getETag())
                    .isEqualTo(read(same, "1", key("a")).path("_etag").textValue());
            assertThat(same.upsertItem(json("{'id':'1','pk':'a','n':2}")).getItem())
                    .isNull();
            var wanted = new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(true);
            assertThat(same.upsertItem(json("{'id':'1','pk':'a','n':3}"), wanted)
                            .getItem()
                            .path("n")
                            .intValue())
                    .isEqualTo(3);
            assertThat(read(same, "1", key("a")).path("n").intValue()).isEqualTo(3);
        }
    }

    @Test
    void everyReplyCarriesChargeActivityAndSession() {
        var created = container.createItem(json("{'id':'1','pk':'a'}"));
        var read = container.readItem("1", key("a"), ObjectNode.class);
        for (var response : List.of(created, read)) {
            assertThat(response.getRequestCharge()).isPositive();
            assertThat(response.getActivityId()).hasSize(36);
            assertThat(response.getSessionToken()).matches("\\d+:-1#\\d+");
            assertThat(response.getETag())
                    .isEqualTo(response.getItem().path("_etag").textValue());
            assertThat(response.getResponseHeaders())
                    .containsEntry("x-ms-alt-content-path", "dbs/" + database.getId() + "/colls/" + container.getId())
                    .containsEntry(
                            "x-ms-content-path",
                            container.read().getProperties().getResourceId());
        }
        assertThat(read.getRequestCharge()).isEqualTo(1.0);
    }

    @Test
    void aChargeGrowsWithTheItem() {
        container.createItem(json("{'id':'small','pk':'a'}"));
        var large = json("{'id':'large','pk':'a'}").put("text", "x".repeat(64 * 1024));
        container.createItem(large);
        var small = container.readItem("small", key("a"), ObjectNode.class).getRequestCharge();
        assertThat(container.readItem("large", key("a"), ObjectNode.class).getRequestCharge())
                .isGreaterThan(small);
    }

    @Test
    void idsMayHoldWhatUrlsFindHard() {
        var ids = List.of(
                "with space",
                "a%20b",
                "a+b",
                "a&b=c",
                "é你好😀",
                "semi;colon",
                "'quoted'",
                "\"double\"",
                "a:b@c",
                "[x]",
                "~.-_",
                ".hidden",
                "a,b",
                "{a}",
                "|",
                "^",
                "x".repeat(255));
        for (var id : ids) {
            container.createItem(json("{'pk':'a'}").put("id", id));
            assertThat(read(container, id, key("a")).path("id").textValue()).isEqualTo(id);
            container.replaceItem(json("{'pk':'a','n':1}").put("id", id), id, key("a"), NO_OPTIONS);
            container.deleteItem(id, key("a"), NO_OPTIONS);
            assertRefused(404, () -> read(container, id, key("a")));
        }
    }

    @Test
    void idsMayNotHoldBackslashesOrBeTooLong() {
        for (var id : List.of("a\\b", "x".repeat(1024), "")) {
            assertRefused(400, () -> container.createItem(json("{'pk':'a'}").put("id", id), key("a"), NO_OPTIONS));
        }
        assertRefused(400, () -> container.createItem(json("{'pk':'a'}"), key("a"), NO_OPTIONS));
        assertRefused(400, () -> container.createItem(json("{'id':7,'pk':'a'}"), key("a"), NO_OPTIONS));
    }

    @Test
    void anItemOfAlmostTwoMegabytesFitsAndALargerOneDoesNot() {
        var large = json("{'id':'1','pk':'a'}").put("text", "x".repeat(2_000_000));
        container.createItem(large);
        assertThat(read(container, "1", key("a")).path("text").textValue()).hasSize(2_000_000);
        var tooLarge = json("{'id':'2','pk':'a'}").put("text", "x".repeat(2 * 1024 * 1024));
        assertRefused(413, () -> container.createItem(tooLarge));
        assertRefused(404, () -> read(container, "2", key("a")));
    }

    @Test
    void everyPathAlsoWorksByResourceId() {
        var item = container.createItem(json("{'id':'1','pk':'a','n':1}")).getItem();
        var self = "/" + item.path("_self").textValue();
        var path = self.substring(0, self.length() - 1);
        var read =
                wire().sendByResourceId(WireRequest.of("GET", path).header("x-ms-documentdb-partitionkey", "[\"a\"]"));
        assertThat(read.status()).as(read.body()).isEqualTo(200);
        assertThat(read.json().path("_rid")).isEqualTo(item.path("_rid"));
        var feed = path.substring(0, path.lastIndexOf('/'));
        var created = wire().sendByResourceId(WireRequest.of("POST", feed)
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .body("{\"id\":\"2\",\"pk\":\"a\"}"));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(read(container, "2", key("a")).path("id").textValue()).isEqualTo("2");
        var collection = feed.substring(0, feed.lastIndexOf('/'));
        assertThat(wire().sendByResourceId(WireRequest.of("GET", collection))
                        .json()
                        .path("id")
                        .textValue())
                .isEqualTo(container.getId());
        var databasePath = collection.substring(0, collection.indexOf("/colls"));
        assertThat(wire().sendByResourceId(WireRequest.of("GET", databasePath))
                        .json()
                        .path("id")
                        .textValue())
                .isEqualTo(database.getId());
        var deleted = wire().sendByResourceId(
                        WireRequest.of("DELETE", path).header("x-ms-documentdb-partitionkey", "[\"a\"]"));
        assertThat(deleted.status()).isEqualTo(204);
    }
}
