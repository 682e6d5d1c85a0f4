package dev.orrery.region;

import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Await;
import dev.orrery.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** Regions of one account in one process: the test says who takes the writes, and whom nobody reaches any more. */
final class RegionsInMemory implements AutoCloseable {
    private static final Address DATABASE = Address.ACCOUNT.child(ResourceKind.DATABASE, "d");
    private static final Address CONTAINER = DATABASE.child(ResourceKind.CONTAINER, "c");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Region> regions = new ConcurrentHashMap<>();
    private final Map<String, Past> pasts = new ConcurrentHashMap<>();
    private final Set<String> dead = ConcurrentHashMap.newKeySet();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();
    private final Duration lease;
    private volatile Charter charter;

    /** A region with all it has. */
    record Region(LocalDatabase database, Faults faults, RegionNode node, List<Consumer<Charter>> watchers) {
        long items() {
            return database.replica().itemCounts().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /**
     * Starts them; the first one takes the writes, and has a container when this returns.
     *
     * @param lease for how long one that says nothing may be waited for
     */
    RegionsInMemory(List<String> names, Duration lease) {
        this.lease = lease;
        charter = Charter.founding(names.stream()
                .map(name -> new Member(name, names.indexOf(name), "http://" + name + "/", name + ":1", false))
                .toList());
        names.forEach(this::start);
        var first = names.getFirst();
        Await.value(first + " takes the writes", () -> takesWrites(first), true);
        execute(
                first,
                new Operation.CreateResource(
                        ResourceKind.DATABASE, Address.ACCOUNT, bytes("{\"id\":\"d\"}"), false, Optional.empty(), 0));
        execute(
                first,
                new Operation.CreateResource(
                        ResourceKind.CONTAINER,
                        DATABASE,
                        bytes("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}"),
                        false,
                        Optional.empty(),
                        0));
    }

    private void start(String name) {
        var random = new Random(name.hashCode());
        var database = LocalDatabase.open(new dev.orrery.engine.Surroundings(
                new MemoryStore(),
                InstantSource.system(),
                System::nanoTime,
                random,
                threads,
                threads,
                timer,
                ScriptRunner.none(),
                threads,
                () -> List.of(new byte[] {1, 2, 3}),
                ConsistencyLevel.SESSION,
                Retention.DEFAULT,
                Metering.free(),
                MemoryBudget.unlimited(),
                Limits.LOGICAL_PARTITION_BYTES_MAX));
        var faults = new Faults(timer);
        var watchers = new CopyOnWriteArrayList<Consumer<Charter>>();
        var settings = new RegionSettings(
                "account", name, ConsistencyLevel.SESSION, 100, Duration.ofSeconds(5), lease, lease.multipliedBy(2));
        var around = new Surroundings(
                (to, question) -> send(name, to.name(), question),
                faults,
                InstantSource.system(),
                System::nanoTime,
                random,
                timer,
                threads,
                threads,
                Optional.empty(),
                new Past.Diary() {
                    @Override
                    public Past read() {
                        return pasts.getOrDefault(name, Past.NONE);
                    }

                    @Override
                    public void write(Past past) {
                        pasts.put(name, past);
                    }
                },
                Optional.empty());
        var node = new RegionNode(settings, council(name, watchers), database.replica(), around);
        regions.put(name, new Region(database, faults, node, watchers));
    }

    /** What all agree on at once, since there is one for all. */
    private Council council(String name, List<Consumer<Charter>> watchers) {
        return new Council() {
            @Override
            public Charter charter() {
                return charter;
            }

            @Override
            public CompletionStage<Charter> change(Charter next) {
                decide(next);
                return CompletableFuture.completedStage(next);
            }

            @Override
            public void watch(Consumer<Charter> watcher) {
                watchers.add(watcher);
            }

            @Override
            public boolean isLeased() {
                return charter.writeRegion().equals(name) && !dead.contains(name);
            }

            @Override
            public void close() {}
        };
    }

    private CompletionStage<byte[]> send(String from, String to, byte[] question) {
        var there = regions.get(to);
        if (there == null || dead.contains(from) || dead.contains(to)) {
            return CompletableFuture.failedStage(new IOException(to + " is not reached"));
        }
        return silent.contains(to)
                ? new CompletableFuture<>()
                : CompletableFuture.supplyAsync(() -> there.node().answer(question), threads)
                        .thenCompose(answer -> answer);
    }

    Region region(String name) {
        return regions.get(name);
    }

    boolean takesWrites(String name) {
        return region(name).database().replica().takesWrites();
    }

    /** The region that is lost takes part in nothing any more. */
    void kill(String name) {
        dead.add(name);
        region(name).node().close();
    }

    /** It takes every question, and never answers. */
    void silence(String name) {
        silent.add(name);
    }

    /** The majority names another write region. */
    void name(String writer) {
        decide(charter.withWriter(writer));
    }

    private synchronized void decide(Charter next) {
        charter = next;
        regions.values().forEach(region -> region.watchers().forEach(watcher -> watcher.accept(next)));
    }

    void create(String region, String id) {
        execute(
                region,
                new Operation.WriteItem(
                        CONTAINER,
                        Optional.of(new PartitionKey(List.of(new Str("p")))),
                        new ItemWrite.Create(bytes("{\"id\":\"%s\",\"pk\":\"p\"}".formatted(id)), Precondition.NONE),
                        Triggers.NONE));
    }

    private void execute(String region, Operation operation) {
        var outcome = region(region)
                .database()
                .execute(operation, Caller.owner())
                .toCompletableFuture()
                .join();
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new FailureException(failure);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        regions.values().forEach(region -> region.node().close());
        regions.values().forEach(region -> region.database().close());
        timer.shutdownNow();
        threads.shutdownNow();
    }
}
