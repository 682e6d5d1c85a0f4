package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Clients that write one item after the other, each to a logical partition of its own, until they are told to stop. */
final class Writers implements AutoCloseable {
    private static final int RETRY_MILLIS = 50;

    private final CosmosContainer container;
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<CosmosException> refusals = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    Writers(CosmosContainer container) {
        this.container = container;
    }

    static Writers start(CosmosContainer container, int count) {
        var writers = new Writers(container);
        for (int i = 0; i < count; i++) {
            var partition = "writer-" + i;
            writers.threads.add(Thread.ofPlatform().daemon().start(() -> writers.write(partition)));
        }
        return writers;
    }

    /** The last write of each logical partition that the server has promised to keep. */
    Map<String, Integer> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    /** Those that the SDK did not get over by itself. */
    List<CosmosException> refusals() {
        return refusals;
    }

    int count() {
        return acknowledged.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Lets all of them make some more writes. */
    void awaitMore(int writes) {
        int until = count() + writes;
        Await.until("the writers go on", () -> count() >= until);
    }

    private void write(String partition) {
        for (int n = 1; !stopped; n++) {
            writeOne(partition, n);
        }
    }

    /** Repeats a write until it is answered: one that was not may have happened, and then happens once more. */
    void writeOne(String partition, int n) {
        while (true) {
            try {
                container.upsertItem(item(partition, n), new PartitionKey(partition), new CosmosItemRequestOptions());
                acknowledged.put(partition, n);
                return;
            } catch (CosmosException refused) {
                refusals.add(refused);
                Await.pause(RETRY_MILLIS, "a server that starts needs a moment");
            }
        }
    }

    private static ObjectNode item(String partition, int n) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", partition + "-" + n)
                .put("pk", partition)
                .put("n", n);
    }

    /** Stops after the writes that are under way. */
    Map<String, Integer> stop() {
        close();
        return acknowledged();
    }

    @Override
    public void close() {
        stopped = true;
        for (var thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
