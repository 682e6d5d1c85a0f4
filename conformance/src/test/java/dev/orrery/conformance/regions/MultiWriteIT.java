package dev.orrery.conformance.regions;

import static dev.orrery.conformance.regions.WritingRegions.ALL;
import static dev.orrery.conformance.regions.WritingRegions.EAST;
import static dev.orrery.conformance.regions.WritingRegions.NORTH;
import static dev.orrery.conformance.regions.WritingRegions.WEST;
import static dev.orrery.conformance.regions.WritingRegions.all;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Several regions write to one account: each answers after its own commit, and all come to the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MultiWriteIT {
    private static final PartitionKey KEY = new PartitionKey("p1");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private WritingRegions regions;

    @BeforeAll
    void start() {
        regions = new WritingRegions(folder);
    }

    @AfterAll
    void stop() {
        regions.close();
    }

    @Test
    void aRegionThatIsCutOffGoesOnWritingAndAllComeToTheSame() {
        var container = regions.create(new CosmosContainerProperties("cut", "/pk"));
        regions.cut(NORTH);
        try {
            var created = container.get(NORTH).createItem(item("n", 1));
            assertThat(created.getStatusCode()).isEqualTo(201);
            assertThat(read(container.get(NORTH), "n").path("n").asInt()).isEqualTo(1);
            container.get(WEST).createItem(item("w", 2));
            container.get(EAST).createItem(item("e", 3));
            Await.value("East and West agree", () -> all(container.get(EAST)), all(container.get(WEST)));
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
        assertThat(all(container.get(WEST))).containsOnlyKeys("n", "w", "e");
    }

    /** Peer-to-peer merging would end differently in two regions here. */
    @Test
    void theGreaterNumberAtThePathWinsAndEtagsAndRidsAreTheSameEverywhere() {
        var properties = new CosmosContainerProperties("lww", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
        var container = regions.create(properties);
        container.get(WEST).createItem(item("v", 1));
        regions.awaitAgreement(container);

        regions.cut(NORTH);
        regions.cut(EAST);
        try {
            container.get(NORTH).replaceItem(item("v", 7), "v", KEY, options());
            container.get(WEST).replaceItem(item("v", 10), "v", KEY, options());
            container.get(WEST).replaceItem(item("v", 5), "v", KEY, options());
            ALL.forEach(region -> container.get(region).createItem(item("same", ALL.indexOf(region))));
        } finally {
            regions.heal(NORTH);
            regions.heal(EAST);
        }
        regions.awaitAgreement(container);
        assertThat(read(container.get(EAST), "v").path("n").asInt()).isEqualTo(7);
        assertThat(read(container.get(EAST), "same").path("n").asInt()).isEqualTo(2);
    }

    @Test
    void incrementsInThreeRegionsAddUpAndADeleteWins() {
        var container = regions.create(new CosmosContainerProperties("patches", "/pk"));
        container.get(EAST).createItem(item("count", 0));
        container.get(EAST).createItem(item("gone", 0));
        regions.awaitAgreement(container);
        regions.cut(NORTH);
        regions.cut(EAST);
        try {
            for (var region : ALL) {
                for (int time = 0; time < 3; time++) {
                    container
                            .get(region)
                            .patchItem(
                                    "count", KEY, CosmosPatchOperations.create().increment("/n", 1), JsonNode.class);
                }
            }
            container.get(NORTH).deleteItem("gone", KEY, options());
            container.get(WEST).replaceItem(item("gone", 9), "gone", KEY, options());
        } finally {
            regions.heal(NORTH);
            regions.heal(EAST);
        }
        regions.awaitAgreement(container);
        assertThat(all(container.get(WEST))).containsOnlyKeys("count");
        assertThat(read(container.get(NORTH), "count").path("n").asInt()).isEqualTo(9);
    }

    @Test
    void whatNoRuleSettlesIsKeptInTheConflictsFeed() {
        var properties = new CosmosContainerProperties("feed", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createCustomPolicy());
        var container = regions.create(properties);
        regions.cut(NORTH);
        try {
            container.get(NORTH).createItem(item("both", 1));
            container.get(WEST).createItem(item("both", 2));
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
        assertThat(read(container.get(NORTH), "both").path("n").asInt()).isEqualTo(2);
        Await.until(
                "the conflict is known", () -> !regions.conflicts(EAST, "feed").isEmpty());
        assertThat(regions.conflicts(WEST, "feed")).singleElement().satisfies(conflict -> {
            assertThat(conflict.getId()).startsWith("North-Europe-");
            assertThat(conflict.getItem(JsonNode.class).path("n").asInt()).isEqualTo(1);
        });
    }

    @Test
    void aUniqueKeyThatTwoRegionsTookStaysWithTheFirstThatWasSettled() {
        var properties = new CosmosContainerProperties("unique", "/pk");
        properties.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/n")))));
        var container = regions.create(properties);
        regions.cut(NORTH);
        try {
            container.get(NORTH).createItem(item("north", 1));
            container.get(WEST).createItem(item("west", 1));
            Await.until(
                    "the hub has settled its own",
                    () -> all(container.get(EAST)).containsKey("west"));
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
        assertThat(all(container.get(NORTH))).containsOnlyKeys("west");
        Await.until(
                "the conflict is known",
                () -> !regions.conflicts(NORTH, "unique").isEmpty());
    }

    private static JsonNode read(CosmosContainer container, String id) {
        return container.readItem(id, KEY, JsonNode.class).getItem();
    }

    private static CosmosItemRequestOptions options() {
        return new CosmosItemRequestOptions();
    }

    private static ObjectNode item(String id, int n) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1").put("n", n);
    }
}
