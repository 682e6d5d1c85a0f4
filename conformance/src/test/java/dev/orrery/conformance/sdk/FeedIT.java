package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many items at once: read-many, everything of a key, paged feeds, and deleting a whole key. */
class FeedIT extends SdkSuite {
    @Test
    void readManyReturnsTheItemsThatAreThere() {
        var container = filled(10_100, 40);
        var wanted = IntStream.range(0, 40)
                .filter(i -> i % 3 == 0)
                .mapToObj(i -> new CosmosItemIdentity(key("key-" + i % 5), "" + i))
                .toList();
        var missing = new CosmosItemIdentity(key("key-1"), "none");
        var found = container.readMany(
                Stream.concat(wanted.stream(), Stream.of(missing)).toList(), ObjectNode.class);
        assertThat(found.getResults())
                .extracting(item -> item.path("id").textValue())
                .containsExactlyInAnyOrderElementsOf(
                        wanted.stream().map(CosmosItemIdentity::getId).toList());
        assertThat(found.getRequestCharge()).isPositive();
    }

    @Test
    void readManyWorksWhereTheIdIsTheKey() {
        var container = container("/id");
        IntStream.range(0, 10).forEach(i -> container.createItem(json("{'id':'%d'}".formatted(i))));
        var wanted = IntStream.range(2, 7)
                .mapToObj(i -> new CosmosItemIdentity(key("" + i), "" + i))
                .toList();
        assertThat(container.readMany(wanted, ObjectNode.class).getResults()).hasSize(5);
    }

    @Test
    void readManyTakesAThousandItems() {
        var container = container("/pk");
        IntStream.range(0, 50).forEach(i -> container.createItem(json("{'id':'%d','pk':'a'}".formatted(i))));
        var wanted = IntStream.range(0, 1000)
                .mapToObj(i -> new CosmosItemIdentity(key("a"), "" + i))
                .toList();
        assertThat(container.readMany(wanted, ObjectNode.class).getResults()).hasSize(50);
    }

    @Test
    void everythingOfOneKeyIsReadInPages() {
        var container = filled(400, 57);
        var pages = new ArrayList<Integer>();
        var ids = new HashSet<String>();
        String continuation = null;
        do {
            var page = container
                    .readAllItems(key("key-2"), ObjectNode.class)
                    .iterableByPage(continuation, 4)
                    .iterator()
                    .next();
            page.getResults()
                    .forEach(item ->
                            assertThat(ids.add(item.path("id").textValue())).isTrue());
            pages.add(page.getResults().size());
            continuation = page.getContinuationToken();
        } while (continuation != null);
        assertThat(ids).isEqualTo(idsOfKey(2, 57));
        assertThat(pages).allMatch(size -> size <= 4);
    }

    @Test
    void theWholeContainerIsReadInPagesOfTheSizeAskedFor() {
        for (var units : new int[] {400, 18_000}) {
            var container = filled(units, 57);
            var docs = "/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs";
            for (var size : new int[] {1, 10, 57, -1}) {
                assertThat(readFeed(docs, size))
                        .as("pages of " + size + " at " + units)
                        .hasSize(57);
            }
        }
    }

    @Test
    void deletingAKeyRemovesItsItemsAndNoOthers() {
        var container = filled(10_100, 57);
        var deleted = container.deleteAllItemsByPartitionKey(key("key-3"), new CosmosItemRequestOptions());
        assertThat(deleted.getStatusCode()).isIn(200, 202, 204);
        assertThat(container.readAllItems(key("key-3"), ObjectNode.class)).isEmpty();
        assertRefused(404, () -> read(container, "3", key("key-3")));
        assertThat(container.readAllItems(key("key-2"), ObjectNode.class))
                .hasSize(idsOfKey(2, 57).size());
        container.createItem(json("{'id':'3','pk':'key-3'}"));
        assertThat(container.readAllItems(key("key-3"), ObjectNode.class)).hasSize(1);
    }

    private CosmosContainer filled(int units, int count) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        var container = database.getContainer(properties.getId());
        IntStream.range(0, count)
                .forEach(i -> container.createItem(json("{'id':'%d','pk':'key-%d'}".formatted(i, i % 5))));
        return container;
    }

    private static Set<String> idsOfKey(int key, int count) {
        return new HashSet<>(IntStream.range(0, count)
                .filter(i -> i % 5 == key)
                .mapToObj(Integer::toString)
                .toList());
    }

    private Set<String> readFeed(String path, int pageSize) {
        var ids = new HashSet<String>();
        var continuation = "";
        do {
            var page = wire().send(WireRequest.of("GET", path)
                    .header("x-ms-max-item-count", Integer.toString(pageSize))
                    .header("x-ms-continuation", continuation));
            assertThat(page.status()).as(page.body()).isEqualTo(200);
            var documents = page.json().path("Documents");
            assertThat(documents.size()).isEqualTo(page.json().path("_count").intValue());
            assertThat(page.header("x-ms-item-count")).contains(Integer.toString(documents.size()));
            if (pageSize > 0) {
                assertThat(documents.size()).isLessThanOrEqualTo(pageSize);
            }
            for (JsonNode document : documents) {
                assertThat(ids.add(document.path("id").textValue())).isTrue();
            }
            continuation = page.header("x-ms-continuation").orElse("");
        } while (!continuation.isEmpty());
        return ids;
    }

    @Test
    void anEmptyContainerHasAnEmptyFeed() {
        var container = container("/pk");
        assertThat(readFeed("/dbs/" + database.getId() + "/colls/" + container.getId() + "/docs", 10))
                .isEmpty();
        assertThat(container
                        .readMany(List.of(new CosmosItemIdentity(key("a"), "1")), ObjectNode.class)
                        .getResults())
                .isEmpty();
    }
}
