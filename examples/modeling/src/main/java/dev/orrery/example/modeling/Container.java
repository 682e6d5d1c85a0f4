package dev.orrery.example.modeling;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A container of the SDK, whose charges go to a meter. A partition key stands before what lies in its partition. */
final class Container {
    private final CosmosContainer container;
    private final Meter meter;

    Container(CosmosContainer container, Meter meter) {
        this.container = container;
        this.meter = meter;
    }

    <T> T read(String key, String id, Class<T> type) {
        var response = container.readItem(id, new PartitionKey(key), type);
        meter.add(response.getRequestCharge());
        return response.getItem();
    }

    /** Reads items whose id is their partition key, with one request to each physical partition; in any order. */
    <T> List<T> readMany(List<String> ids, Class<T> type) {
        return readIdentities(
                ids.stream()
                        .map(id -> new CosmosItemIdentity(new PartitionKey(id), id))
                        .toList(),
                type);
    }

    /** Reads items of one partition with one request; in any order. */
    <T> List<T> readMany(String key, List<String> ids, Class<T> type) {
        var partition = new PartitionKey(key);
        return readIdentities(
                ids.stream().map(id -> new CosmosItemIdentity(partition, id)).toList(), type);
    }

    private <T> List<T> readIdentities(List<CosmosItemIdentity> identities, Class<T> type) {
        var page = container.readMany(identities, type);
        meter.add(page.getRequestCharge());
        return page.getResults();
    }

    void create(String key, Object item) {
        create(key, item, new CosmosItemRequestOptions());
    }

    /** Creates an item, if a pre-trigger lets it. */
    void createThrough(String trigger, String key, Object item) {
        create(key, item, new CosmosItemRequestOptions().setPreTriggerInclude(List.of(trigger)));
    }

    private void create(String key, Object item, CosmosItemRequestOptions options) {
        meter.add(container.createItem(item, new PartitionKey(key), options).getRequestCharge());
    }

    void replace(String key, String id, Object item) {
        meter.add(container
                .replaceItem(item, id, new PartitionKey(key), new CosmosItemRequestOptions())
                .getRequestCharge());
    }

    void patch(String key, String id, CosmosPatchOperations changes) {
        var options = new CosmosPatchItemRequestOptions();
        meter.add(container
                .patchItem(id, new PartitionKey(key), changes, options, Object.class)
                .getRequestCharge());
    }

    void delete(String key, String id) {
        meter.add(container
                .deleteItem(id, new PartitionKey(key), new CosmosItemRequestOptions())
                .getRequestCharge());
    }

    /** All of it or nothing. */
    void execute(CosmosBatch batch) {
        var response = container.executeCosmosBatch(batch);
        meter.add(response.getRequestCharge());
        if (!response.isSuccessStatusCode()) {
            throw new IllegalStateException("a batch was refused with " + response.getStatusCode());
        }
    }

    /** Queries one partition. */
    <T> List<T> query(String key, Class<T> type, String text, SqlParameter... parameters) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(key));
        return rows(options, type, new SqlQuerySpec(text, List.of(parameters)));
    }

    /** Queries all partitions. */
    <T> List<T> queryAll(Class<T> type, String text, SqlParameter... parameters) {
        // As many at a time as the SDK finds right, not one after the other.
        var options = new CosmosQueryRequestOptions().setMaxDegreeOfParallelism(-1);
        return rows(options, type, new SqlQuerySpec(text, List.of(parameters)));
    }

    private <T> List<T> rows(CosmosQueryRequestOptions options, Class<T> type, SqlQuerySpec query) {
        var rows = new ArrayList<T>();
        for (var page : container.queryItems(query, options, type).iterableByPage()) {
            meter.add(page.getRequestCharge());
            rows.addAll(page.getResults());
        }
        return rows;
    }

    /** Runs a stored procedure in one partition. */
    void call(String procedure, String key, Object... arguments) {
        var options = new CosmosStoredProcedureRequestOptions().setPartitionKey(new PartitionKey(key));
        meter.add(container
                .getScripts()
                .getStoredProcedure(procedure)
                .execute(List.of(arguments), options)
                .getRequestCharge());
    }

    Container withProcedure(String name) {
        container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties(name, script(name)));
        return this;
    }

    Container withPreTrigger(String name) {
        container
                .getScripts()
                .createTrigger(new CosmosTriggerProperties(name, script(name))
                        .setTriggerType(TriggerType.PRE)
                        .setTriggerOperation(TriggerOperation.CREATE));
        return this;
    }

    private static String script(String name) {
        try (var file = Container.class.getResourceAsStream(name + ".js")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
