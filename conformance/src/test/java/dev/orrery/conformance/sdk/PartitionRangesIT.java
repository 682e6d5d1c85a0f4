package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Physical partitions: as many as the throughput needs, growing with it without losing anything. */
class PartitionRangesIT extends SdkSuite {

    @Test
    void everyStartedSixThousandUnitsGiveANewContainerARange() {
        assertThat(containerWith(400).getFeedRanges()).hasSize(1);
        assertThat(containerWith(6_000).getFeedRanges()).hasSize(1);
        assertThat(containerWith(10_100).getFeedRanges()).hasSize(2);
        assertThat(containerWith(18_000).getFeedRanges()).hasSize(3);
        assertThat(containerWith(30_000).getFeedRanges()).hasSize(5);
    }

    @Test
    void theRangesTileTheWholeKeySpace() {
        var ranges = ranges(containerWith(24_000)).json().path("PartitionKeyRanges");
        var maxByMin = new TreeMap<String, String>();
        ranges.forEach(range -> maxByMin.put(
                range.path("minInclusive").textValue(),
                range.path("maxExclusive").textValue()));
        assertThat(maxByMin.firstKey()).isEmpty();
        assertThat(maxByMin.lastEntry().getValue()).isEqualTo("FF");
        var expected = "";
        for (var range : maxByMin.entrySet()) {
            assertThat(range.getKey()).isEqualTo(expected);
            expected = range.getValue();
        }
    }

    @Test
    void theVersionOfTheKeySaysWhereRangesMeet() {
        var unsaid = new CosmosContainerProperties(freshName(), "/pk");
        assertThat(beginnings(unsaid)).containsExactlyInAnyOrder("", "05C1D5AB55AB54", "05C1E5AB55AB54");
        assertThat(database.getContainer(unsaid.getId())
                        .read()
                        .getProperties()
                        .getPartitionKeyDefinition()
                        .getVersion())
                .isEqualTo(PartitionKeyDefinitionVersion.V1);

        var second = new PartitionKeyDefinition().setPaths(List.of("/pk")).setVersion(PartitionKeyDefinitionVersion.V2);
        assertThat(beginnings(new CosmosContainerProperties(freshName(), second)))
                .containsExactlyInAnyOrder("", "15".concat("5".repeat(30)), "2A".concat("A".repeat(30)));
    }

    private List<String> beginnings(CosmosContainerProperties properties) {
        database.createContainer(properties, ThroughputProperties.createManualThroughput(18_000));
        return ranges(database.getContainer(properties.getId())).json().findValuesAsText("minInclusive");
    }

    @Test
    void itemsAreSpreadOverTheRangesAndFoundAgain() {
        var container = containerWith(18_000);
        var ranges = new HashSet<String>();
        for (var i = 0; i < 60; i++) {
            var created = container.createItem(json("{'id':'%d','pk':'key-%d'}".formatted(i, i)));
            ranges.add(rangeOf(created.getSessionToken()));
        }
        assertThat(ranges).hasSize(3);
        for (var i = 0; i < 60; i++) {
            assertThat(read(container, "" + i, key("key-" + i)).path("pk").textValue())
                    .isEqualTo("key-" + i);
        }
    }

    @Test
    void onlyRangesThatTheFilterLeavesAreAsked() {
        var container = containerWith(30_000);
        for (var i = 0; i < 60; i++) {
            container.createItem(json("{'id':'%d','pk':'key-%d','n':%d}".formatted(i, i, i)));
        }
        var named = new CosmosQueryRequestOptions().setPartitionKey(key("key-7"));
        var open = new CosmosQueryRequestOptions();
        var one = "SELECT VALUE c.id FROM c WHERE c.pk = 'key-7'";
        assertThat(charge(container, one, open, "7"))
                .isEqualTo(charge(container, one, named, "7"))
                .isLessThan(charge(container, "SELECT VALUE c.id FROM c WHERE c.n = 7", open, "7"));
        charge(container, "SELECT VALUE c.id FROM c WHERE c.pk IN ('key-9', 'key-3') ORDER BY c.n", open, "3", "9");
        charge(container, "SELECT VALUE c.id FROM c WHERE c.pk = 'key-9' AND c.pk = 'key-3'", open);

        var deep = hierarchicalContainer("/tenant", "/user");
        deep.replaceThroughput(ThroughputProperties.createManualThroughput(40_100));
        awaitRanges(deep, 5);
        for (var i = 0; i < 60; i++) {
            deep.createItem(json("{'id':'%d','tenant':'t%d','user':'u%d'}".formatted(i, i % 20, i)));
        }
        assertThat(charge(deep, "SELECT VALUE c.id FROM c WHERE c.tenant = 't7' ORDER BY c.id", open, "27", "47", "7"))
                .isLessThan(charge(deep, "SELECT VALUE c.id FROM c WHERE c.user = 'u7'", open, "7"));
    }

    private static double charge(
            CosmosContainer container, String query, CosmosQueryRequestOptions options, String... rows) {
        var pages = container
                .queryItems(query, options, String.class)
                .streamByPage()
                .toList();
        assertThat(pages.stream().flatMap(page -> page.getResults().stream()))
                .as(query)
                .containsExactly(rows);
        return pages.stream().mapToDouble(FeedResponse::getRequestCharge).sum();
    }

    @Test
    void raisingThroughputGrowsTheRangesAndKeepsEveryItem() {
        var container = containerWith(400);
        IntStream.range(0, 100)
                .forEach(i -> container.createItem(json("{'id':'%d','pk':'key-%d','n':%d}".formatted(i, i, i))));
        var before = read(container, "7", key("key-7"));
        var cursor = ranges(container).header("etag").orElseThrow();

        container.replaceThroughput(ThroughputProperties.createManualThroughput(20_100));
        awaitRanges(container, 3);

        // The same client, with session tokens of the parent range, and one that never saw the parent.
        assertAllThere(container);
        try (var fresh = builder().buildClient()) {
            assertAllThere(fresh.getDatabase(database.getId()).getContainer(container.getId()));
        }
        assertThat(read(container, "7", key("key-7"))).isEqualTo(before);

        var changes = rangesSince(container, cursor);
        assertThat(changes.status()).isEqualTo(200);
        var children = changes.json().path("PartitionKeyRanges");
        assertThat(children).hasSize(3);
        for (JsonNode child : children) {
            assertThat(child.path("parents")).as(child.toString()).isNotEmpty();
        }
        assertThat(rangesSince(container, changes.header("etag").orElseThrow()).status())
                .isEqualTo(304);

        for (var i = 0; i < 100; i++) {
            container.upsertItem(json("{'id':'%d','pk':'key-%d','n':%d}".formatted(i, i, i + 1)));
        }
        assertThat(read(container, "99", key("key-99")).path("n").intValue()).isEqualTo(100);
    }

    @Test
    void writesGoOnWhileTheRangesGrow() throws InterruptedException {
        var container = containerWith(400);
        var acknowledged = new ConcurrentLinkedQueue<Integer>();
        var stop = new AtomicBoolean();
        var writer = Thread.ofPlatform().start(() -> {
            for (var i = 0; !stop.get(); i++) {
                container.createItem(json("{'id':'%d','pk':'key-%d'}".formatted(i, i)));
                acknowledged.add(i);
            }
        });
        container.replaceThroughput(ThroughputProperties.createManualThroughput(10_100));
        awaitRanges(container, 2);
        var atGrowth = acknowledged.size();
        Await.until("the writer goes on", () -> acknowledged.size() >= atGrowth + 50 || !writer.isAlive());
        assertThat(writer.isAlive()).as("the writer was never refused").isTrue();
        stop.set(true);
        writer.join();
        for (var i : acknowledged) {
            assertThat(read(container, "" + i, key("key-" + i)).path("id").textValue())
                    .isEqualTo("" + i);
        }
    }

    @Test
    void anIncrementalReadOfUnchangedRangesIsNotModified() {
        var container = containerWith(400);
        var first = ranges(container);
        assertThat(first.status()).isEqualTo(200);
        assertThat(rangesSince(container, first.header("etag").orElseThrow()).status())
                .isEqualTo(304);
    }

    private void assertAllThere(CosmosContainer container) {
        for (var i = 0; i < 100; i++) {
            assertThat(container
                            .readItem("" + i, key("key-" + i), ObjectNode.class)
                            .getItem()
                            .path("n")
                            .intValue())
                    .isEqualTo(i);
        }
    }

    private static String rangeOf(String sessionToken) {
        return sessionToken.substring(0, sessionToken.indexOf(':'));
    }

    private CosmosContainer containerWith(int units) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        return database.getContainer(properties.getId());
    }

    private static void awaitRanges(CosmosContainer container, int count) {
        Await.value("ranges", () -> container.getFeedRanges().size(), count);
        assertThat(container.readThroughput().isReplacePending()).isFalse();
    }

    private WireReply ranges(CosmosContainer container) {
        return rangesSince(container, "");
    }

    private WireReply rangesSince(CosmosContainer container, String etag) {
        var path = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/pkranges";
        return wire().send(WireRequest.of("GET", path)
                .header("A-IM", "Incremental Feed")
                .header("If-None-Match", etag));
    }
}
