package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The change feed by the pull model: the latest version of every item, in the order of the changes. */
class ChangeFeedIT extends SdkSuite {
    private static final FeedRange EVERYTHING = FeedRange.forFullRange();

    @Test
    void fromTheBeginningComesEveryItemOnceAsItIsNow() {
        var container = container("/pk");
        put(container, "p", "a", 1);
        put(container, "p", "b", 1);
        put(container, "p", "c", 1);
        put(container, "p", "a", 2);
        container.deleteItem("c", key("p"), new CosmosItemRequestOptions());

        var items = ChangePull.fromBeginning(container, EVERYTHING).drain();

        assertThat(items).extracting(item -> item.path("id").textValue()).containsExactly("b", "a");
        assertThat(items.get(1).path("n").intValue()).isEqualTo(2);
        assertThat(items.get(0).path("_lsn").longValue())
                .isPositive()
                .isLessThan(items.get(1).path("_lsn").longValue());
        assertThat(read(container, "a", key("p"))).isEqualTo(withoutLsn(items.get(1)));
    }

    @Test
    void everyKindOfWriteIsAChange() {
        var container = container("/pk");
        var pull = ChangePull.fromBeginning(container, EVERYTHING);
        container.createItem(json("{'id':'a','pk':'p'}"));
        assertThat(pull.ids()).containsExactly("a");
        container.replaceItem(json("{'id':'a','pk':'p','n':1}"), "a", key("p"), new CosmosItemRequestOptions());
        assertThat(pull.ids()).containsExactly("a");
        container.upsertItem(json("{'id':'a','pk':'p','n':2}"));
        assertThat(pull.ids()).containsExactly("a");
        container.patchItem("a", key("p"), CosmosPatchOperations.create().increment("/n", 1), ObjectNode.class);
        assertThat(pull.drain())
                .singleElement()
                .satisfies(item -> assertThat(item.path("n").intValue()).isEqualTo(3));
        container.deleteItem("a", key("p"), new CosmosItemRequestOptions());
        assertThat(pull.ids()).isEmpty();
    }

    @Test
    void aPageCostsAboutAsMuchAsOneOfAQueryWithTheSameItems() {
        var container = container("/pk");
        var batch = CosmosBatch.createCosmosBatch(key("p"));
        for (var i = 0; i < 100; i++) {
            batch.createItemOperation(json("{'id':'%d','pk':'p'}".formatted(i)));
        }
        container.executeCosmosBatch(batch);
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(EVERYTHING);
        var changes = container
                .queryChangeFeed(options.setMaxItemCount(100), ObjectNode.class)
                .iterableByPage()
                .iterator()
                .next();
        var rows = container
                .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), ObjectNode.class)
                .iterableByPage(100)
                .iterator()
                .next();
        assertThat(changes.getResults()).hasSize(100).hasSameSizeAs(rows.getResults());
        assertThat(changes.getRequestCharge()).isCloseTo(rows.getRequestCharge(), withinPercentage(10));
    }

    @Test
    void anEmptyContainerHasNoChangesAndAPlaceToGoOnFrom() {
        var container = container("/pk");
        var pull = ChangePull.fromBeginning(container, EVERYTHING);
        assertThat(pull.ids()).isEmpty();
        put(container, "p", "a", 1);
        assertThat(pull.ids()).containsExactly("a");
        assertThat(pull.ids()).isEmpty();
    }

    @Test
    void fromNowOnComesOnlyWhatIsWrittenLater() {
        var container = container("/pk");
        put(container, "p", "before", 1);
        var pull = ChangePull.fromNow(container, EVERYTHING);
        assertThat(pull.ids()).isEmpty();
        put(container, "p", "after", 1);
        assertThat(pull.ids()).containsExactly("after");
    }

    @Test
    void fromAPointInTimeComesWhatWasWrittenThenOrLater() {
        var container = container("/pk");
        put(container, "p", "before", 1);
        var later = Instant.ofEpochSecond(
                read(container, "before", key("p")).path("_ts").longValue() + 1);
        Await.until(
                "it is later", () -> put(container, "p", "after", 1).path("_ts").longValue() >= later.getEpochSecond());
        var pull = ChangePull.fromTime(container, EVERYTHING, later);
        assertThat(pull.ids()).containsExactly("after");
        put(container, "p", "last", 1);
        assertThat(pull.ids()).containsExactly("last");
        assertThat(ChangePull.fromTime(container, EVERYTHING, later.minusSeconds(3_600))
                        .ids())
                .containsExactly("before", "after", "last");
        assertThat(ChangePull.fromTime(container, EVERYTHING, later.plusSeconds(3_600))
                        .ids())
                .isEmpty();
    }

    @Test
    void anotherReaderGoesOnFromAContinuation() {
        var container = spread();
        fill(container, 0, 30);
        var first = ChangePull.fromBeginning(container, EVERYTHING);
        assertThat(first.drain()).hasSize(30);
        fill(container, 30, 60);
        var second = ChangePull.fromContinuation(container, first.continuation());
        assertThat(second.ids()).containsExactlyInAnyOrderElementsOf(names(30, 60));
    }

    @Test
    void aReaderMayStopAfterAnyPage() {
        var container = spread();
        fill(container, 0, 40);
        var seen = new ArrayList<String>();
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(EVERYTHING);
        for (int page = 0; page < 1_000 && seen.size() < 40; page++) {
            var only = container
                    .queryChangeFeed(options.setMaxItemCount(3), ObjectNode.class)
                    .iterableByPage()
                    .iterator()
                    .next();
            only.getResults().forEach(item -> seen.add(item.path("id").textValue()));
            options = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(only.getContinuationToken());
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(names(0, 40));
    }

    @Test
    void pagesAreAsLargeAsAskedFor() {
        var container = container("/pk");
        IntStream.range(0, 25).forEach(i -> put(container, "p", "i" + i, i));
        for (int size : List.of(1, 10, 25, 100)) {
            var pages = ChangePull.fromBeginning(container, EVERYTHING)
                    .withPageSize(size)
                    .pages();
            assertThat(pages.stream().flatMap(List::stream))
                    .extracting(item -> item.path("n").intValue())
                    .isEqualTo(IntStream.range(0, 25).boxed().toList());
            assertThat(pages).allSatisfy(page -> assertThat(page).hasSizeLessThanOrEqualTo(size));
            assertThat(pages).hasSize((25 + size - 1) / size);
        }
    }

    @Test
    void aTransactionIsKeptTogetherHoweverSmallThePage() {
        var container = container("/pk");
        put(container, "p", "before", 0);
        var batch = CosmosBatch.createCosmosBatch(key("p"));
        IntStream.range(0, 5).forEach(i -> batch.createItemOperation(json("{'id':'b%d','pk':'p'}".formatted(i))));
        assertThat(container.executeCosmosBatch(batch).isSuccessStatusCode()).isTrue();
        put(container, "p", "after", 0);

        var pages =
                ChangePull.fromBeginning(container, EVERYTHING).withPageSize(2).pages();

        var whole = pages.stream()
                .filter(page -> page.stream()
                        .anyMatch(item -> item.path("id").textValue().startsWith("b0")))
                .findFirst()
                .orElseThrow();
        assertThat(whole).extracting(item -> item.path("id").textValue()).contains("b0", "b1", "b2", "b3", "b4");
        assertThat(pages.stream().flatMap(List::stream)).hasSize(7);
    }

    @Test
    void aContainerOfSeveralRangesIsReadWhole() {
        var container = spread();
        fill(container, 0, 60);
        var pull = ChangePull.fromBeginning(container, EVERYTHING).withPageSize(7);
        assertThat(pull.ids()).containsExactlyInAnyOrderElementsOf(names(0, 60));
        fill(container, 0, 10);
        assertThat(pull.ids()).containsExactlyInAnyOrderElementsOf(names(0, 10));
        assertThat(pull.ids()).isEmpty();
    }

    @Test
    void theFeedRangesTogetherAreTheWhole() {
        var container = spread();
        fill(container, 0, 60);
        var ranges = container.getFeedRanges();
        assertThat(ranges).hasSize(3);
        var pulls = ranges.stream()
                .map(range -> ChangePull.fromBeginning(container, range))
                .toList();
        var ids = new ArrayList<String>();
        for (var pull : pulls) {
            var ofRange = pull.ids();
            assertThat(ofRange).isNotEmpty();
            ids.addAll(ofRange);
        }
        assertThat(ids).containsExactlyInAnyOrderElementsOf(names(0, 60));
        fill(container, 60, 80);
        assertThat(pulls.stream().flatMap(pull -> pull.ids().stream()))
                .containsExactlyInAnyOrderElementsOf(names(60, 80));
    }

    @Test
    void aLogicalPartitionHasAFeedOfItsOwnInItsOrder() {
        var container = spread();
        fill(container, 0, 30);
        for (int i = 0; i < 20; i++) {
            put(container, "mine", "m" + i % 7, i);
        }
        var pull = ChangePull.fromBeginning(container, FeedRange.forLogicalPartition(key("mine")))
                .withPageSize(2);
        assertThat(pull.drain())
                .extracting(item -> item.path("n").intValue())
                .containsExactly(13, 14, 15, 16, 17, 18, 19);
        put(container, "other", "x", 1);
        assertThat(pull.ids()).isEmpty();
        put(container, "mine", "last", 1);
        assertThat(pull.ids()).containsExactly("last");

        var now = ChangePull.fromNow(container, FeedRange.forLogicalPartition(key("mine")));
        assertThat(now.ids()).isEmpty();
        put(container, "mine", "later", 1);
        put(container, "other", "later", 1);
        assertThat(now.ids()).containsExactly("later");
    }

    @Test
    void aHierarchicalKeyHasAFeedOfItsOwn() {
        assumeTheSdkReadsFeedsOfHierarchicalKeys();
        var container = hierarchicalContainer("/tenant", "/user");
        for (int i = 0; i < 12; i++) {
            container.createItem(json("{'id':'%d','tenant':'t%d','user':'u%d'}".formatted(i, i % 2, i % 3)));
        }
        var full = new PartitionKeyBuilder().add("t0").add("u0").build();
        assertThat(ids(container, full)).containsExactly("0", "6");
        container.createItem(json("{'id':'new','tenant':'t0','user':'u0'}"));
        assertThat(ids(container, full)).containsExactly("0", "6", "new");
    }

    @Test
    void aPrefixOfAHierarchicalKeyHasAFeedOfItsOwn() {
        assumeTheSdkReadsFeedsOfHierarchicalKeys();
        var container = hierarchicalContainer("/tenant", "/user");
        for (int i = 0; i < 12; i++) {
            container.createItem(json("{'id':'%d','tenant':'t%d','user':'u%d'}".formatted(i, i % 2, i % 3)));
        }
        var prefix = new PartitionKeyBuilder().add("t1").build();
        assertThat(ids(container, prefix)).containsExactly("1", "3", "5", "7", "9", "11");
    }

    /** In Direct mode it refuses them by itself, without a request. */
    private void assumeTheSdkReadsFeedsOfHierarchicalKeys() {
        assumeThat(transport).as("the SDK reads the feed of a hierarchical key").isNotEqualTo(Transport.DIRECT);
    }

    @Test
    void aReaderMayStopAtWhatWasThereWhenItStarted() {
        var container = spread();
        fill(container, 0, 30);
        var options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(EVERYTHING)
                .setCompleteAfterAllCurrentChangesRetrieved(true)
                .setMaxItemCount(2);
        var seen = new HashSet<String>();
        int written = 30;
        for (var page : container.queryChangeFeed(options, ObjectNode.class).iterableByPage()) {
            page.getResults().forEach(item -> seen.add(item.path("id").textValue()));
            // A reader who waited for the end would never come to it.
            fill(container, written, written + 3);
            written += 3;
        }
        assertThat(seen).containsAll(names(0, 30));
    }

    @Test
    void aContinuationOfAnotherContainerIsRefused() {
        var one = container("/pk");
        IntStream.range(0, 5).forEach(i -> put(one, "p", "i" + i, i));
        var pull = ChangePull.fromBeginning(one, EVERYTHING);
        pull.drain();
        var other = container("/pk");
        assertRefused(
                400,
                () -> ChangePull.fromContinuation(other, pull.continuation()).drain());
    }

    private static ObjectNode withoutLsn(ObjectNode item) {
        var copy = item.deepCopy();
        copy.remove("_lsn");
        return copy;
    }

    private static List<String> ids(CosmosContainer container, PartitionKey key) {
        return ChangePull.fromBeginning(container, FeedRange.forLogicalPartition(key))
                .ids();
    }

    /** A container of three ranges. */
    private CosmosContainer spread() {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, ThroughputProperties.createManualThroughput(18_000));
        return database.getContainer(properties.getId());
    }

    private static ObjectNode put(CosmosContainer container, String partition, String id, int n) {
        return container
                .upsertItem(json("{'id':'%s','pk':'%s','n':%d}".formatted(id, partition, n)))
                .getItem();
    }

    private static void fill(CosmosContainer container, int from, int to) {
        IntStream.range(from, to).forEach(i -> put(container, "key-" + i, "i" + i, i));
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "i" + i).toList();
    }
}
