package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Several regions write to one account: each answers after its own commit, and all come to the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MultiWriteIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";
    private static final String EAST = "Southeast Asia";
    private static final List<String> ALL = List.of(WEST, NORTH, EAST);
    private static final PartitionKey KEY = new PartitionKey("p1");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private RegionalAccount account;

    @BeforeAll
    void start() {
        account = new RegionalAccount(folder, ALL, "--multi-write");
        ALL.forEach(region -> Await.until(
                region + " takes part", () -> account.status(region).path("takesItems").asBoolean()));
        account.clientIn(NORTH).createDatabase("d");
    }

    @AfterAll
    void stop() {
        account.close();
    }

    @Test
    void aRegionThatIsCutOffGoesOnWritingAndAllComeToTheSame() {
        var container = create(new CosmosContainerProperties("cut", "/pk"));
        cut(NORTH);
        try {
            var created = container.get(NORTH).createItem(item("n", 1));
            assertThat(created.getStatusCode()).isEqualTo(201);
            assertThat(read(container.get(NORTH), "n").path("n").asInt()).isEqualTo(1);
            container.get(WEST).createItem(item("w", 2));
            container.get(EAST).createItem(item("e", 3));
            Await.value("East and West agree", () -> all(container.get(EAST)), all(container.get(WEST)));
        } finally {
            heal(NORTH);
        }
        awaitAgreement(container);
        assertThat(all(container.get(WEST))).containsOnlyKeys("n", "w", "e");
    }

    /** Peer-to-peer merging would end differently in two regions here. */
    @Test
    void theGreaterNumberAtThePathWinsAndEtagsAndRidsAreTheSameEverywhere() {
        var properties = new CosmosContainerProperties("lww", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
        var container = create(properties);
        container.get(WEST).createItem(item("v", 1));
        awaitAgreement(container);

        cut(NORTH);
        try {
            container.get(NORTH).replaceItem(item("v", 7), "v", KEY, options());
            container.get(WEST).replaceItem(item("v", 10), "v", KEY, options());
            container.get(WEST).replaceItem(item("v", 5), "v", KEY, options());
            ALL.forEach(region -> container.get(region).createItem(item("same", ALL.indexOf(region))));
        } finally {
            heal(NORTH);
        }
        awaitAgreement(container);
        assertThat(read(container.get(EAST), "v").path("n").asInt()).isEqualTo(7);
        assertThat(read(container.get(EAST), "same").path("n").asInt()).isEqualTo(2);
    }

    @Test
    void incrementsInThreeRegionsAddUpAndADeleteWins() {
        var container = create(new CosmosContainerProperties("patches", "/pk"));
        container.get(EAST).createItem(item("count", 0));
        container.get(EAST).createItem(item("gone", 0));
        awaitAgreement(container);
        cut(NORTH);
        cut(EAST);
        try {
            for (var region : ALL) {
                for (int time = 0; time < 3; time++) {
                    container
                            .get(region)
                            .patchItem("count", KEY, CosmosPatchOperations.create().increment("/n", 1), JsonNode.class);
                }
            }
            container.get(NORTH).deleteItem("gone", KEY, options());
            container.get(WEST).replaceItem(item("gone", 9), "gone", KEY, options());
        } finally {
            heal(NORTH);
            heal(EAST);
        }
        awaitAgreement(container);
        assertThat(all(container.get(WEST))).containsOnlyKeys("count");
        assertThat(read(container.get(NORTH), "count").path("n").asInt()).isEqualTo(9);
    }

    @Test
    void whatNoRuleSettlesIsKeptInTheConflictsFeed() {
        var properties = new CosmosContainerProperties("feed", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createCustomPolicy());
        var container = create(properties);
        cut(NORTH);
        try {
            container.get(NORTH).createItem(item("both", 1));
            container.get(WEST).createItem(item("both", 2));
        } finally {
            heal(NORTH);
        }
        awaitAgreement(container);
        assertThat(read(container.get(NORTH), "both").path("n").asInt()).isEqualTo(2);
        Await.until("the conflict is known", () -> !account.conflictsIn(EAST, "d", "feed").isEmpty());
        assertThat(account.conflictsIn(WEST, "d", "feed"))
                .singleElement()
                .satisfies(id -> assertThat(id).startsWith("North-Europe-"));
    }

    @Test
    void aUniqueKeyThatTwoRegionsTookStaysWithTheFirstThatWasSettled() {
        var properties = new CosmosContainerProperties("unique", "/pk");
        properties.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/n")))));
        var container = create(properties);
        cut(NORTH);
        try {
            container.get(NORTH).createItem(item("north", 1));
            container.get(WEST).createItem(item("west", 1));
            Await.until("the hub has settled its own", () -> all(container.get(EAST)).containsKey("west"));
        } finally {
            heal(NORTH);
        }
        awaitAgreement(container);
        assertThat(all(container.get(NORTH))).containsOnlyKeys("west");
        Await.until("the conflict is known", () -> !account.conflictsIn(NORTH, "d", "unique").isEmpty());
    }

    /** A container as each region has it. */
    private Map<String, CosmosContainer> create(CosmosContainerProperties properties) {
        account.clientIn(NORTH).getDatabase("d").createContainer(properties);
        var all = new LinkedHashMap<String, CosmosContainer>();
        for (var region : ALL) {
            var container = account.clientIn(region).getDatabase("d").getContainer(properties.getId());
            Await.until(region + " has the container", () -> isThere(container));
            all.put(region, container);
        }
        return all;
    }

    private static boolean isThere(CosmosContainer container) {
        try {
            container.readItem("none", KEY, JsonNode.class);
            return false;
        } catch (com.azure.cosmos.CosmosException answer) {
            return answer.getSubStatusCode() == 0;
        }
    }

    private void awaitAgreement(Map<String, CosmosContainer> container) {
        for (var region : ALL) {
            Await.until(
                    region + " has nothing left to be settled",
                    () -> account.status(region).path("unsettledWrites").asLong(-1) == 0);
        }
        Await.until("all agree", () -> {
            var west = all(container.get(WEST));
            return west.equals(all(container.get(NORTH))) && west.equals(all(container.get(EAST)));
        });
    }

    private static JsonNode read(CosmosContainer container, String id) {
        return container.readItem(id, KEY, JsonNode.class).getItem();
    }

    /** All items with all their properties. */
    private static Map<String, JsonNode> all(CosmosContainer container) {
        var all = new TreeMap<String, JsonNode>();
        container
                .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                .forEach(item -> all.put(item.path("id").asText(), item));
        return all;
    }

    private void cut(String region) {
        between(region, "cut");
    }

    private void heal(String region) {
        between(region, "heal");
    }

    private void between(String region, String kind) {
        for (var other : ALL) {
            if (!other.equals(region)) {
                account.fault(region, other, kind, 0);
                account.fault(other, region, kind, 0);
            }
        }
    }

    private static CosmosItemRequestOptions options() {
        return new CosmosItemRequestOptions();
    }

    private static ObjectNode item(String id, int n) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1").put("n", n);
    }
}
