package dev.orrery.conformance.sdk;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchRequestOptions;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.util.List;
import java.util.stream.Stream;
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
    void aReadTakesEitherConditionAsTheVersionThatIsKnown() {
        var etag = read(container, "there", key("a")).path("_etag").textValue();
        var batch = batch();
        batch.readItemOperation("there", ifMatch(etag));
        batch.readItemOperation("there", ifMatch("\"another\""));
        var response = container.executeCosmosBatch(batch);
        assertThat(statuses(response)).containsExactly(304, 200);
        assertThat(response.getStatusCode()).isEqualTo(207);
        assertThat(response.isSuccessStatusCode()).isTrue();
    }

    @Test
    void onlyABatchThatReadsNeedsTheStateThatItsSessionHasSeen() {
        var ahead = new CosmosBatchRequestOptions().setSessionToken("0:-1#1000000");
        var writing = batch();
        writing.createItemOperation(json("{'id':'new','pk':'a'}"));
        writing.deleteItemOperation("doomed");
        assertThat(statuses(container.executeCosmosBatch(writing, ahead))).containsExactly(201, 204);
        var reading = batch();
        reading.upsertItemOperation(json("{'id':'there','pk':'a'}"));
        reading.readItemOperation("there");
        assertRefused(404, 1002, () -> container.executeCosmosBatch(reading, ahead));
    }

    @Test
    void anAnswerOfMoreThanFourMegabytesIsTooLarge() {
        container.createItem(json("{'id':'large','pk':'a'}").put("text", "x".repeat(1_000_000)));
        var batch = batch();
        batch.createItemOperation(json("{'id':'new','pk':'a'}"));
        for (var i = 0; i < 5; i++) {
            batch.readItemOperation("large");
        }
        var response = container.executeCosmosBatch(batch);
        assertThat(response.getStatusCode()).isEqualTo(413);
        assertThat(statuses(response)).containsExactly(424, 424, 424, 424, 424, 413);
        assertRefused(404, () -> read(container, "new", key("a")));
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
        var refusal = assertRefused(413, () -> container.executeCosmosBatch(batch));
        assertThat(refusal.getMessage()).contains("Request size is too large");
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
    void anOperationForAnotherKeyIsToldSo() {
        var reply = send(
                container.getId(), "[{\"operationType\":\"Read\",\"id\":\"there\",\"partitionKey\":\"[\\\"b\\\"]\"}]");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json().path("message").textValue())
                .startsWith("One or more operations within the batch request have a different partition key value than"
                        + " the request.");
    }

    @Test
    void aBatchForAContainerThatIsNotThereHasNoSubstatus() {
        var reply = send("missing", "[{\"operationType\":\"Read\",\"id\":\"there\"}]");
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.substatus()).isZero();
    }

    @Test
    void inBulkOnlyWhatFindsNoRoomInTheAnswerIsTooLarge() {
        container.createItem(json("{'id':'large','pk':'a'}").put("text", "x".repeat(1_500_000)));
        var read = "{\"operationType\":\"Read\",\"id\":\"%s\",\"partitionKey\":\"[\\\"a\\\"]\"}";
        var reply = wire().send(batchRequest(container.getId())
                .header("x-ms-documentdb-partitionkeyrangeid", "0")
                .header("x-ms-cosmos-batch-atomic", "False")
                .header("x-ms-cosmos-batch-continue-on-error", "True")
                .body(Stream.of("large", "large", "large", "there", "large")
                        .map(read::formatted)
                        .collect(joining(",", "[", "]"))));
        assertThat(reply.status()).isEqualTo(207);
        assertThat(reply.json().findValuesAsText("statusCode")).containsExactly("200", "200", "413", "200", "413");
    }

    private WireReply send(String into, String body) {
        return wire().send(batchRequest(into)
                .header("x-ms-documentdb-partitionkey", "[\"a\"]")
                .header("x-ms-cosmos-batch-atomic", "True")
                .body(body));
    }

    private WireRequest batchRequest(String into) {
        return WireRequest.of("POST", "/dbs/" + database.getId() + "/colls/" + into + "/docs")
                .header("x-ms-cosmos-is-batch-request", "True");
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
