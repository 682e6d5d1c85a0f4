package dev.orrery.conformance.regions;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The Java SDK in a thread. */
final class JavaTraffic extends Traffic {
    private static final int RETRY_MILLIS = 50;

    private final CosmosContainer writes;
    private final CosmosContainer reads;
    private final PartitionKey key;
    private final Thread thread;

    /** Writes and reads through clients that may prefer different regions. */
    JavaTraffic(String partition, CosmosContainer writes, CosmosContainer reads) {
        super(partition);
        this.writes = writes;
        this.reads = reads;
        key = new PartitionKey(partition);
        thread = Thread.ofPlatform().daemon().name(partition).start(this::run);
    }

    private void run() {
        for (int n = 1; isGoing(); n++) {
            var item = JsonNodeFactory.instance
                    .objectNode()
                    .put("id", partition() + "-" + n)
                    .put("pk", partition())
                    .put("n", n);
            insist(() -> writes.upsertItem(item, key, new CosmosItemRequestOptions()));
            wrote(n);
            judge(n, insist(() -> find(item.path("id").textValue())));
            judge(n, insist(() -> select(item.path("id").textValue())));
        }
    }

    /** Does something until the SDK does not give up on it. */
    private <T> T insist(Supplier<T> action) {
        while (true) {
            try {
                return action.get();
            } catch (CosmosException gaveUp) {
                failed(gaveUp.getStatusCode() + "/" + gaveUp.getSubStatusCode() + " " + gaveUp.getMessage());
                Await.pause(RETRY_MILLIS, "another region may need a moment");
            }
        }
    }

    private void judge(int n, Optional<Integer> found) {
        if (found.equals(Optional.of(n))) {
            read();
        } else {
            missed(n);
        }
    }

    private Optional<Integer> find(String id) {
        try {
            var found = reads.readItem(id, key, ObjectNode.class).getItem();
            return Optional.of(found.path("n").intValue());
        } catch (CosmosException absent) {
            if (absent.getStatusCode() == 404 && absent.getSubStatusCode() == 0) {
                return Optional.empty();
            }
            throw absent;
        }
    }

    private Optional<Integer> select(String id) {
        var query = new SqlQuerySpec("SELECT VALUE c.n FROM c WHERE c.id = @id", List.of(new SqlParameter("@id", id)));
        return reads.queryItems(query, new CosmosQueryRequestOptions().setPartitionKey(key), Integer.class).stream()
                .findFirst();
    }

    @Override
    void stop() {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
