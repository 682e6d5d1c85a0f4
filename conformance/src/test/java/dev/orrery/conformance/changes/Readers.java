package dev.orrery.conformance.changes;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Clients that read the same items again and again, each by itself and all of them in pages, and expect to find them. */
final class Readers implements AutoCloseable {
    private static final int ITEMS = 40;
    private static final int PAGE_SIZE = 7;
    private static final String QUERY = "SELECT VALUE c.id FROM c WHERE STARTSWITH(c.id, 'stays-')";

    private final CosmosContainer container;
    private final List<Throwable> problems = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> rounds = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    private Readers(CosmosContainer container) {
        this.container = container;
    }

    /** Makes the items first. */
    static Readers start(CosmosContainer container) {
        var readers = new Readers(container);
        for (int i = 0; i < ITEMS; i++) {
            container.createItem(
                    JsonNodeFactory.instance.objectNode().put("id", id(i)).put("pk", id(i)));
        }
        readers.begin("reads", readers::readEach);
        readers.begin("queries", readers::queryAll);
        return readers;
    }

    private void begin(String name, Runnable round) {
        rounds.put(name, 0);
        threads.add(Thread.ofPlatform().daemon().start(() -> {
            while (!stopped) {
                try {
                    round.run();
                    rounds.merge(name, 1, Integer::sum);
                } catch (RuntimeException | AssertionError problem) {
                    problems.add(problem);
                }
            }
        }));
    }

    private void readEach() {
        for (int i = 0; i < ITEMS; i++) {
            container.readItem(id(i), new PartitionKey(id(i)), ObjectNode.class);
        }
    }

    private void queryAll() {
        var wanted = new TreeSet<String>();
        for (int i = 0; i < ITEMS; i++) {
            wanted.add(id(i));
        }
        var found = new ArrayList<String>();
        container
                .queryItems(QUERY, new CosmosQueryRequestOptions(), String.class)
                .iterableByPage(PAGE_SIZE)
                .forEach(page -> found.addAll(page.getResults()));
        if (found.size() != ITEMS || !wanted.equals(new TreeSet<>(found))) {
            throw new AssertionError("a query gave " + found);
        }
    }

    private static String id(int number) {
        return "stays-" + number;
    }

    /** Lets both go through all items some more times. */
    void awaitMore(int more) {
        rounds.forEach((name, before) ->
                Await.until("the " + name + " go on", () -> rounds.get(name) >= before + more || !problems.isEmpty()));
    }

    /** What an application would have seen go wrong. */
    List<Throwable> problems() {
        return problems;
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
