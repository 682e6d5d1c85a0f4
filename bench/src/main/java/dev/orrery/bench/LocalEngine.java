package dev.orrery.bench;

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
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The engine within this process, on its store of one machine, with one database. */
final class LocalEngine implements AutoCloseable {
    private static final Caller OWNER = Caller.owner();
    private static final Address DATABASE = Address.ACCOUNT.child(ResourceKind.DATABASE, "bench");

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    private final RocksDbStore store;
    private final LocalDatabase database;

    LocalEngine(Path folder) {
        store = new RocksDbStore(folder, RocksDbSettings.DEFAULT.withSeparateKeySpaces(KeySpace.scattered()), threads);
        database = LocalDatabase.open(new Surroundings(
                store,
                Clock.systemUTC(),
                System::nanoTime,
                new SplittableRandom(1),
                threads,
                threads,
                threads,
                ScriptRunner.none(),
                threads,
                new byte[32],
                ConsistencyLevel.SESSION,
                Retention.DEFAULT,
                Metering.free()));
        create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"bench\"}");
    }

    /** Makes a container and tells where it is. */
    Address container(String name, String definition) {
        create(ResourceKind.CONTAINER, DATABASE, definition);
        return DATABASE.child(ResourceKind.CONTAINER, name);
    }

    private void create(ResourceKind kind, Address parent, String json) {
        demand(start(new Operation.CreateResource(
                kind, parent, json.getBytes(StandardCharsets.UTF_8), false, Optional.empty(), 0)));
    }

    CompletionStage<Outcome> start(Operation operation) {
        return database.execute(operation, OWNER);
    }

    static Outcome demand(CompletionStage<Outcome> stage) {
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
