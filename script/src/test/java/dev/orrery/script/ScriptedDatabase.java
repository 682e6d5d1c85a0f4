package dev.orrery.script;

import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.Surroundings;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ExecuteProcedure;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A database in memory that runs scripts, with a database {@code d} and a container {@code c} partitioned by /pk. */
final class ScriptedDatabase implements AutoCloseable {
    static final Address DATABASE = Address.ACCOUNT.child(ResourceKind.DATABASE, "d");
    static final Address CONTAINER = DATABASE.child(ResourceKind.CONTAINER, "c");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final Store store = new MemoryStore();
    private final ScriptTime time = new ScriptTime();
    private final GraalScripts scripts = new GraalScripts(timer, threads, threads, time);
    private final LocalDatabase database;

    ScriptedDatabase() {
        this("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
    }

    ScriptedDatabase(String definition) {
        database = LocalDatabase.open(new Surroundings(
                store,
                Clock.systemUTC(),
                time,
                new SplittableRandom(7),
                threads,
                threads,
                timer,
                scripts,
                threads,
                () -> List.of(new byte[] {1, 2, 3}),
                ConsistencyLevel.SESSION,
                Retention.DEFAULT,
                Metering.free(),
                MemoryBudget.unlimited(),
                Limits.LOGICAL_PARTITION_BYTES_MAX));
        create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}");
        create(ResourceKind.CONTAINER, DATABASE, definition);
    }

    ScriptTime time() {
        return time;
    }

    CompletableFuture<Outcome> begin(Operation operation) {
        return database.execute(operation, Caller.owner()).toCompletableFuture();
    }

    Outcome execute(Operation operation) {
        return begin(operation).join();
    }

    private void create(ResourceKind kind, Address parent, String body) {
        var outcome = upsert(kind, parent, body);
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new AssertionError(failure.message());
        }
    }

    private Outcome upsert(ResourceKind kind, Address parent, String body) {
        return execute(new Operation.CreateResource(
                kind, parent, body.getBytes(StandardCharsets.UTF_8), true, Optional.empty(), 0));
    }

    /** Offers a script of some kind, whether it can be read or not. */
    Outcome offer(ResourceKind kind, String id, String body) {
        var script = script(id, body).put("triggerType", "Pre").put("triggerOperation", "All");
        return upsert(kind, CONTAINER, JsonWriter.text(script.build()));
    }

    /** Stores a procedure, or another in its place. */
    void procedure(String id, String body) {
        create(
                ResourceKind.STORED_PROCEDURE,
                CONTAINER,
                JsonWriter.text(script(id, body).build()));
    }

    void function(String id, String body) {
        create(
                ResourceKind.USER_DEFINED_FUNCTION,
                CONTAINER,
                JsonWriter.text(script(id, body).build()));
    }

    void trigger(String id, String type, String operation, String body) {
        create(
                ResourceKind.TRIGGER,
                CONTAINER,
                JsonWriter.text(script(id, body)
                        .put("triggerType", type)
                        .put("triggerOperation", operation)
                        .build()));
    }

    private static Obj.Builder script(String id, String body) {
        return Obj.builder().put("id", id).put("body", body);
    }

    static ExecuteProcedure call(String id, String partition, String arguments) {
        return new ExecuteProcedure(
                CONTAINER, id, Optional.of(key(partition)), arguments.getBytes(StandardCharsets.UTF_8), true);
    }

    Outcome run(String id, String partition, String arguments) {
        return execute(call(id, partition, arguments));
    }

    /** Runs a body once in partition {@code p} and gives the JSON that it set as its response. */
    String result(String body, String arguments) {
        procedure("once", body);
        return json(run("once", "p", arguments));
    }

    String result(String body) {
        return result(body, "[]");
    }

    Failure refusal(String body) {
        procedure("once", body);
        return failure(run("once", "p", "[]"));
    }

    Outcome write(String partition, ItemWrite write, Triggers triggers) {
        return execute(new Operation.WriteItem(CONTAINER, Optional.of(key(partition)), write, triggers));
    }

    Outcome createItem(String partition, String body) {
        return write(
                partition,
                new ItemWrite.Create(body.getBytes(StandardCharsets.UTF_8), Precondition.NONE),
                Triggers.NONE);
    }

    /** Whether or not there is one already. */
    Outcome putItem(String partition, String body) {
        return write(
                partition,
                new ItemWrite.Upsert(body.getBytes(StandardCharsets.UTF_8), Precondition.NONE),
                Triggers.NONE);
    }

    Optional<Obj> item(String partition, String id) {
        var outcome = execute(new Operation.ReadItem(CONTAINER, id, Optional.of(key(partition)), Precondition.NONE));
        return outcome.answer() instanceof Answer.Resource resource
                ? Optional.of((Obj) JsonReader.parse(
                        StandardCharsets.UTF_8.decode(resource.json()).toString()))
                : Optional.empty();
    }

    JsonValue property(String partition, String id, String name) {
        return item(partition, id).orElseThrow().member(name);
    }

    static String json(Outcome outcome) {
        return switch (outcome.answer()) {
            case Answer.Executed executed -> new String(executed.json(), StandardCharsets.UTF_8);
            case Answer.Refused(var failure) -> throw new AssertionError(failure.toString());
            default -> throw new AssertionError(outcome.toString());
        };
    }

    static Failure failure(Outcome outcome) {
        return switch (outcome.answer()) {
            case Answer.Refused(var failure) -> failure;
            default -> throw new AssertionError("not refused: " + outcome);
        };
    }

    static PartitionKey key(String text) {
        return new PartitionKey(List.of(new Str(text)));
    }

    @Override
    public void close() {
        threads.close();
        scripts.close();
        database.close();
        store.close();
        timer.shutdownNow();
    }
}
