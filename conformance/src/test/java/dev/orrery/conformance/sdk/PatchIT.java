package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Patch: the six operations, their conditions, and that all of them happen or none. */
class PatchIT extends SdkSuite {
    private CosmosContainer container;

    @BeforeEach
    void createItem() {
        container = container("/pk");
        container.createItem(json("{'id':'1','pk':'a','n':1,'text':'old','list':[1,2,3],'object':{'inner':1}}"));
    }

    @Test
    void addCreatesPropertiesAndInsertsIntoArrays() {
        var item = patch(operations()
                .add("/fresh", "new")
                .add("/object/second", 2)
                .add("/list/1", 9)
                .add("/list/-", 4));
        assertThat(item.path("fresh").textValue()).isEqualTo("new");
        assertThat(item.path("object").path("second").intValue()).isEqualTo(2);
        assertThat(item.path("list")).hasToString("[1,9,2,3,4]");
    }

    @Test
    void addOverwritesAPropertyThatIsThere() {
        assertThat(patch(operations().add("/text", "new")).path("text").textValue())
                .isEqualTo("new");
    }

    @Test
    void setCreatesOrOverwrites() {
        var item = patch(operations()
                .set("/text", Map.of("now", "an object"))
                .set("/fresh", List.of(1))
                .set("/list/0", 7));
        assertThat(item.path("text").path("now").textValue()).isEqualTo("an object");
        assertThat(item.path("fresh")).hasToString("[1]");
        assertThat(item.path("list")).hasToString("[7,2,3]");
    }

    @Test
    void replaceOverwritesOnlyWhatIsThere() {
        assertThat(patch(operations().replace("/text", "new")).path("text").textValue())
                .isEqualTo("new");
        assertRefused(400, () -> patch(operations().replace("/missing", 1)));
        assertRefused(400, () -> patch(operations().replace("/list/3", 1)));
    }

    @Test
    void removeTakesAwayPropertiesAndElements() {
        var item = patch(operations().remove("/text").remove("/list/0").remove("/object/inner"));
        assertThat(item.has("text")).isFalse();
        assertThat(item.path("list")).hasToString("[2,3]");
        assertThat(item.path("object")).isEmpty();
        assertRefused(400, () -> patch(operations().remove("/text")));
    }

    @Test
    void incrementAddsToNumbersAndCreatesThem() {
        var item =
                patch(operations().increment("/n", 41).increment("/fresh", 0.5).increment("/object/inner", -3));
        assertThat(item.path("n").intValue()).isEqualTo(42);
        assertThat(item.path("fresh").doubleValue()).isEqualTo(0.5);
        assertThat(item.path("object").path("inner").intValue()).isEqualTo(-2);
        assertRefused(400, () -> patch(operations().increment("/text", 1)));
    }

    @Test
    void moveTakesAValueToAnotherPlace() {
        var item = patch(operations().move("/text", "/object/moved"));
        assertThat(item.has("text")).isFalse();
        assertThat(item.path("object").path("moved").textValue()).isEqualTo("old");
        assertRefused(400, () -> patch(operations().move("/missing", "/elsewhere")));
    }

    @Test
    void operationsApplyInOrder() {
        var item = patch(operations().set("/a", 1).increment("/a", 1).move("/a", "/b"));
        assertThat(item.has("a")).isFalse();
        assertThat(item.path("b").intValue()).isEqualTo(2);
    }

    @Test
    void oneOperationThatFailsUndoesAll() {
        var before = read(container, "1", key("a"));
        assertRefused(400, () -> patch(operations().set("/text", "new").remove("/missing")));
        assertThat(read(container, "1", key("a"))).isEqualTo(before);
    }

    @Test
    void idPartitionKeyAndSystemPropertiesAreOutOfReach() {
        for (var path : List.of("/id", "/pk", "/_ts", "/_etag", "/_rid", "/_self")) {
            assertRefused(400, () -> patch(operations().set(path, "x")));
        }
        assertRefused(400, () -> patch(operations().remove("/id")));
        assertRefused(400, () -> patch(operations().move("/pk", "/elsewhere")));
    }

    @Test
    void tenOperationsAreTheMost() {
        var ten = operations();
        for (var i = 0; i < 10; i++) {
            ten.set("/p" + i, i);
        }
        assertThat(patch(ten).path("p9").intValue()).isEqualTo(9);
        assertRefused(400, () -> patch(ten.set("/p10", 10)));
    }

    @Test
    void aConditionDecidesWhetherThePatchHappens() {
        var whenOne = new CosmosPatchItemRequestOptions().setFilterPredicate("FROM c WHERE c.n = 1");
        var patched = container.patchItem("1", key("a"), operations().set("/n", 2), whenOne, ObjectNode.class);
        assertThat(patched.getStatusCode()).isEqualTo(200);
        assertRefused(
                412, () -> container.patchItem("1", key("a"), operations().set("/n", 3), whenOne, ObjectNode.class));
        assertThat(read(container, "1", key("a")).path("n").intValue()).isEqualTo(2);
    }

    @Test
    void anEtagDecidesToo() {
        var old = read(container, "1", key("a")).path("_etag").textValue();
        var options = new CosmosPatchItemRequestOptions();
        options.setIfMatchETag(old);
        container.patchItem("1", key("a"), operations().set("/n", 2), options, ObjectNode.class);
        assertRefused(
                412, () -> container.patchItem("1", key("a"), operations().set("/n", 3), options, ObjectNode.class));
    }

    @Test
    void aPatchOfAMissingItemIsNotFound() {
        assertRefused(
                404, () -> container.patchItem("none", key("a"), operations().set("/n", 1), ObjectNode.class));
    }

    @Test
    void aPatchMayReturnNoContent() {
        var options = new CosmosPatchItemRequestOptions();
        options.setContentResponseOnWriteEnabled(false);
        var patched = container.patchItem("1", key("a"), operations().set("/n", 5), options, ObjectNode.class);
        assertThat(patched.getStatusCode()).isEqualTo(200);
        assertThat(patched.getItem()).isNull();
        assertThat(patched.getETag())
                .isEqualTo(read(container, "1", key("a")).path("_etag").textValue());
    }

    @Test
    void aBareArrayOfOperationsIsABodyToo() {
        var path = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs/1";
        var patched = wire().send(
                        WireRequest.of("PATCH", path)
                                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                                .body(
                                        "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":4},{\"op\":\"add\",\"path\":\"/x\",\"value\":null}]"));
        assertThat(patched.status()).as(patched.body()).isEqualTo(200);
        assertThat(patched.json().path("n").intValue()).isEqualTo(5);
        assertThat(patched.json().path("x").isNull()).isTrue();
    }

    private static CosmosPatchOperations operations() {
        return CosmosPatchOperations.create();
    }

    private ObjectNode patch(CosmosPatchOperations operations) {
        var patched = container.patchItem("1", key("a"), operations, ObjectNode.class);
        assertThat(patched.getStatusCode()).isEqualTo(200);
        var read = read(container, "1", key("a"));
        assertThat(patched.getItem()).isEqualTo(read);
        return read;
    }
}
