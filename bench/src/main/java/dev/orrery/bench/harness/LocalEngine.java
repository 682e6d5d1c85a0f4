package dev.orrery.bench.harness;

import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.Surroundings;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.script.GraalScripts;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The engine within this process, with one database. */
public final class LocalEngine implements AutoCloseable {
    private static final Caller OWNER = Caller.owner();
    private static final Address DATABASE = Address.ACCOUNT.child(ResourceKind.DATABASE, "bench");

    private final ScheduledExecutorService threads;
    private final Store store;
    private final LocalDatabase database;

    /** On the store of one machine, without scripts. */
    public static LocalEngine onDisk(Path folder) {
        var threads = threads();
        var settings = RocksDbSettings.DEFAULT.withSeparateKeySpaces(KeySpace.scattered());
        return new LocalEngine(threads, new RocksDbStore(folder, settings, threads), ScriptRunner.none());
    }

    /** With scripts and nothing on disk. */
    public static LocalEngine inMemory() {
        var threads = threads();
        return new LocalEngine(
                threads, new MemoryStore(), new GraalScripts(threads, threads, threads, System::nanoTime));
    }

    private static ScheduledExecutorService threads() {
        return Executors.newScheduledThreadPool(4);
    }

    private LocalEngine(ScheduledExecutorService threads, Store store, ScriptRunner scripts) {
        this.threads = threads;
        this.store = store;
        database = LocalDatabase.open(new Surroundings(
                store,
                Clock.systemUTC(),
                System::nanoTime,
                new SplittableRandom(1),
                threads,
                threads,
                threads,
                scripts,
                threads,
                () -> List.of(new byte[32]),
                ConsistencyLevel.SESSION,
                Retention.DEFAULT,
                Metering.free(),
                MemoryBudget.ofHeap(Runtime.getRuntime().maxMemory()),
                Limits.LOGICAL_PARTITION_BYTES_MAX));
        create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"bench\"}", Optional.empty());
    }

    /** Makes a container and tells where it is. */
    public Address container(String name, String definition) {
        return container(name, definition, 1);
    }

    /** The same with so many physical partitions. */
    public Address container(String name, String definition, int partitions) {
        var throughput = new Throughput.Manual(partitions * Limits.PHYSICAL_PARTITION_REQUEST_UNITS_AT_FIRST);
        create(ResourceKind.CONTAINER, DATABASE, definition, Optional.of(throughput));
        return DATABASE.child(ResourceKind.CONTAINER, name);
    }

    public void script(Address container, String name, String text) {
        var definition = Obj.builder().put("id", name).put("body", text).build();
        create(ResourceKind.STORED_PROCEDURE, container, JsonWriter.text(definition), Optional.empty());
    }

    private void create(ResourceKind kind, Address parent, String json, Optional<Throughput> throughput) {
        demand(start(new Operation.CreateResource(
                kind, parent, json.getBytes(StandardCharsets.UTF_8), false, throughput, 0)));
    }

    public CompletionStage<Outcome> start(Operation operation) {
        return database.execute(operation, OWNER);
    }

    public static Outcome demand(CompletionStage<Outcome> stage) {
        var outcome = stage.toCompletableFuture().join();
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new BenchException(failure.message());
        }
        return outcome;
    }

    @Override
    public void close() {
        database.close();
        threads.shutdown();
        store.close();
    }
}
