package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The change feed by the pull model: all versions of all items, and their ends. */
class AllVersionsIT extends SdkSuite {
    private static final FeedRange EVERYTHING = FeedRange.forFullRange();

    @Test
    void createsReplacesAndDeletesComeInTheirOrder() {
        var container = container("/pk");
        container.createItem(json("{'id':'before','pk':'p'}"));
        var pull = ChangePull.allVersions(container, EVERYTHING);
        container.createItem(json("{'id':'a','pk':'p','n':1}"));
        container.upsertItem(json("{'id':'a','pk':'p','n':2}"));
        delete(container, "a", "p");

        var changes = pull.drain();

        assertThat(changes).extracting(AllVersionsIT::what).containsExactly("create", "replace", "delete");
        assertThat(changes)
                .extracting(change -> change.at("/metadata/lsn").longValue())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(changes)
                .allSatisfy(change ->
                        assertThat(change.at("/metadata/crts").longValue()).isPositive());
        assertThat(changes.get(0).at("/current/n").intValue()).isEqualTo(1);
        assertThat(changes.get(1).at("/current/n").intValue()).isEqualTo(2);
        var end = changes.get(2);
        assertThat(end.path("current")).isEmpty();
        assertThat(end.at("/metadata/id").textValue()).isEqualTo("a");
        assertThat(end.at("/metadata/partitionKey")).isEqualTo(json("{'pk':'p'}"));
        assertThat(end.at("/metadata/timeToLiveExpired").booleanValue()).isFalse();
        assertThat(pull.drain()).isEmpty();
    }

    @Test
    void aContainerWithAPolicyTellsTheVersionBefore() {
        var container = container(new CosmosContainerProperties(freshName(), "/pk")
                .setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(10))));
        assertThat(container
                        .read()
                        .getProperties()
                        .getChangeFeedPolicy()
                        .getRetentionDurationForAllVersionsAndDeletesPolicy())
                .isEqualTo(Duration.ofMinutes(10));
        var pull = ChangePull.allVersions(container, EVERYTHING);
        container.createItem(json("{'id':'a','pk':'p','n':1}"));
        container.upsertItem(json("{'id':'a','pk':'p','n':2}"));
        delete(container, "a", "p");

        var changes = pull.drain();

        assertThat(changes).extracting(AllVersionsIT::what).containsExactly("create", "replace", "delete");
        assertThat(changes.get(0).has("previous")).isFalse();
        assertThat(changes.get(1).at("/previous/n").intValue()).isEqualTo(1);
        assertThat(changes.get(1).at("/metadata/previousImageLSN"))
                .isEqualTo(changes.get(0).at("/metadata/lsn"));
        assertThat(changes.get(2).at("/previous/n").intValue()).isEqualTo(2);
        assertThat(changes.get(2).at("/metadata/previousImageLSN"))
                .isEqualTo(changes.get(1).at("/metadata/lsn"));
    }

    @Test
    void whatExpiresIsDeletedAndSaysSo() {
        var container = container(new CosmosContainerProperties(freshName(), "/pk").setDefaultTimeToLiveInSeconds(-1));
        var pull = ChangePull.allVersions(container, EVERYTHING);
        container.createItem(json("{'id':'short','pk':'p','ttl':1}"));
        var changes = new ArrayList<ObjectNode>();
        Await.until("the end of the item comes", () -> {
            changes.addAll(pull.drain());
            return changes.size() >= 2;
        });
        assertThat(changes).extracting(AllVersionsIT::what).containsExactly("create", "delete");
        assertThat(changes.get(1).at("/metadata/timeToLiveExpired").booleanValue())
                .isTrue();
        assertThat(changes.get(1).at("/metadata/id").textValue()).isEqualTo("short");
    }

    @Test
    void everyVersionComesFromEveryRangeHoweverSmallThePage() {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, ThroughputProperties.createManualThroughput(18_000));
        var container = database.getContainer(properties.getId());
        var whole = ChangePull.allVersions(container, EVERYTHING).withPageSize(4);
        var perRange = container.getFeedRanges().stream()
                .map(range -> ChangePull.allVersions(container, range))
                .toList();
        for (int n = 0; n < 3; n++) {
            for (int i = 0; i < 20; i++) {
                container.upsertItem(json("{'id':'i%d','pk':'key-%d','n':%d}".formatted(i, i, n)));
            }
        }

        var changes = whole.drain();

        assertThat(changes).hasSize(60);
        for (int i = 0; i < 20; i++) {
            var id = "i" + i;
            assertThat(changes.stream()
                            .filter(change ->
                                    change.at("/current/id").textValue().equals(id))
                            .map(change -> change.at("/current/n").intValue()))
                    .containsExactly(0, 1, 2);
        }
        assertThat(perRange.stream().mapToInt(pull -> pull.drain().size()).sum())
                .isEqualTo(60);
    }

    @Test
    void aLogicalPartitionHasAFeedOfItsOwn() {
        var container = container("/pk");
        var pull = ChangePull.allVersions(container, FeedRange.forLogicalPartition(key("mine")));
        IntStream.range(0, 5).forEach(n -> {
            container.upsertItem(json("{'id':'a','pk':'mine','n':%d}".formatted(n)));
            container.upsertItem(json("{'id':'a','pk':'other','n':%d}".formatted(n)));
        });
        delete(container, "a", "other");
        delete(container, "a", "mine");
        assertThat(pull.drain())
                .extracting(AllVersionsIT::what)
                .isEqualTo(List.of("create", "replace", "replace", "replace", "replace", "delete"));
    }

    private static void delete(CosmosContainer container, String id, String partition) {
        container.deleteItem(id, key(partition), new CosmosItemRequestOptions());
    }

    private static String what(ObjectNode change) {
        return change.at("/metadata/operationType").textValue();
    }
}
