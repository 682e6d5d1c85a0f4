package dev.orrery.conformance.regions;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.checker.Action;
import dev.orrery.checker.Operation;
import dev.orrery.checker.Outcome;
import dev.orrery.checker.Recorder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that write and read the same few items, and what they saw. */
final class Sessions {
    private static final PartitionKey PARTITION = new PartitionKey("p");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> keys;
    private final Recorder recorder = new Recorder(System::nanoTime);
    private final AtomicInteger values = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    Sessions(List<String> keys) {
        this.keys = keys;
    }

    /** Lets one more client do so many operations. */
    void start(CosmosContainer container, Random random, int operations) {
        int session = threads.size();
        threads.add(Thread.ofPlatform().start(() -> {
            for (int done = 0; done < operations; done++) {
                var key = keys.get(random.nextInt(keys.size()));
                switch (random.nextInt(10)) {
                    case 0, 1, 2, 3 -> write(session, container, key);
                    case 4 -> readAll(session, container);
                    default -> read(session, container, key);
                }
            }
        }));
    }

    /** How many operations have ended. */
    int done() {
        return recorder.operations().size();
    }

    boolean areGoing() {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    /** All operations, when the last has ended. */
    List<Operation> join() throws InterruptedException {
        for (var thread : threads) {
            thread.join();
        }
        return recorder.operations();
    }

    private void write(int session, CosmosContainer container, String key) {
        var value = "v" + values.incrementAndGet();
        var pending = recorder.begin(session);
        var action = Action.Write.of(key, value);
        try {
            container.upsertItem(
                    JSON.createObjectNode().put("id", key).put("pk", "p").put("v", value));
            pending.end(action, Outcome.DONE);
        } catch (RuntimeException failed) { // Of other kinds, too, where no region could be asked who else there is.
            pending.end(action, Outcome.UNKNOWN);
        }
    }

    private void read(int session, CosmosContainer container, String key) {
        var pending = recorder.begin(session);
        try {
            var item = container.readItem(key, PARTITION, ObjectNode.class).getItem();
            pending.end(Action.Read.of(key, Optional.of(item.path("v").asText())), Outcome.DONE);
        } catch (RuntimeException failed) {
            boolean absent = failed instanceof CosmosException known
                    && known.getStatusCode() == 404
                    && known.getSubStatusCode() == 0;
            pending.end(Action.Read.of(key, Optional.empty()), absent ? Outcome.DONE : Outcome.NOT_DONE);
        }
    }

    private void readAll(int session, CosmosContainer container) {
        var pending = recorder.begin(session);
        Map<String, Optional<String>> seen = new HashMap<>();
        keys.forEach(key -> seen.put(key, Optional.empty()));
        try {
            int pages = 0;
            for (var page : container
                    .queryItems(
                            new SqlQuerySpec(
                                    "SELECT c.id, c.v FROM c WHERE ARRAY_CONTAINS(@keys, c.id)",
                                    List.of(new SqlParameter("@keys", keys))),
                            new CosmosQueryRequestOptions().setPartitionKey(PARTITION),
                            JsonNode.class)
                    .iterableByPage()) {
                page.getResults()
                        .forEach(row -> seen.put(
                                row.path("id").asText(),
                                Optional.of(row.path("v").asText())));
                pages++;
            }
            // Each page shows one moment; several of them promise nothing together.
            pending.end(new Action.Read(seen), pages == 1 ? Outcome.DONE : Outcome.NOT_DONE);
        } catch (RuntimeException failed) {
            pending.end(new Action.Read(seen), Outcome.NOT_DONE);
        }
    }
}
