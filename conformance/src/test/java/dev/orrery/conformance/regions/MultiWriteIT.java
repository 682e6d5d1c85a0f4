package dev.orrery.conformance.regions;

import static dev.orrery.conformance.regions.WritingRegions.ALL;
import static dev.orrery.conformance.regions.WritingRegions.EAST;
import static dev.orrery.conformance.regions.WritingRegions.NORTH;
import static dev.orrery.conformance.regions.WritingRegions.WEST;
import static dev.orrery.conformance.regions.WritingRegions.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.implementation.OperationKind;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosConflictProperties;
import com.azure.cosmos.models.CosmosConflictRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.javascript.NodeSuite;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
            for (var region : List.of(WEST, EAST)) {
                Await.value(
                        region + " has what both wrote",
                        () -> all(container.get(region)).keySet(),
                        Set.of("w", "e"));
            }
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

    private static final String INCREMENT = """
        function increment() {
            const all = getContext().getCollection();
            all.patchDocument(`${all.getAltLink()}/docs/count`, [{ op: "incr", path: "/n", value: 1 }]);
        }
        """;

    /** One by itself, one in a batch and one in a stored procedure. */
    private static void incrementThreeTimes(CosmosContainer container) {
        var patch = CosmosPatchOperations.create().increment("/n", 1);
        container.patchItem("count", KEY, patch, JsonNode.class);
        var batch = CosmosBatch.createCosmosBatch(KEY);
        batch.patchItemOperation("count", patch);
        assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode()).isTrue();
        container
                .getScripts()
                .getStoredProcedure("increment")
                .execute(List.of(), new CosmosStoredProcedureRequestOptions().setPartitionKey(KEY));
    }

    @Test
    void incrementsInThreeRegionsAddUpAndADeleteWins() {
        var container = regions.create(new CosmosContainerProperties("patches", "/pk"));
        container
                .get(WEST)
                .getScripts()
                .createStoredProcedure(new CosmosStoredProcedureProperties("increment", INCREMENT));
        ALL.forEach(region -> Await.until(region + " has the procedure", () -> hasProcedure(container.get(region))));
        container.get(EAST).createItem(item("count", 0));
        container.get(EAST).createItem(item("gone", 0));
        regions.awaitAgreement(container);
        regions.cut(NORTH);
        regions.cut(EAST);
        try {
            ALL.forEach(region -> incrementThreeTimes(container.get(region)));
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

    private static boolean hasProcedure(CosmosContainer container) {
        return container.getScripts().readAllStoredProcedures().stream()
                .findAny()
                .isPresent();
    }

    /** In the manner of the documented example: what it is given tells the kinds of conflicts apart. */
    private static final String MERGE = """
        function merge(incoming, existing, isTombstone, others) {
            const all = getContext().getCollection();
            if (isTombstone) {
                return;
            }
            if (incoming === null) {
                if (!existing.dear) all.deleteDocument(existing._self);
                return;
            }
            if (incoming.n === 13) {
                throw new Error("an unlucky number");
            }
            if (existing !== null) {
                existing.n += incoming.n;
                existing.merges = (existing.merges || 0) + 1;
                all.replaceDocument(existing._self, existing);
                return;
            }
            if (others.every(other => other.n < incoming.n)) {
                others.forEach(other => all.deleteDocument(other._self));
                all.createDocument(all.getSelfLink(), incoming);
            }
        }
        """;

    @Test
    void aMergeProcedureSettlesEachConflictOnceAndLeavesWhatItThrowsAtToTheFeed() {
        var properties = new CosmosContainerProperties("merged", "/pk");
        properties.setConflictResolutionPolicy(
                ConflictResolutionPolicy.createCustomPolicy(WritingRegions.DATABASE, "merged", "merge"));
        properties.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/name")))));
        var container = regions.create(properties);
        var west = container.get(WEST);
        var north = container.get(NORTH);
        west.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("merge", MERGE));
        for (var id : List.of("sum", "dear", "cheap", "gone", "unlucky")) {
            west.createItem(item(id, 1).put("dear", id.equals("dear")).put("name", id));
        }
        regions.awaitAgreement(container);
        long kept = regions.settled("kept");

        regions.cut(NORTH);
        try {
            west.replaceItem(item("dear", 2).put("dear", true).put("name", "dear"), "dear", KEY, options());
            west.replaceItem(item("cheap", 2).put("name", "cheap"), "cheap", KEY, options());
            west.replaceItem(item("unlucky", 2).put("name", "unlucky"), "unlucky", KEY, options());
            west.deleteItem("gone", KEY, options());
            north.deleteItem("dear", KEY, options());
            north.deleteItem("cheap", KEY, options());
            north.replaceItem(item("gone", 3).put("name", "gone"), "gone", KEY, options());
            north.replaceItem(item("unlucky", 13).put("name", "unlucky"), "unlucky", KEY, options());
            awaitSettled(container, "gone");
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
        regions.cut(NORTH);
        regions.cut(EAST);
        try {
            int n = 10;
            for (var region : ALL) {
                container.get(region).replaceItem(item("sum", n).put("name", "sum"), "sum", KEY, options());
                container.get(region).createItem(item("new", n).put("name", "new"));
                container.get(region).createItem(item("of " + region, n).put("name", "one and the same"));
                n *= 10;
            }
        } finally {
            regions.heal(NORTH);
            regions.heal(EAST);
        }
        regions.awaitAgreement(container);

        var all = all(container.get(EAST));
        var last = "of " + EAST;
        assertThat(all).containsOnlyKeys("sum", "new", last, "dear", "unlucky");
        assertThat(all.get("sum").path("n").asInt()).isEqualTo(1_110);
        assertThat(all.get("sum").path("merges").asInt()).isEqualTo(2);
        assertThat(all.get("new").path("n").asInt()).isEqualTo(1_000);
        assertThat(all.get(last).path("n").asInt()).isEqualTo(1_000);
        assertThat(all.get("unlucky").path("n").asInt()).isEqualTo(2);
        assertThat(regions.settled("kept") - kept).isEqualTo(1);
        Await.until(
                "the conflict is known",
                () -> !regions.conflicts(NORTH, "merged").isEmpty());
        assertThat(regions.conflicts(NORTH, "merged"))
                .singleElement()
                .satisfies(conflict -> assertThat(
                                conflict.getItem(JsonNode.class).path("n").asInt())
                        .isEqualTo(13));
    }

    @Test
    void aProcedureThatIsMissingLeavesConflictsToTheFeedWhichTheJavaSdkReadsAndDeletes() {
        var properties = new CosmosContainerProperties("feed", "/pk");
        properties.setConflictResolutionPolicy(
                ConflictResolutionPolicy.createCustomPolicy(WritingRegions.DATABASE, "feed", "missing"));
        var container = conflicting(properties);

        var told = regions.conflicts(WEST, "feed");
        assertThat(told)
                .extracting(CosmosConflictProperties::getOperationKind)
                .containsExactlyInAnyOrder(OperationKind.CREATE, OperationKind.REPLACE, OperationKind.DELETE);
        for (var conflict : told) {
            var id = conflict.getId();
            assertThat(id).startsWith("North-Europe-");
            var read = regions.asking(
                    EAST,
                    "feed",
                    feed -> feed.getConflict(id)
                            .read(new CosmosConflictRequestOptions(KEY))
                            .block()
                            .getProperties());
            assertThat(read.getETag()).isEqualTo(conflict.getETag());
            if (conflict.getOperationKind() != OperationKind.DELETE) {
                assertThat(read.getItem(JsonNode.class).path("n").asInt()).isEqualTo(1);
            }
            var found = regions.asking(
                    EAST,
                    "feed",
                    feed -> feed.queryConflicts("SELECT * FROM c WHERE c.id = '" + id + "'")
                            .toStream()
                            .toList());
            assertThat(found)
                    .singleElement()
                    .extracting(CosmosConflictProperties::getId)
                    .isEqualTo(id);
            regions.asking(
                    NORTH,
                    "feed",
                    feed -> feed.getConflict(id)
                            .delete(new CosmosConflictRequestOptions(KEY))
                            .block());
        }
        assertThat(read(container.get(NORTH), "both").path("n").asInt()).isEqualTo(2);
        ALL.forEach(region -> Await.until(
                region + " has heard that they are deleted",
                () -> regions.conflicts(region, "feed").isEmpty()));
    }

    @Test
    void theJavaScriptSdkListsQueriesReadsAndDeletesConflicts() throws IOException {
        assumeThat(NodeSuite.missing()).isEmpty();
        var properties = new CosmosContainerProperties("nodes", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createCustomPolicy());
        conflicting(properties);
        var printed = node("conflicts.js", WritingRegions.DATABASE, "nodes");
        assertThat(printed).hasSize(3).allSatisfy(conflict -> {
            assertThat(conflict.path("found")).singleElement().isEqualTo(conflict.path("id"));
            assertThat(conflict.path("operation").asText()).isIn("create", "replace");
            // A delete wins, and what it removes is told.
            int lost = conflict.path("loser").path("id").asText().equals("deleted") ? 2 : 1;
            assertThat(conflict.path("loser").path("n").asInt()).isEqualTo(lost);
        });
        ALL.forEach(region -> Await.until(
                region + " has heard that they are deleted",
                () -> regions.conflicts(region, "nodes").isEmpty()));
    }

    /** The SDK fails where it cannot make one token of two. */
    @Test
    void theJavaScriptSdkMergesTheSessionTokensOfTwoRegions() throws IOException {
        assumeThat(NodeSuite.missing()).isEmpty();
        var container = regions.create(new CosmosContainerProperties("tokens", "/pk"));
        container.get(WEST).createItem(item("other", 0));
        regions.awaitAgreement(container);
        assertThat(node("regions.js", WritingRegions.DATABASE, "tokens", EAST, NORTH))
                .hasSize(6)
                .allSatisfy(token -> assertThat(token.asText()).matches("0:\\d+#\\d+(#\\d+=\\d+){3}"))
                .extracting(token -> token.asText())
                .doesNotHaveDuplicates();
        regions.awaitAgreement(container);
    }

    @Test
    void aRegionTellsWhatIsNotSettledHowConflictsEndedAndHowLongItTakes() {
        var properties = new CosmosContainerProperties("figures", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
        var container = regions.create(properties);
        var hub = regions.account().status(NORTH).path("writeRegion").asText();
        var other =
                ALL.stream().filter(region -> !region.equals(hub)).findFirst().orElseThrow();
        long lost = conflictsLost();
        regions.cut(other);
        try {
            container.get(other).createItem(item("both", 1));
            container.get(hub).createItem(item("both", 2));
            assertThat(regions.account().status(other).path("unsettledWrites").asLong())
                    .isEqualTo(1);
            assertThat(regions.account().order(other, "status")).contains("1 of this one are not settled yet");
            Await.until(
                    "the hub has settled its own",
                    () -> regions.account().status(hub).path("unsettledWrites").asLong() == 0);
        } finally {
            regions.heal(other);
        }
        regions.awaitAgreement(container);
        assertThat(conflictsLost() - lost).isEqualTo(1);
        assertThat(regions.account()
                        .status(other)
                        .path("confirmed")
                        .path("timed")
                        .asLong())
                .isPositive();
        assertThat(metrics(other))
                .contains("orrery_region_unsettled_writes 0.0", "orrery_region_confirm_seconds_count");
        assertThat(ALL).anySatisfy(region -> {
            assertThat(regions.account().order(region, "region", "list")).contains("As the hub", "conflict", "create");
            assertThat(metrics(region))
                    .contains("orrery_region_settled_writes_total{conflict=\"create\",outcome=\"lost\"}");
        });
    }

    private long conflictsLost() {
        return ALL.stream()
                .mapToLong(region -> regions.account()
                        .status(region)
                        .at("/settled/conflicts/create/lost")
                        .asLong())
                .sum();
    }

    private String metrics(String region) {
        return new WireClient(regions.account().server(region))
                .get("/_orrery/metrics")
                .body();
    }

    /** What the hub had from West US is settled, while North Europe is cut off, once the third region has the last of it. */
    private void awaitSettled(Map<String, CosmosContainer> container, String last) {
        Await.until(
                "what was written to West US is settled",
                () -> Objects.equals(
                        all(container.get(EAST)).get(last),
                        all(container.get(WEST)).get(last)));
    }

    /** What a program with the JavaScript SDK prints that knows of Southeast Asia. */
    private JsonNode node(String file, String... arguments) throws IOException {
        NodeSuite.install();
        var environment = Map.of(
                "ORRERY_ENDPOINT",
                regions.account().endpoint(EAST).toString(),
                "ORRERY_KEY",
                OrreryServer.WELL_KNOWN_KEY);
        return JSON.readTree(NodeSuite.output(file, environment, arguments));
    }

    /** Each settled version once, in the order in which they were settled, and besides what was written in the region itself. */
    @Test
    void readersOfAllVersionsAreToldOfEachInEveryRegionAndWhenItCame() {
        var properties = new CosmosContainerProperties("versions", "/pk");
        properties.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
        var container = regions.create(properties);
        container.get(WEST).createItem(item("other", 0));
        regions.awaitAgreement(container);
        var places = new LinkedHashMap<String, String>();
        ALL.forEach(region -> places.put(region, AllVersions.now(container.get(region))));

        var west = container.get(WEST);
        var north = container.get(NORTH);
        west.createItem(item("v", 1));
        west.replaceItem(item("v", 2), "v", KEY, options());
        west.replaceItem(item("v", 3), "v", KEY, options());
        west.createItem(item("brief", 1));
        west.deleteItem("brief", KEY, options());
        regions.awaitAgreement(container);
        regions.cut(NORTH);
        try {
            north.replaceItem(item("v", 10), "v", KEY, options());
            west.replaceItem(item("v", 4), "v", KEY, options());
            west.replaceItem(item("v", 5), "v", KEY, options());
            awaitSettled(container, "v");
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
        regions.cut(NORTH);
        try {
            north.replaceItem(item("v", 16), "v", KEY, options());
            west.replaceItem(item("v", 20), "v", KEY, options());
            awaitSettled(container, "v");
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);

        for (var region : ALL) {
            var told = AllVersions.since(container.get(region), places.get(region));
            assertThat(told)
                    .as(region)
                    .filteredOn(change -> change.at("/current/id").asText().equals("v"))
                    .extracting(change -> change.at("/current/n").asInt())
                    .isEqualTo(
                            region.equals(NORTH)
                                    ? List.of(1, 2, 3, 10, 4, 5, 10, 16, 20)
                                    : List.of(1, 2, 3, 4, 5, 10, 20));
            assertThat(told)
                    .as(region)
                    .extracting(change -> change.at("/metadata/operationType").asText())
                    .startsWith("create", "replace", "replace", "create", "delete")
                    .hasSize(region.equals(NORTH) ? 11 : 9);
            assertThat(told)
                    .as(region)
                    .allSatisfy(change -> assertThat(change.at("/metadata/crts").asLong())
                            .isPositive()
                            .isGreaterThanOrEqualTo(change.at("/current/_ts").asLong()));
        }
    }

    /** East lacks what North has alone, says so, and the SDK asks North. */
    @Test
    void aSessionThatGoesToAnotherRegionReadsWhatItWroteAlsoThroughACut() {
        var container = regions.create(new CosmosContainerProperties("session", "/pk"));
        container.get(EAST).createItem(item("seen", 0));
        regions.awaitAgreement(container);
        var elsewhere = regions.account()
                .client(regions.account()
                        .builder(EAST)
                        .preferredRegions(List.of(EAST, NORTH))
                        .consistencyLevel(ConsistencyLevel.SESSION))
                .getDatabase(WritingRegions.DATABASE)
                .getContainer("session");
        regions.cut(NORTH);
        try {
            var token = container.get(NORTH).upsertItem(item("seen", 1)).getSessionToken();
            var options = new CosmosItemRequestOptions().setSessionToken(token);
            assertThat(read(container.get(EAST), "seen").path("n").asInt()).isZero();
            assertThat(elsewhere
                            .readItem("seen", KEY, options, JsonNode.class)
                            .getItem()
                            .path("n")
                            .asInt())
                    .isEqualTo(1);
            // From now on the session of this client has seen it, too.
            assertThat(read(elsewhere, "seen").path("n").asInt()).isEqualTo(1);
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
    }

    /** Creates, replaces and deletes items in two regions at once, and settles those of the hub first. */
    private Map<String, CosmosContainer> conflicting(CosmosContainerProperties properties) {
        var container = regions.create(properties);
        var west = container.get(WEST);
        var north = container.get(NORTH);
        west.createItem(item("changed", 0));
        west.createItem(item("deleted", 0));
        regions.awaitAgreement(container);
        regions.cut(NORTH);
        try {
            north.createItem(item("both", 1));
            north.replaceItem(item("changed", 1), "changed", KEY, options());
            north.deleteItem("deleted", KEY, options());
            west.createItem(item("both", 2));
            west.replaceItem(item("changed", 2), "changed", KEY, options());
            west.replaceItem(item("deleted", 2), "deleted", KEY, options());
            awaitSettled(container, "deleted");
        } finally {
            regions.heal(NORTH);
        }
        regions.awaitAgreement(container);
        Await.until(
                "the conflicts are known everywhere",
                () -> ALL.stream()
                                .map(region -> regions.conflicts(region, properties.getId())
                                        .size())
                                .distinct()
                                .count()
                        == 1);
        return container;
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
        assertThat(regions.conflicts(NORTH, "unique")).singleElement().satisfies(conflict -> {
            assertThat(conflict.getOperationKind()).isEqualTo(OperationKind.CREATE);
            assertThat(conflict.getItem(JsonNode.class).path("id").asText()).isEqualTo("north");
        });

        container.get(WEST).deleteItem("west", KEY, options());
        regions.awaitAgreement(container);
        container.get(NORTH).createItem(item("north", 1));
        regions.awaitAgreement(container);
        assertThat(all(container.get(EAST))).containsOnlyKeys("north");
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
