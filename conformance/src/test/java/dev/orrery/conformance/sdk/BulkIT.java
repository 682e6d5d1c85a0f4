package dev.orrery.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bulk: many operations on many keys, each succeeding or failing on its own. */
class BulkIT extends SdkSuite {
    @Test
    void hundredsOfItemsOverSeveralRangesAreCreated() {
        var container = containerWith(20_100);
        var creates = IntStream.range(0, 500)
                .mapToObj(i -> create(i, "{'id':'%d','pk':'key-%d','n':%d}".formatted(i, i, i)))
                .toList();
        assertThat(statuses(container, creates))
                .hasSize(500)
                .containsOnlyKeys(idsUpTo(500))
                .values()
                .containsOnly(201);
        for (var i = 0; i < 500; i += 50) {
            assertThat(read(container, "" + i, key("key-" + i)).path("n").intValue())
                    .isEqualTo(i);
        }
    }

    @Test
    void everyOperationFailsOrSucceedsOnItsOwn() {
        var container = containerWith(10_100);
        IntStream.range(0, 4)
                .forEach(i -> container.createItem(json("{'id':'%d','pk':'key-%d','n':1}".formatted(i, i))));
        var operations = new ArrayList<CosmosItemOperation>();
        operations.add(create(0, "{'id':'0','pk':'key-0'}"));
        operations.add(CosmosBulkOperations.getReadItemOperation("1", key("key-1")));
        operations.add(
                CosmosBulkOperations.getReplaceItemOperation("2", json("{'id':'2','pk':'key-2','n':2}"), key("key-2")));
        operations.add(CosmosBulkOperations.getDeleteItemOperation("3", key("key-3")));
        operations.add(CosmosBulkOperations.getDeleteItemOperation("4", key("key-4")));
        operations.add(CosmosBulkOperations.getUpsertItemOperation(json("{'id':'5','pk':'key-5'}"), key("key-5")));
        operations.add(CosmosBulkOperations.getPatchItemOperation(
                "1", key("key-1"), CosmosPatchOperations.create().increment("/n", 1)));
        var results = new HashMap<String, Integer>();
        for (var response : container.executeBulkOperations(operations)) {
            assertThat(response.getException()).isNull();
            var operation = response.getOperation();
            var id = operation.getId() == null
                    ? operation.<ObjectNode>getItem().path("id").textValue()
                    : operation.getId();
            results.put(
                    operation.getOperationType() + " " + id,
                    response.getResponse().getStatusCode());
        }
        assertThat(results)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "CREATE 0",
                        409,
                        "READ 1",
                        200,
                        "REPLACE 2",
                        200,
                        "DELETE 3",
                        204,
                        "DELETE 4",
                        404,
                        "UPSERT 5",
                        201,
                        "PATCH 1",
                        200));
        assertThat(read(container, "2", key("key-2")).path("n").intValue()).isEqualTo(2);
    }

    private CosmosContainer containerWith(int units) {
        var properties = new CosmosContainerProperties(freshName(), "/pk");
        database.createContainer(properties, ThroughputProperties.createManualThroughput(units));
        return database.getContainer(properties.getId());
    }

    private static CosmosItemOperation create(int i, String item) {
        return CosmosBulkOperations.getCreateItemOperation(json(item), key("key-" + i));
    }

    private static String[] idsUpTo(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new);
    }

    private static Map<String, Integer> statuses(CosmosContainer container, List<CosmosItemOperation> operations) {
        var statuses = new HashMap<String, Integer>();
        for (CosmosBulkOperationResponse<Object> response : container.executeBulkOperations(operations)) {
            statuses.put(
                    response.getOperation().<ObjectNode>getItem().path("id").textValue(),
                    response.getResponse().getStatusCode());
        }
        return statuses;
    }
}
