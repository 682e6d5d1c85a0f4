package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three regions write the same few items while links are slow and are cut and regions are killed, the hub among them. In the end all
 * have the same, and every write that was acknowledged is accounted for.
 *
 * <p>{@code -Dregions.writes=5000} makes it long.
 */
class ConvergenceIT {
    private static final int WRITES = Integer.getInteger("regions.writes", 180);
    private static final PartitionKey KEY = new PartitionKey("p1");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RULED = "ruled";
    private static final String WON = "won";
    private static final String KEPT = "kept";
    private static final String UNIQUE = "unique";
    private static final String MERGED = "merged";
    private static final String MARKS = "marks";

    /** Both pasts become one. */
    private static final String MERGE = """
        function merge(incoming, existing, isTombstone, others) {
            const all = getContext().getCollection();
            const current = existing || others[0];
            incoming.past.filter(n => !current.past.includes(n)).forEach(n => current.past.push(n));
            all.replaceDocument(current._self, current);
        }
        """;

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, Map<String, CosmosContainer>> containers = new LinkedHashMap<>();
    private final Map<String, Set<Integer>> acknowledged = new HashMap<>();
    private final Map<Integer, JsonNode> versions = new HashMap<>();
    private final Set<Integer> marked = new HashSet<>();
    private int writes;

    @TempDir
    private Path folder;

    @Test
    void allRegionsComeToTheSameAndNothingVanishes() {
        System.out.println("-Dtest.seed=" + seed);
        try (var regions = new WritingRegions(folder)) {
            create(regions);
            var order = new ArrayList<>(WritingRegions.ALL);
            Collections.shuffle(order, random);
            regions.account().fault(order.get(0), order.get(1), "delay", 5 + random.nextInt(40));
            regions.account().fault(order.get(2), order.get(0), "delay", 5 + random.nextInt(40));
            write(order);

            regions.cut(order.get(0));
            write(order);
            regions.heal(order.get(0));

            regions.account().server(order.get(1)).kill();
            write(List.of(order.get(0), order.get(2)));
            regions.account().server(order.get(1)).restart();
            regions.awaitTakingPart(order.get(1));
            regions.cut(order.get(2));
            write(order);

            var hub = hub(regions);
            var others = WritingRegions.ALL.stream()
                    .filter(region -> !region.equals(hub))
                    .toList();
            regions.account().server(hub).kill();
            regions.heal(order.get(2));
            write(others);
            Await.until(
                    "another region has become the hub",
                    () -> others.stream().anyMatch(region -> isHub(regions, region)));
            write(others);
            regions.account().server(hub).restart();
            regions.awaitTakingPart(hub);
            regions.heal(hub);
            write(order);

            containers.values().forEach(regions::awaitAgreement);
            containers.forEach(this::judgeReading);
            judgeWrites(regions);
        }
    }

    private void create(WritingRegions regions) {
        var ruled = new CosmosContainerProperties(RULED, "/pk");
        ruled.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
        var won = new CosmosContainerProperties(WON, "/pk");
        won.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
        var kept = new CosmosContainerProperties(KEPT, "/pk");
        kept.setConflictResolutionPolicy(ConflictResolutionPolicy.createCustomPolicy());
        var unique = new CosmosContainerProperties(UNIQUE, "/pk");
        unique.setConflictResolutionPolicy(ConflictResolutionPolicy.createCustomPolicy());
        unique.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/name")))));
        var merged = new CosmosContainerProperties(MERGED, "/pk");
        merged.setConflictResolutionPolicy(
                ConflictResolutionPolicy.createCustomPolicy(WritingRegions.DATABASE, MERGED, "merge"));
        for (var properties : List.of(ruled, won, kept, unique, merged)) {
            containers.put(properties.getId(), regions.create(properties));
            acknowledged.put(properties.getId(), new HashSet<>());
        }
        in(MERGED, WritingRegions.WEST)
                .getScripts()
                .createStoredProcedure(new CosmosStoredProcedureProperties("merge", MERGE));
        in(RULED, WritingRegions.WEST).createItem(item(MARKS, 0));
        regions.awaitAgreement(containers.get(RULED));
    }

    private CosmosContainer in(String container, String region) {
        return containers.get(container).get(region);
    }

    private static String hub(WritingRegions regions) {
        return WritingRegions.ALL.stream()
                .filter(region -> isHub(regions, region))
                .findFirst()
                .orElse(WritingRegions.WEST);
    }

    private static boolean isHub(WritingRegions regions, String region) {
        return regions.account().status(region).path("role").asText().equals("writes");
    }

    // ---- what is there ----

    /** Whichever way a region is asked, it tells of the same items. */
    private void judgeReading(String name, Map<String, CosmosContainer> regions) {
        regions.forEach((region, container) -> {
            var what = "%s in %s, seed %d".formatted(name, region, seed);
            var items = WritingRegions.all(container);
            var etags = new TreeMap<String, String>();
            items.forEach((id, item) -> etags.put(id, item.path("_etag").asText()));
            assertThat(WritingRegions.changed(container))
                    .as("change feed of " + what)
                    .isEqualTo(etags);
            assertThat(queried(container, "SELECT VALUE COUNT(1) FROM c"))
                    .as("count of " + what)
                    .singleElement()
                    .satisfies(count -> assertThat(count.asInt()).isEqualTo(items.size()));
            var byIndex = new ArrayList<String>();
            queried(container, "SELECT c.id FROM c WHERE c.n >= 0 ORDER BY c.n")
                    .forEach(row -> byIndex.add(row.path("id").asText()));
            assertThat(byIndex).as("index of " + what).containsExactlyInAnyOrderElementsOf(items.keySet());
            items.forEach(
                    (id, item) -> assertThat(queried(container, "SELECT c.id FROM c WHERE c.n = " + item.path("n")))
                            .as("index of " + what)
                            .extracting(row -> row.path("id").asText())
                            .contains(id));
            if (name.equals(UNIQUE)) {
                assertThat(items.values())
                        .extracting(item -> item.path("name").asText())
                        .as("unique key of " + what)
                        .doesNotHaveDuplicates();
            }
        });
    }

    private static List<JsonNode> queried(CosmosContainer container, String text) {
        return container.queryItems(text, new CosmosQueryRequestOptions(), JsonNode.class).stream()
                .toList();
    }

    private void judgeWrites(WritingRegions regions) {
        var marks = WritingRegions.all(in(RULED, WritingRegions.NORTH)).get(MARKS);
        assertThat(marked)
                .as("patches, seed %d", seed)
                .allMatch(mark -> marks.path("mark" + mark).asInt() == mark);
        assertThat(pasts(MERGED)).as("writes that were merged, seed %d", seed).containsAll(acknowledged.get(MERGED));
        assertThat(regions.conflicts(WritingRegions.EAST, MERGED)).isEmpty();
        for (var name : List.of(KEPT, UNIQUE)) {
            var told = pasts(name);
            regions.conflicts(WritingRegions.EAST, name)
                    .forEach(conflict ->
                            conflict.getItem(JsonNode.class).path("past").forEach(n -> told.add(n.asInt())));
            assertThat(told)
                    .as("writes to %s that are there or among the conflicts, seed %d", name, seed)
                    .containsAll(acknowledged.get(name));
        }
        var there = pasts(WON);
        assertThat(acknowledged.get(WON))
                .as("writes that have won or lost by the rule, seed %d", seed)
                .allMatch(write -> there.contains(write)
                        || there.stream().anyMatch(winner -> isBeaten(versions.get(write), winner)));
    }

    /** Whether one version loses to another by the rule: it was not made on that, which has a number that is as great. */
    private boolean isBeaten(JsonNode version, int number) {
        var winner = versions.get(number);
        return version.path("id").equals(winner.path("id"))
                && version.path("n").asInt() <= winner.path("n").asInt()
                && !numbers(version.path("past")).contains(number);
    }

    private static Set<Integer> numbers(JsonNode past) {
        var numbers = new HashSet<Integer>();
        past.forEach(n -> numbers.add(n.asInt()));
        return numbers;
    }

    /** The writes that are in the past of items. */
    private Set<Integer> pasts(String name) {
        var all = new HashSet<Integer>();
        WritingRegions.all(in(name, WritingRegions.EAST))
                .values()
                .forEach(item -> all.addAll(numbers(item.path("past"))));
        return all;
    }

    // ---- writing ----

    /** A part of all writes, in regions by turns. */
    private void write(List<String> regions) {
        for (int left = WRITES / 6; left > 0; left--) {
            var region = regions.get(random.nextInt(regions.size()));
            int n = ++writes;
            var id = "k" + random.nextInt(3);
            switch (random.nextInt(7)) {
                case 0 -> attempt(() -> in(RULED, region).upsertItem(item(id, random.nextInt(1_000))));
                case 1 -> attempt(() -> in(RULED, region).deleteItem(id, KEY, new CosmosItemRequestOptions()));
                case 2 -> {
                    var patch = CosmosPatchOperations.create().set("/mark" + n, n);
                    if (attempt(() -> in(RULED, region).patchItem(MARKS, KEY, patch, JsonNode.class))) {
                        marked.add(n);
                    }
                }
                case 3 -> extend(MERGED, region, id, n);
                case 4 -> extend(WON, region, id, n);
                case 5 -> extend(UNIQUE, region, id, n);
                default -> extend(KEPT, region, id, n);
            }
        }
    }

    private void extend(String name, String region, String id, int n) {
        int rank = random.nextInt(1_000);
        var title = "title " + random.nextInt(4);
        if (attempt(() -> extend(in(name, region), id, n, rank, title))) {
            acknowledged.get(name).add(n);
        }
    }

    /** Adds a write to the past of an item, based on what is there. */
    private void extend(CosmosContainer container, String id, int n, int rank, String title) {
        ObjectNode item;
        try {
            item = container.readItem(id, KEY, ObjectNode.class).getItem();
        } catch (CosmosException answer) {
            if (answer.getStatusCode() != 404 || answer.getSubStatusCode() != 0) {
                throw answer;
            }
            item = item(id, rank).put("name", title);
            item.putArray("past").add(n);
            versions.put(n, item);
            container.createItem(item);
            return;
        }
        item.put("n", rank).put("name", title).withArray("past").add(n);
        versions.put(n, item);
        var options =
                new CosmosItemRequestOptions().setIfMatchETag(item.path("_etag").asText());
        container.replaceItem(item, id, KEY, options);
    }

    /** Whether it was acknowledged. Regions that are away, and items that have changed or gone, are no news. */
    private static boolean attempt(Runnable write) {
        try {
            write.run();
            return true;
        } catch (CosmosException refused) {
            return false;
        }
    }

    private static ObjectNode item(String id, int n) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1").put("n", n);
    }
}
