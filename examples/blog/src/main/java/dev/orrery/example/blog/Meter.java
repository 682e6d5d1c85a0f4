package dev.orrery.example.blog;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBulkItemRequestOptions;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks the database on behalf of one request, and adds up what that takes. */
final class Meter {
    private static final CosmosBulkItemRequestOptions NOTHING_BACK =
            new CosmosBulkItemRequestOptions().setContentResponseOnWriteEnabled(false);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What may be another in an item by the time that its creation is repeated. */
    private static final Set<String> CHANGED_BY_OTHERS = Set.of("userUsername", "commentCount", "likeCount");

    private static final int CONFLICT = 409;
    private static final int RETRY_WITH = 449;
    private static final int ATTEMPTS_MAX = 100;
    private static final int PAUSE_MILLIS_MAX = 20;

    private final DoubleAdder charge = new DoubleAdder();
    private final AtomicInteger operations = new AtomicInteger();
    private volatile boolean fansOut;

    <T> Answer<T> answer(T value) {
        return new Answer<>(value, charge.sum(), operations.get(), fansOut);
    }

    <T> T read(CosmosContainer container, String id, String key, Class<T> type) {
        operations.incrementAndGet();
        var response = container.readItem(id, new PartitionKey(key), type);
        charge.add(response.getRequestCharge());
        return response.getItem();
    }

    /**
     * Creates an item, which may have been created already by an attempt whose answer was lost.
     *
     * @throws CosmosException also if there is another item with its id
     */
    void create(CosmosContainer container, Object item, String key) {
        operations.incrementAndGet();
        try {
            charge.add(container
                    .createItem(item, new PartitionKey(key), new CosmosItemRequestOptions())
                    .getRequestCharge());
        } catch (CosmosException refused) {
            charge.add(refused.getRequestCharge());
            if (refused.getStatusCode() != CONFLICT || !isThere(container, JSON.valueToTree(item), key)) {
                throw refused;
            }
        }
    }

    private boolean isThere(CosmosContainer container, ObjectNode item, String key) {
        var stored = read(container, item.path("id").textValue(), key, ObjectNode.class);
        return item.properties().stream()
                .filter(property -> !CHANGED_BY_OTHERS.contains(property.getKey()))
                .allMatch(property -> property.getValue().equals(stored.get(property.getKey())));
    }

    void upsert(CosmosContainer container, Object item, String key, CosmosItemRequestOptions options) {
        operations.incrementAndGet();
        charge.add(unlessAnotherCameFirst(
                () -> container.upsertItem(item, new PartitionKey(key), options).getRequestCharge()));
    }

    /** Those items that are there, of which each is alone under its id as the partition key. */
    <T> List<T> readMany(CosmosContainer container, Collection<String> ids, Class<T> type) {
        operations.incrementAndGet();
        var response = container.readMany(
                ids.stream()
                        .map(id -> new CosmosItemIdentity(new PartitionKey(id), id))
                        .toList(),
                type);
        charge.add(response.getRequestCharge());
        return response.getResults();
    }

    /** Writes items in bulk: far less work than one by one. */
    <T> void upsertAll(CosmosContainer container, List<T> items, Function<T, String> key) {
        List<CosmosItemOperation> writes = items.stream()
                .map(item -> CosmosBulkOperations.getUpsertItemOperation(
                        item, new PartitionKey(key.apply(item)), NOTHING_BACK, item))
                .toList();
        for (var answer : container.<T>executeBulkOperations(writes)) {
            if (answer.getException() == null && answer.getResponse().isSuccessStatusCode()) {
                operations.incrementAndGet();
                charge.add(answer.getResponse().getRequestCharge());
            } else {
                // Alone it is repeated until it succeeds, or says what is wrong.
                T item = answer.getOperation().getContext();
                upsert(container, item, key.apply(item), new CosmosItemRequestOptions());
            }
        }
    }

    void patch(CosmosContainer container, String id, String key, CosmosPatchOperations changes) {
        operations.incrementAndGet();
        var response = container.patchItem(
                id, new PartitionKey(key), changes, new CosmosPatchItemRequestOptions(), Object.class);
        charge.add(response.getRequestCharge());
    }

    /** Runs a stored procedure in one partition. */
    String execute(CosmosContainer container, String procedure, String key, Object... arguments) {
        operations.incrementAndGet();
        var options = new CosmosStoredProcedureRequestOptions().setPartitionKey(new PartitionKey(key));
        var response = unlessAnotherCameFirst(
                () -> container.getScripts().getStoredProcedure(procedure).execute(List.of(arguments), options));
        charge.add(response.getRequestCharge());
        return response.getResponseAsString();
    }

    /** Queries one partition. */
    <T> List<T> query(CosmosContainer container, String key, SqlQuerySpec query, Class<T> type) {
        return rows(container, query, new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(key)), type);
    }

    /** Queries all partitions. */
    <T> List<T> queryAll(CosmosContainer container, SqlQuerySpec query, Class<T> type) {
        fansOut = true;
        // As many at a time as the SDK finds right, not one after the other.
        return rows(container, query, new CosmosQueryRequestOptions().setMaxDegreeOfParallelism(-1), type);
    }

    private <T> List<T> rows(
            CosmosContainer container, SqlQuerySpec query, CosmosQueryRequestOptions options, Class<T> type) {
        operations.incrementAndGet();
        var rows = new ArrayList<T>();
        for (var page : container.queryItems(query, options, type).iterableByPage()) {
            charge.add(page.getRequestCharge());
            rows.addAll(page.getResults());
        }
        return rows;
    }

    /** Repeats a transaction for as long as others in its partition come in between. */
    private <T> T unlessAnotherCameFirst(Supplier<T> transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction.get();
            } catch (CosmosException refused) {
                charge.add(refused.getRequestCharge());
                if (refused.getStatusCode() != RETRY_WITH || attempt == ATTEMPTS_MAX) {
                    throw refused;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, PAUSE_MILLIS_MAX + 1));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while others were writing", interrupted);
        }
    }
}
