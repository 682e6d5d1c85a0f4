package dev.orrery.bench;

import com.sun.management.ThreadMXBean;
import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.Surroundings;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.Query;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The engine within this process, on its store of one machine: what queries cost without a network. */
final class EngineProbe implements AutoCloseable {
    /** Reads, filters, sorts and cuts; with a parameter, as applications send them. */
    static final String TYPICAL = "SELECT c.id, c.name, c.price FROM c WHERE c.category = @category AND c.price > 10"
            + " ORDER BY c.price DESC OFFSET 0 LIMIT 20";

    static final String FILTER = "SELECT VALUE COUNT(1) FROM c WHERE c.quantity = 42";

    private static final int WRITES_AT_ONCE = 1000;
    private static final int PARSES = 20_000;
    private static final Caller OWNER =
            new Caller(new Caller.Principal.Owner(), Optional.empty(), Optional.empty(), Optional.empty());
    private static final Address DATABASE = Address.ACCOUNT.child(ResourceKind.DATABASE, "bench");
    private static final Address CONTAINER = DATABASE.child(ResourceKind.CONTAINER, "items");

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    private final RocksDbStore store;
    private final LocalDatabase database;

    EngineProbe(Path folder) {
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
                ConsistencyLevel.SESSION));
        demand(database.execute(create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"bench\"}"), OWNER));
        demand(database.execute(
                create(
                        ResourceKind.CONTAINER,
                        DATABASE,
                        "{\"id\":\"items\",\"partitionKey\":{\"paths\":[\"/customer\"],\"version\":2}}"),
                OWNER));
    }

    void load(int items) {
        var underWay = new ArrayList<CompletionStage<Outcome>>();
        for (int number = 0; number < items; number++) {
            var key = PartitionKey.parse("[\"" + QueryItem.customer(number / QueryItem.PER_CUSTOMER) + "\"]");
            var write = new ItemWrite.Create(utf8(QueryItem.json(number)), Precondition.NONE);
            underWay.add(database.execute(
                    new Operation.WriteItem(CONTAINER, Optional.of(key), write, Triggers.NONE), OWNER));
            if (underWay.size() == WRITES_AT_ONCE) {
                underWay.forEach(EngineProbe::demand);
                underWay.clear();
            }
        }
        underWay.forEach(EngineProbe::demand);
    }

    /** Processor time of reading and binding the typical query. */
    double parseMicros() {
        long before = thread.getCurrentThreadCpuTime();
        int length = 0;
        for (int round = 0; round < PARSES; round++) {
            length += Query.of(TYPICAL).text().length();
        }
        if (length != PARSES * TYPICAL.length()) {
            throw new IllegalStateException("a query forgot its text");
        }
        return (thread.getCurrentThreadCpuTime() - before) / 1e3 / PARSES;
    }

    /** Processor time of one filter scan over all items. */
    double scanSeconds() {
        var text = new QueryText(utf8("{\"query\":\"" + FILTER + "\"}"));
        var everywhere = new Scope(Optional.empty(), Optional.empty(), Optional.empty());
        long before = thread.getCurrentThreadCpuTime();
        var outcome = demand(database.execute(
                new Operation.QueryItems(
                        CONTAINER, everywhere, text, new Page(Optional.empty(), Optional.empty()), false),
                OWNER));
        long nanos = thread.getCurrentThreadCpuTime() - before;
        if (!(outcome.answer() instanceof Answer.Feed feed) || feed.rows().size() != 1) {
            throw new BenchException("A scan of all items did not give its one row.");
        }
        return nanos / 1e9;
    }

    private static Operation create(ResourceKind kind, Address parent, String json) {
        return new Operation.CreateResource(kind, parent, utf8(json), false, Optional.empty(), 0);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Outcome demand(CompletionStage<Outcome> stage) {
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
