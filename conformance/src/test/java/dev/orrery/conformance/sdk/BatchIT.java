package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactional batches: up to a hundred operations on one key, all of them or none. */
class BatchIT extends SdkSuite {
    private CosmosContainer container;

    @BeforeEach
    void createItems() {
        container = container("/pk");
        container.createItem(json("{'id':'there','pk':'a','n':1}"));
        container.createItem(json("{'id':'doomed','pk':'a','n':1}"));
    }

    @Test
    void aBatchOfEveryOperationSucceedsAsAWhole() {
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a','n':1}"));
        batch.readItemOperation("there");
        batch.replaceItemOperation("there", json("{'id':'there','pk':'a','n':2}"));
        batch.upsertItemOperation(json("{'id':'upserted','pk':'a'}"));
        batch.patchItemOperation("there", CosmosPatchOperations.create().increment("/n", 40));
        batch.deleteItemOperation("doomed");
        var response = container.executeCosmosBatch(batch);
        assertThat(response.isSuccessStatusCode())
                .as(response.getErrorMessage())
                .isTrue();
        assertThat(response.getStatusCode()).isEqualTo(200);
        assertThat(response.getRequestCharge()).isPositive();
        assertThat(response.getSessionToken()).matches("\\d+:-1#\\d+");
        assertThat(statuses(response)).containsExactly(201, 200, 200, 201, 200, 204);
        assertThat(response.getResults()
                        .get(1)
                        .getItem(ObjectNode.class)
                        .path("n")
                        .intValue())
                .isEqualTo(1);
        var there = read(container, "there", key("a"));
        assertThat(there.path("n").intValue()).isEqualTo(42);
        assertThat(response.getResults().get(4).getETag())
                .isEqualTo(there.path("_etag").textValue());
        assertRefused(404, () -> read(container, "doomed", key("a")));
    }

    @Test
    void laterOperationsSeeEarlierOnes() {
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a','n':1}"));
        batch.patchItemOperation("new", CosmosPatchOperations.create().increment("/n", 1));
        batch.readItemOperation("new");
        batch.deleteItemOperation("new");
        batch.createItemOperation(json("{'id':'new','pk':'a','n':7}"));
        var response = container.executeCosmosBatch(batch);
        assertThat(statuses(response)).containsExactly(201, 200, 200, 204, 201);
        assertThat(response.getResults()
                        .get(2)
                        .getItem(ObjectNode.class)
                        .path("n")
                        .intValue())
                .isEqualTo(2);
        assertThat(read(container, "new", key("a")).path("n").intValue()).isEqualTo(7);
    }

    @Test
    void oneFailureUndoesEverythingAndNamesItself() {
        var before = read(container, "there", key("a"));
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a'}"));
        batch.replaceItemOperation("there", json("{'id':'there','pk':'a','n':9}"));
        batch.createItemOperation(json("{'id':'doomed','pk':'a'}"));
        batch.deleteItemOperation("doomed");
        var response = container.executeCosmosBatch(batch);
        assertThat(response.isSuccessStatusCode()).isFalse();
        assertThat(response.getStatusCode()).isEqualTo(409);
        assertThat(statuses(response)).containsExactly(424, 424, 409, 424);
        assertRefused(404, () -> read(container, "new", key("a")));
        assertThat(read(container, "there", key("a"))).isEqualTo(before);
        assertThat(read(container, "doomed", key("a")).path("n").intValue()).isEqualTo(1);
    }

    @Test
    void aMissingItemUndoesTheBatch() {
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a'}"));
        batch.readItemOperation("none");
        assertThat(statuses(container.executeCosmosBatch(batch))).containsExactly(424, 404);
        assertRefused(404, () -> read(container, "new", key("a")));
    }

    @Test
    void etagsCountInsideABatch() {
        var outdated = read(container, "there", key("a")).path("_etag").textValue();
        var current =
                container.upsertItem(json("{'id':'there','pk':'a','n':5}")).getETag();
        var refused = batch();
        refused.createItemOperation(json("{'id':'new','pk':'a'}"));
        refused.replaceItemOperation("there", json("{'id':'there','pk':'a','n':6}"), ifMatch(outdated));
        assertThat(statuses(container.executeCosmosBatch(refused))).containsExactly(424, 412);
        assertThat(read(container, "there", key("a")).path("n").intValue()).isEqualTo(5);

        var accepted = batch();
        accepted.replaceItemOperation("there", json("{'id':'there','pk':'a','n':6}"), ifMatch(current));
        accepted.deleteItemOperation("doomed", ifMatch("*"));
        assertThat(statuses(container.executeCosmosBatch(accepted))).containsExactly(200, 204);
    }

    @Test
    void aReadInABatchMayBeNotModified() {
        var etag = read(container, "there", key("a")).path("_etag").textValue();
        var batch = batch();
        batch.readItemOperation("there", new CosmosBatchItemRequestOptions().setIfNoneMatchETag(etag));
        var response = container.executeCosmosBatch(batch);
        assertThat(statuses(response)).containsExactly(304);
    }

    @Test
    void aPatchConditionCountsInsideABatch() {
        var condition = new CosmosBatchPatchItemRequestOptions().setFilterPredicate("FROM c WHERE c.n = 2");
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a'}"));
        batch.patchItemOperation("there", CosmosPatchOperations.create().set("/n", 3), condition);
        assertThat(statuses(container.executeCosmosBatch(batch))).containsExactly(424, 412);
    }

    @Test
    void aHundredOperationsAreTheMost() {
        var full = batch();
        for (var i = 0; i < 100; i++) {
            full.createItemOperation(json("{'id':'item-%d','pk':'a'}".formatted(i)));
        }
        assertThat(container.executeCosmosBatch(full).getResults()).hasSize(100);
        assertThat(read(container, "item-99", key("a")).path("id").textValue()).isEqualTo("item-99");
        var over = batch();
        for (var i = 0; i < 101; i++) {
            over.upsertItemOperation(json("{'id':'over-%d','pk':'a'}".formatted(i)));
        }
        assertRefused(400, () -> container.executeCosmosBatch(over));
        assertRefused(404, () -> read(container, "over-0", key("a")));
    }

    @Test
    void aBatchOfMoreThanTwoMegabytesIsTooLarge() {
        var batch = batch();
        for (var i = 0; i < 3; i++) {
            batch.createItemOperation(
                    json("{'id':'large-%d','pk':'a'}".formatted(i)).put("text", "x".repeat(900_000)));
        }
        assertRefused(413, () -> container.executeCosmosBatch(batch));
        assertRefused(404, () -> read(container, "large-0", key("a")));
    }

    @Test
    void anItemOfAnotherKeyIsRefused() {
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a'}"));
        batch.createItemOperation(json("{'id':'stranger','pk':'b'}"));
        var response = container.executeCosmosBatch(batch);
        assertThat(response.getStatusCode()).isEqualTo(400);
        assertRefused(404, () -> read(container, "new", key("a")));
        assertRefused(404, () -> read(container, "stranger", key("b")));
    }

    @Test
    void allOperationsOfABatchShareOneTimestampAndAreSeenAtOnce() {
        var batch = batch();
        batch.upsertItemOperation(json("{'id':'one','pk':'a'}"));
        batch.upsertItemOperation(json("{'id':'two','pk':'a'}"));
        container.executeCosmosBatch(batch);
        assertThat(read(container, "one", key("a")).path("_ts"))
                .isEqualTo(read(container, "two", key("a")).path("_ts"));
    }

    private static CosmosBatch batch() {
        return CosmosBatch.createCosmosBatch(key("a"));
    }

    private static CosmosBatchItemRequestOptions ifMatch(String etag) {
        return new CosmosBatchItemRequestOptions().setIfMatchETag(etag);
    }

    private static List<Integer> statuses(CosmosBatchResponse response) {
        return response.getResults().stream()
                .map(CosmosBatchOperationResult::getStatusCode)
                .toList();
    }
}
