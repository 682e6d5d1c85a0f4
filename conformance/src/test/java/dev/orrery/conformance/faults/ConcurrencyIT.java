package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.server.ClientMode;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Many clients at the same thing at the same time: nothing is lost, and nobody meets a server error. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ConcurrencyIT {
    private static final int CLIENTS = 32;
    private static final int INCREMENTS = 10;
    private static final PartitionKey KEY = new PartitionKey("a");
    private static final List<CosmosClient> CONNECTED = new ArrayList<>();

    private static String database;

    @Parameter
    ClientMode mode;

    @BeforeParameterizedClassInvocation
    static void connect(ClientMode mode) {
        for (var i = 0; i < CLIENTS; i++) {
            CONNECTED.add(mode.to(new CosmosClientBuilder()
                            .endpoint(SharedServer.running().http().toString())
                            .key(OrreryServer.WELL_KNOWN_KEY))
                    .connectionSharingAcrossClientsEnabled(true)
                    .buildClient());
        }
        database = "concurrency-" + mode;
        CONNECTED.getFirst().createDatabaseIfNotExists(database);
    }

    @AfterParameterizedClassInvocation
    static void disconnect() {
        CONNECTED.forEach(CosmosClient::close);
        CONNECTED.clear();
    }

    @Test
    void incrementsGuardedByEtagsAddUpExactly() {
        var container = create(new CosmosContainerProperties("etags", "/pk"));
        container.createItem(item("counter").put("n", 0));
        atOnce(client -> {
            increment(in(client, "etags"));
            return true;
        });
        assertThat(counter(container)).isEqualTo(CLIENTS * INCREMENTS);
    }

    @Test
    void ofAllWhoHaveReadTheSameVersionOneReplacesIt() {
        var container = create(new CosmosContainerProperties("versions", "/pk"));
        var item = container.createItem(item("one"));
        for (var round = 0; round < 10; round++) {
            var guard = new CosmosItemRequestOptions().setIfMatchETag(item.getETag());
            assertThat(atOnce(client -> replaceStatus(client, guard)))
                    .containsOnlyOnce(200)
                    .containsOnly(200, 412);
            item = container.readItem("one", KEY, ObjectNode.class);
        }
    }

    /** Increments the counter some times, whoever else is faster. */
    private static void increment(CosmosContainer container) {
        for (var done = 0; done < INCREMENTS; ) {
            var current = container.readItem("counter", KEY, ObjectNode.class);
            var next = current.getItem().put("n", current.getItem().path("n").intValue() + 1);
            try {
                var guard = new CosmosItemRequestOptions().setIfMatchETag(current.getETag());
                container.replaceItem(next, "counter", KEY, guard);
                done++;
            } catch (CosmosException refusal) {
                assertThat(refusal.getStatusCode()).as(refusal.getMessage()).isEqualTo(412);
            }
        }
    }

    @Test
    void incrementsByPatchAddUpExactly() {
        var container = create(new CosmosContainerProperties("patches", "/pk"));
        container.createItem(item("counter").put("n", 0));
        atOnce(client -> {
            var plusOne = CosmosPatchOperations.create().increment("/n", 1);
            for (var i = 0; i < INCREMENTS; i++) {
                in(client, "patches").patchItem("counter", KEY, plusOne, ObjectNode.class);
            }
            return true;
        });
        assertThat(counter(container)).isEqualTo(CLIENTS * INCREMENTS);
    }

    @Test
    void aDatabaseAndAContainerThatEverybodyCreatesExistOnce() {
        for (var round = 0; round < 5; round++) {
            var name = "race-" + mode + "-" + round;
            // Who sees nothing there and then comes second gets a conflict, which the SDK passes on.
            assertThat(atOnce(client -> status(() -> client.createDatabaseIfNotExists(name))))
                    .containsOnlyOnce(201)
                    .allMatch(List.of(200, 201, 409)::contains);
            assertThat(atOnce(client ->
                            status(() -> client.getDatabase(name).createContainerIfNotExists("container", "/pk"))))
                    .containsOnlyOnce(201)
                    .allMatch(List.of(200, 201, 409)::contains);
            atOnce(client -> client.getDatabase(name).getContainer("container").upsertItem(item("x")));
        }
    }

    @Test
    void aUniqueValueThatEverybodyWantsGoesToOne() {
        var policy = new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/seat"))));
        create(new CosmosContainerProperties("seats", "/pk").setUniqueKeyPolicy(policy));
        for (var round = 0; round < 10; round++) {
            var seat = "seat-" + round;
            var outcomes = atOnce(client -> createStatus(
                    client,
                    "seats",
                    item(seat + "-" + CONNECTED.indexOf(client)).put("seat", seat)));
            assertThat(outcomes).containsOnlyOnce(201).containsOnly(201, 409);
        }
    }

    @Test
    void anIdThatEverybodyWantsGoesToOne() {
        create(new CosmosContainerProperties("ids", "/pk"));
        for (var round = 0; round < 10; round++) {
            var id = "id-" + round;
            assertThat(atOnce(client -> createStatus(client, "ids", item(id))))
                    .containsOnlyOnce(201)
                    .containsOnly(201, 409);
        }
    }

    private static int createStatus(CosmosClient client, String container, ObjectNode item) {
        try {
            return in(client, container).createItem(item).getStatusCode();
        } catch (CosmosException refusal) {
            return refusal.getStatusCode();
        }
    }

    private static int replaceStatus(CosmosClient client, CosmosItemRequestOptions guard) {
        try {
            return in(client, "versions")
                    .replaceItem(item("one"), "one", KEY, guard)
                    .getStatusCode();
        } catch (CosmosException refusal) {
            return refusal.getStatusCode();
        }
    }

    private static int status(Supplier<CosmosResponse<?>> request) {
        try {
            return request.get().getStatusCode();
        } catch (CosmosException refusal) {
            return refusal.getStatusCode();
        }
    }

    /** Runs the task once per client, all of them started together, and returns what they returned. */
    private static <T> List<T> atOnce(Function<CosmosClient, T> task) {
        var start = new CountDownLatch(1);
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            var running = CONNECTED.stream()
                    .map(client -> threads.submit(() -> {
                        start.await();
                        return task.apply(client);
                    }))
                    .toList();
            start.countDown();
            var results = new ArrayList<T>();
            for (var result : running) {
                results.add(result.get());
            }
            return results;
        } catch (InterruptedException | ExecutionException failure) {
            throw new AssertionError(failure);
        }
    }

    private static CosmosContainer create(CosmosContainerProperties properties) {
        CONNECTED.getFirst().getDatabase(database).createContainer(properties);
        return in(CONNECTED.getFirst(), properties.getId());
    }

    private static CosmosContainer in(CosmosClient client, String container) {
        return client.getDatabase(database).getContainer(container);
    }

    private static int counter(CosmosContainer container) {
        return container
                .readItem("counter", KEY, ObjectNode.class)
                .getItem()
                .path("n")
                .intValue();
    }

    private static ObjectNode item(String id) {
        return JsonNodeFactory.instance.objectNode().put("id", id).put("pk", "a");
    }
}
