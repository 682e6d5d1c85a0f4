package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ConflictResolutionPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three regions write the same few items while links are cut and regions are killed, the hub among them. In the end all have the
 * same, and every write that was acknowledged is accounted for.
 *
 * <p>{@code -Dregions.writes=5000} makes it long.
 */
class ConvergenceIT {
    private static final int WRITES = Integer.getInteger("regions.writes", 120);
    private static final PartitionKey KEY = new PartitionKey("p1");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RULED = "ruled";
    private static final String KEPT = "kept";
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
    private final Set<Integer> kept = new HashSet<>();
    private final Set<Integer> merged = new HashSet<>();
    private final Set<Integer> marked = new HashSet<>();
    private int writes;

    @TempDir
    private Path folder;

    @Test
    void allRegionsComeToTheSameAndNothingVanishes() {
        System.out.println("-Dtest.seed=" + seed);
        try (var regions = new WritingRegions(folder)) {
            var ruled = new CosmosContainerProperties(RULED, "/pk");
            ruled.setConflictResolutionPolicy(ConflictResolutionPolicy.createLastWriterWinsPolicy("/n"));
            var first = regions.create(ruled);
            var feeding = new CosmosContainerProperties(KEPT, "/pk");
            feeding.setConflictResolutionPolicy(ConflictResolutionPolicy.createCustomPolicy());
            var second = regions.create(feeding);
            var merging = new CosmosContainerProperties(MERGED, "/pk");
            merging.setConflictResolutionPolicy(
                    ConflictResolutionPolicy.createCustomPolicy(WritingRegions.DATABASE, MERGED, "merge"));
            var third = regions.create(merging);
            third.get(WritingRegions.WEST)
                    .getScripts()
                    .createStoredProcedure(new CosmosStoredProcedureProperties("merge", MERGE));
            first.get(WritingRegions.WEST).createItem(item(MARKS, 0));
            regions.awaitAgreement(first);

            var order = new ArrayList<>(WritingRegions.ALL);
            Collections.shuffle(order, random);
            write(first, second, third, order);

            regions.cut(order.get(0));
            write(first, second, third, order);
            regions.heal(order.get(0));

            regions.account().server(order.get(1)).kill();
            write(first, second, third, List.of(order.get(0), order.get(2)));
            regions.account().server(order.get(1)).restart();
            regions.awaitTakingPart(order.get(1));
            regions.cut(order.get(2));
            write(first, second, third, order);

            var hub = hub(regions);
            var others = WritingRegions.ALL.stream()
                    .filter(region -> !region.equals(hub))
                    .toList();
            regions.account().server(hub).kill();
            regions.heal(order.get(2));
            write(first, second, third, others);
            Await.until(
                    "another region has become the hub",
                    () -> others.stream().anyMatch(region -> isHub(regions, region)));
            write(first, second, third, others);
            regions.account().server(hub).restart();
            regions.awaitTakingPart(hub);
            regions.heal(hub);
            write(first, second, third, order);

            regions.awaitAgreement(first);
            regions.awaitAgreement(second);
            regions.awaitAgreement(third);
            judge(regions, first, second, third);
        }
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

    private void judge(
            WritingRegions regions,
            Map<String, CosmosContainer> ruled,
            Map<String, CosmosContainer> feeding,
            Map<String, CosmosContainer> merging) {
        for (var container : List.of(ruled, feeding, merging)) {
            container.forEach((region, one) -> {
                var etags = new TreeMap<String, String>();
                WritingRegions.all(one)
                        .forEach((id, item) -> etags.put(id, item.path("_etag").asText()));
                assertThat(WritingRegions.changed(one))
                        .as("change feed of %s, seed %d", region, seed)
                        .isEqualTo(etags);
            });
        }
        var marks = WritingRegions.all(ruled.get(WritingRegions.NORTH)).get(MARKS);
        assertThat(marked)
                .as("patches, seed %d", seed)
                .allMatch(mark -> marks.path("mark" + mark).asInt() == mark);
        assertThat(pasts(merging.get(WritingRegions.EAST)))
                .as("writes that were merged, seed %d", seed)
                .containsAll(merged);
        assertThat(regions.conflicts(WritingRegions.EAST, MERGED)).isEmpty();
        var told = pasts(feeding.get(WritingRegions.EAST));
        regions.conflicts(WritingRegions.EAST, KEPT)
                .forEach(conflict ->
                        conflict.getItem(JsonNode.class).path("past").forEach(n -> told.add(n.asInt())));
        assertThat(told)
                .as("writes that are there or among the conflicts, seed %d", seed)
                .containsAll(kept);
    }

    /** The writes that are in the past of items. */
    private static Set<Integer> pasts(CosmosContainer container) {
        var all = new HashSet<Integer>();
        WritingRegions.all(container).values().forEach(item -> item.path("past").forEach(n -> all.add(n.asInt())));
        return all;
    }

    /** A part of all writes, in regions by turns. */
    private void write(
            Map<String, CosmosContainer> ruled,
            Map<String, CosmosContainer> feeding,
            Map<String, CosmosContainer> merging,
            List<String> regions) {
        for (int left = WRITES / 6; left > 0; left--) {
            var region = regions.get(random.nextInt(regions.size()));
            int n = ++writes;
            var id = "k" + random.nextInt(3);
            switch (random.nextInt(5)) {
                case 0 -> attempt(() -> ruled.get(region).upsertItem(item(id, random.nextInt(1_000))));
                case 1 -> attempt(() -> ruled.get(region).deleteItem(id, KEY, new CosmosItemRequestOptions()));
                case 2 -> {
                    var patch = CosmosPatchOperations.create().set("/mark" + n, n);
                    if (attempt(() -> ruled.get(region).patchItem(MARKS, KEY, patch, JsonNode.class))) {
                        marked.add(n);
                    }
                }
                case 3 -> {
                    if (attempt(() -> extend(merging.get(region), id, n))) {
                        merged.add(n);
                    }
                }
                default -> {
                    if (attempt(() -> extend(feeding.get(region), id, n))) {
                        kept.add(n);
                    }
                }
            }
        }
    }

    /** Adds a write to the past of an item, based on what is there. */
    private static void extend(CosmosContainer container, String id, int n) {
        ObjectNode item;
        try {
            item = container.readItem(id, KEY, ObjectNode.class).getItem();
        } catch (CosmosException answer) {
            if (answer.getStatusCode() != 404 || answer.getSubStatusCode() != 0) {
                throw answer;
            }
            item = item(id, n);
            item.putArray("past").add(n);
            container.createItem(item);
            return;
        }
        item.withArray("past").add(n);
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
