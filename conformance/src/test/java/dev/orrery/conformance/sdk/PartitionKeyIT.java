package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Partition key values of every kind, one path or a hierarchy of up to three. */
class PartitionKeyIT extends SdkSuite {
    private static final CosmosItemRequestOptions NO_OPTIONS = new CosmosItemRequestOptions();

    @Test
    void valuesOfEveryTypeAreKeys() {
        var container = container("/pk");
        assertRoundTrip(container, "{'id':'1','pk':'text'}", key("text"));
        assertRoundTrip(container, "{'id':'1','pk':''}", key(""));
        assertRoundTrip(container, "{'id':'1','pk':'größe 你好 😀'}", key("größe 你好 😀"));
        assertRoundTrip(container, "{'id':'1','pk':1}", key(1));
        assertRoundTrip(container, "{'id':'1','pk':-1.5}", key(-1.5));
        assertRoundTrip(container, "{'id':'1','pk':0}", key(0));
        assertRoundTrip(container, "{'id':'1','pk':1e300}", key(1e300));
        assertRoundTrip(container, "{'id':'1','pk':true}", key(true));
        assertRoundTrip(container, "{'id':'1','pk':false}", key(false));
        assertRoundTrip(container, "{'id':'1','pk':null}", key(null));
        assertRoundTrip(container, "{'id':'1'}", PartitionKey.NONE);
    }

    @Test
    void valuesOfDifferentTypesAreDifferentKeys() {
        var container = container("/pk");
        container.createItem(json("{'id':'1','pk':'1'}"));
        container.createItem(json("{'id':'1','pk':1}"));
        container.createItem(json("{'id':'1','pk':true}"));
        container.createItem(json("{'id':'1','pk':'true'}"));
        container.createItem(json("{'id':'1','pk':null}"));
        container.createItem(json("{'id':'1','pk':'null'}"));
        container.createItem(json("{'id':'1'}"), PartitionKey.NONE, NO_OPTIONS);
        assertRefused(409, () -> container.createItem(json("{'id':'1','pk':1.0}")));
        assertThat(read(container, "1", key("1")).path("pk").isTextual()).isTrue();
        assertThat(read(container, "1", key(1.0)).path("pk").isNumber()).isTrue();
    }

    @Test
    void aMissingValueIsTheKeyNone() {
        var container = container("/a/b");
        container.createItem(json("{'id':'1','a':{}}"), PartitionKey.NONE, NO_OPTIONS);
        container.createItem(json("{'id':'2','a':7}"), PartitionKey.NONE, NO_OPTIONS);
        assertThat(read(container, "1", PartitionKey.NONE).path("id").textValue())
                .isEqualTo("1");
        assertThat(read(container, "2", PartitionKey.NONE).path("a").intValue()).isEqualTo(7);
        assertRefused(404, () -> read(container, "1", key(null)));
    }

    @Test
    void aKeyPathMayGoDeepAndHaveQuotes() {
        var deep = container("/a/b/c");
        assertRoundTrip(deep, "{'id':'1','a':{'b':{'c':'x'}}}", key("x"));
        var path = "/\"a b\"/c";
        var quoted = container(new CosmosContainerProperties(freshName(), path));
        assertRoundTrip(quoted, "{'id':'1','a b':{'c':'x'}}", key("x"));
        assertThat(quoted.read().getProperties().getPartitionKeyDefinition().getPaths())
                .containsExactly(path);
    }

    @Test
    void theIdMayBeThePartitionKey() {
        var container = container("/id");
        assertRoundTrip(container, "{'id':'one'}", key("one"));
        assertRefused(409, () -> container.createItem(json("{'id':'one'}")));
    }

    @Test
    void firstVersionKeysWorkToo() {
        var definition =
                new PartitionKeyDefinition().setPaths(List.of("/pk")).setVersion(PartitionKeyDefinitionVersion.V1);
        var container = container(new CosmosContainerProperties(freshName(), definition));
        var shared = "x".repeat(100);
        for (var value : List.of("a", "größe", shared + "1", shared + "2")) {
            container.createItem(json("{'id':'1'}").put("pk", value));
            assertThat(read(container, "1", key(value)).path("pk").textValue()).isEqualTo(value);
        }
    }

    @Test
    void aKeyMayBeTwoKilobytesLongAndNoLonger() {
        var container = container("/pk");
        var longest = "x".repeat(2_000);
        container.createItem(json("{'id':'1'}").put("pk", longest));
        assertThat(read(container, "1", key(longest)).path("pk").textValue()).isEqualTo(longest);
        assertRefused(400, () -> container.createItem(json("{'id':'1'}").put("pk", "x".repeat(2_100))));
    }

    @Test
    void theKeyInTheHeaderMustBeTheKeyOfTheItem() {
        var container = container("/pk");
        assertRefused(400, 1001, () -> container.createItem(json("{'id':'1','pk':'a'}"), key("b"), NO_OPTIONS));
        assertRefused(400, 1001, () -> container.createItem(json("{'id':'1','pk':'a'}"), key(null), NO_OPTIONS));
        assertRefused(400, 1001, () -> container.upsertItem(json("{'id':'1'}"), key("b"), NO_OPTIONS));
        assertRefused(404, () -> read(container, "1", key("a")));
    }

    @Test
    void hierarchiesOfOneTwoAndThreeLevelsWork() {
        assertRoundTrip(hierarchicalContainer("/t"), "{'id':'1','t':'x'}", levels("x"));
        assertRoundTrip(hierarchicalContainer("/t", "/u"), "{'id':'1','t':'x','u':'y'}", levels("x", "y"));
        assertRoundTrip(
                hierarchicalContainer("/t", "/u", "/s"), "{'id':'1','t':'x','u':'y','s':'z'}", levels("x", "y", "z"));
    }

    @Test
    void levelsOfAHierarchyMayBeOfAnyTypeNullOrMissing() {
        var container = hierarchicalContainer("/t", "/u", "/s");
        assertRoundTrip(
                container,
                "{'id':'1','t':'x','u':1.5,'s':true}",
                new PartitionKeyBuilder().add("x").add(1.5).add(true).build());
        assertRoundTrip(
                container,
                "{'id':'2','t':'x','u':null,'s':'z'}",
                PartitionKey.fromObjectArray(new Object[] {"x", null, "z"}, true));
        // What is no value of a key counts as missing here, which the SDK has no other word for.
        assertRoundTrip(
                container,
                "{'id':'3','t':'x','u':'y'}",
                PartitionKey.fromObjectArray(new Object[] {"x", "y", Map.of()}, false));
    }

    @Test
    void itemsOfOneIdLiveApartUnderDifferentLevels() {
        var container = hierarchicalContainer("/t", "/u");
        container.createItem(json("{'id':'1','t':'x','u':'a','n':1}"));
        container.createItem(json("{'id':'1','t':'x','u':'b','n':2}"));
        assertThat(read(container, "1", levels("x", "a")).path("n").intValue()).isEqualTo(1);
        assertThat(read(container, "1", levels("x", "b")).path("n").intValue()).isEqualTo(2);
    }

    @Test
    void aPrefixReadsEverythingUnderIt() {
        var container = hierarchicalContainer("/t", "/u", "/s");
        for (var user : List.of("a", "b")) {
            for (var session = 0; session < 3; session++) {
                container.createItem(
                        json("{'id':'%s%d','t':'x','u':'%s','s':'%d'}".formatted(user, session, user, session)));
            }
        }
        container.createItem(json("{'id':'other','t':'y','u':'a','s':'0'}"));
        assertThat(container.readAllItems(levels("x"), ObjectNode.class)).hasSize(6);
        assertThat(container.readAllItems(levels("x", "b"), ObjectNode.class))
                .extracting(item -> item.path("id").textValue())
                .containsExactlyInAnyOrder("b0", "b1", "b2");
        assertThat(container.readAllItems(levels("z"), ObjectNode.class)).isEmpty();
    }

    @Test
    void aPrefixIsNoKeyForOneItem() {
        var container = hierarchicalContainer("/t", "/u");
        container.createItem(json("{'id':'1','t':'x','u':'a'}"));
        var docs = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs";
        for (var header : List.of("[\"x\"]", "[\"x\",\"a\",\"b\"]", "[]")) {
            var reply = wire().send(WireRequest.of("GET", docs + "/1").header("x-ms-documentdb-partitionkey", header));
            assertThat(reply.status()).as(header).isEqualTo(400);
        }
    }

    private static PartitionKey levels(String... values) {
        var builder = new PartitionKeyBuilder();
        for (var value : values) {
            builder.add(value);
        }
        return builder.build();
    }

    private static void assertRoundTrip(CosmosContainer container, String text, PartitionKey key) {
        var item = json(text);
        var id = item.path("id").textValue();
        container.createItem(item, key, NO_OPTIONS);
        assertThat(Json.withoutSystemProperties(read(container, id, key))).isEqualTo(item);
        container.upsertItem(item.deepCopy().put("n", 1), key, NO_OPTIONS);
        assertThat(read(container, id, key).path("n").intValue()).isEqualTo(1);
        container.deleteItem(id, key, NO_OPTIONS);
        assertRefused(404, () -> read(container, id, key));
        container.createItem(item, key, NO_OPTIONS);
    }
}
