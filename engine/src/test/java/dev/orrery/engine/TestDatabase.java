package dev.orrery.engine;

import dev.orrery.engine.advice.Advice;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.hub.Fronts;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Writers.Regions;
import dev.orrery.engine.replica.Replica;
import dev.orrery.engine.resource.Census;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import dev.orrery.store.rocksdb.Durability;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** A database on a store in memory, with a clock that tests set, and short ways to ask things of it. */
public final class TestDatabase implements AutoCloseable {
    public static final Address DATABASE = Address.ACCOUNT.child(ResourceKind.DATABASE, "d");
    public static final Address CONTAINER = DATABASE.child(ResourceKind.CONTAINER, "c");

    private final Optional<Path> directory;
    private Store store;
    private final ScriptRunner scripts;
    private final Optional<Metering> metering;
    // As many as there is work: what keeps a view waits for lanes, which must not wait for a thread in turn.
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBudget memory = MemoryBudget.unlimited();
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private LocalDatabase database;
    private int openings;
    private ConsistencyLevel defaultConsistency = ConsistencyLevel.SESSION;
    private long logicalPartitionBytesMax = Limits.LOGICAL_PARTITION_BYTES_MAX;

    private TestDatabase(Store store) {
        this(store, ScriptRunner.none(), Optional.empty());
    }

    private TestDatabase(Store store, ScriptRunner scripts, Optional<Metering> metering) {
        this.directory = Optional.empty();
        this.store = store;
        this.scripts = scripts;
        this.metering = metering;
        open();
    }

    private TestDatabase(Path directory) {
        this.directory = Optional.of(directory);
        this.store = onDisk(directory);
        this.scripts = ScriptRunner.none();
        this.metering = Optional.empty();
        open();
    }

    private Store onDisk(Path place) {
        return new RocksDbStore(
                place,
                RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED).withSeparateKeySpaces(KeySpace.scattered()),
                timer);
    }

    /** With nothing in it. */
    public static TestDatabase empty() {
        return new TestDatabase(new MemoryStore());
    }

    /** With a database {@code d} and a container {@code c} partitioned by {@code /pk}. */
    public static TestDatabase withContainer() {
        return withContainer("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    }

    /** The same, with something that runs scripts. */
    public static TestDatabase withContainer(ScriptRunner scripts) {
        return withContainer(new MemoryStore(), scripts);
    }

    public static TestDatabase withContainer(Store store, ScriptRunner scripts) {
        return new TestDatabase(store, scripts, Optional.empty())
                .with("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    }

    public static TestDatabase withContainer(String definition, int requestUnits) {
        return withContainer(new MemoryStore(), definition, requestUnits);
    }

    public static TestDatabase withContainer(Store store, String definition, int requestUnits) {
        return new TestDatabase(store).with(definition, requestUnits);
    }

    /** On RocksDB in a directory. */
    public static TestDatabase withContainer(Path directory, String definition, int requestUnits) {
        return new TestDatabase(directory).with(definition, requestUnits);
    }

    /** With nothing in it, and with budgets that are refilled when the test lets time pass. */
    public static TestDatabase metered(Metering metering) {
        return new TestDatabase(new MemoryStore(), ScriptRunner.none(), Optional.of(metering));
    }

    private TestDatabase with(String definition, int requestUnits) {
        create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}", Optional.empty());
        create(ResourceKind.CONTAINER, DATABASE, definition, Optional.of(new Throughput.Manual(requestUnits)));
        return this;
    }

    private void open() {
        // Of many threads, and never the same numbers again: a store takes a commit with a known id for one it has.
        var random = new Random(++openings);
        InstantSource clock = () -> now;
        database = LocalDatabase.open(new Surroundings(
                store,
                clock,
                metering.isPresent() ? this::nanos : System::nanoTime,
                random,
                threads,
                threads,
                timer,
                scripts,
                threads,
                () -> List.of(new byte[] {1, 2, 3}),
                defaultConsistency,
                Retention.DEFAULT,
                metering.orElseGet(Metering::free),
                memory,
                logicalPartitionBytesMax));
    }

    /** How much requests have taken of the memory that they share. */
    public long memoryTaken() {
        return memory.bytesTaken();
    }

    /** As after a restart of an account with another default. */
    public void reopen(ConsistencyLevel level) {
        defaultConsistency = level;
        reopen();
    }

    /** As after a restart with another bound for the items of one partition key. */
    public void reopen(long partitionBytesMax) {
        logicalPartitionBytesMax = partitionBytesMax;
        reopen();
    }

    /** As after a restart of the process. */
    public void reopen() {
        reopen(() -> {});
    }

    /** The same, and something happens in between. */
    public void reopen(Runnable whileClosed) {
        database.close();
        whileClosed.run();
        directory.ifPresent(place -> {
            store.close();
            store = onDisk(place);
        });
        open();
    }

    public Instant time() {
        return now;
    }

    public void setTime(Instant instant) {
        now = instant;
    }

    public void passSeconds(long seconds) {
        now = now.plusSeconds(seconds);
    }

    public List<Census.Figures> census() {
        return database.census();
    }

    public Advice advice() {
        return database.advice();
    }

    public Replica replica() {
        return database.replica();
    }

    /** Has clients write to what stands beside what is settled, as in one region of several; not begun yet. */
    public Fronts writeInAllRegions() {
        int slot = WriterSlot.of(0);
        return database.writeInAllRegions(slot, () -> true, () -> new Regions(1, Map.of(slot, "West")));
    }

    public Location locate(Address address) {
        return database.locate(address);
    }

    public boolean has(Location location) {
        return database.has(location);
    }

    public void passMillis(long millis) {
        now = now.plusMillis(millis);
    }

    private long nanos() {
        return now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    /** Has every range opened anew when it is asked for the next time. */
    public void releaseRanges() {
        database.releaseRanges();
    }

    public void trimLogs() {
        database.trimLogs();
    }

    /** How many rows of a kind are stored in all partitions of all containers. */
    public long rowsOf(KeySpace space) {
        return store.partitions().stream().mapToLong(id -> rowsOf(id, space)).sum();
    }

    private long rowsOf(PartitionId id, KeySpace space) {
        long rows = 0;
        try (var partition = store.open(id, 1);
                var snapshot = partition.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                rows++;
            }
        }
        return rows;
    }

    // ---- asking ----

    public Outcome execute(Operation operation) {
        return execute(operation, Caller.owner());
    }

    public Outcome execute(Operation operation, Caller caller) {
        var outcome = database.execute(operation, caller).toCompletableFuture().join();
        database.noteWorkload(); // None is left out, however slow the machine is.
        return outcome;
    }

    /** Whether an event loop may carry it out. */
    public boolean isPrompt(Operation operation) {
        return database.isPrompt(operation);
    }

    public Outcome create(ResourceKind kind, Address parent, String body, Optional<Throughput> throughput) {
        return execute(new Operation.CreateResource(kind, parent, bytes(body), false, throughput, 0));
    }

    public Outcome replaceContainer(String body) {
        return execute(new Operation.ReplaceResource(CONTAINER, bytes(body), Precondition.NONE, Migration.NONE, 0));
    }

    /** Sets the throughput of the container, as clients do: by its offer. */
    public Outcome setThroughput(int requestUnits) {
        return setThroughput(CONTAINER, requestUnits);
    }

    public Outcome setThroughput(Address owner, int requestUnits) {
        return changeOffer(owner, "offerThroughput", new Num(requestUnits));
    }

    /** The offer of a database or container, if it has one. */
    public Optional<Obj> offer(Address owner) {
        var resource = json(execute(new Operation.ReadResource(owner, Precondition.NONE, false, 0)));
        var query = "{\"query\":\"SELECT * FROM c WHERE c.offerResourceId = '" + text(resource, "_rid") + "'\"}";
        return rows(execute(new Operation.QueryResources(
                        ResourceKind.OFFER, Address.ACCOUNT, new QueryText(bytes(query)), Page.FIRST)))
                .stream()
                .map(offer -> (Obj) offer)
                .findFirst();
    }

    /** Replaces the offer by one with another member in what it gives. */
    public Outcome changeOffer(Address owner, String member, JsonValue value) {
        var offer = offer(owner).orElseThrow();
        var content = Obj.builder().putAll((Obj) offer.member("content")).put(member, value);
        var body = Obj.builder().putAll(offer).put("content", content.build()).build();
        return execute(new Operation.ReplaceResource(
                Address.ACCOUNT.child(ResourceKind.OFFER, text(offer, "id")),
                JsonWriter.bytes(body),
                Precondition.NONE,
                Migration.NONE,
                0));
    }

    public Outcome write(String partition, ItemWrite write) {
        return write(key(partition), write);
    }

    private Outcome write(PartitionKey key, ItemWrite write) {
        return execute(new Operation.WriteItem(CONTAINER, Optional.of(key), write, Triggers.NONE));
    }

    public Outcome write(String partition, ItemWrite write, IndexingDirective indexing) {
        return execute(new Operation.WriteItem(CONTAINER, Optional.of(key(partition)), write, Triggers.NONE, indexing));
    }

    public Outcome createItem(String partition, String body) {
        return createItem(key(partition), body);
    }

    public Outcome createItem(PartitionKey key, String body) {
        return write(key, new ItemWrite.Create(bytes(body), Precondition.NONE));
    }

    public Outcome upsertItem(String partition, String body) {
        return write(partition, new ItemWrite.Upsert(bytes(body), Precondition.NONE));
    }

    public Outcome deleteItem(String partition, String id) {
        return write(partition, new ItemWrite.Delete(id, Precondition.NONE));
    }

    public Outcome readItem(String partition, String id) {
        return execute(new Operation.ReadItem(CONTAINER, id, Optional.of(key(partition)), Precondition.NONE));
    }

    /** All rows of a query, page by page. */
    public List<JsonValue> query(String text, Scope scope, int pageSize) {
        return query(queryText(text, Map.of()), scope, pageSize, _ -> {});
    }

    /**
     * All rows of a query, page by page.
     *
     * @param betweenPages gets each continuation token before it is used
     */
    public List<JsonValue> query(QueryText query, Scope scope, int pageSize, Consumer<String> betweenPages) {
        var rows = new ArrayList<JsonValue>();
        Optional<String> continuation = Optional.empty();
        do {
            continuation.ifPresent(betweenPages);
            var outcome = page(query, scope, new Page(Optional.of(pageSize), continuation));
            var onPage = rows(outcome);
            if (onPage.size() > pageSize) {
                throw new AssertionError("A page of " + pageSize + " has " + onPage.size() + " rows");
            }
            rows.addAll(onPage);
            continuation = outcome.facts().continuation();
        } while (continuation.isPresent());
        return rows;
    }

    public Outcome page(QueryText query, Scope scope, Page page) {
        return execute(new Operation.QueryItems(
                CONTAINER, scope, query, page, Set.of(QueryWish.EXPLANATION, QueryWish.WHOLE_RESULT)));
    }

    public static QueryText queryText(String text, Map<String, JsonValue> parameters) {
        var sent = parameters.entrySet().stream()
                .map(parameter -> (JsonValue) Obj.builder()
                        .put("name", parameter.getKey())
                        .put("value", parameter.getValue())
                        .build())
                .toList();
        return new QueryText(JsonWriter.bytes(Obj.builder()
                .put("query", text)
                .put("parameters", new Arr(sent))
                .build()));
    }

    public List<JsonValue> ranges() {
        return ranges(CONTAINER);
    }

    public List<JsonValue> ranges(Address container) {
        return rows(execute(new Operation.ReadRanges(container, Optional.empty())));
    }

    // ---- reading answers ----

    public static List<JsonValue> rows(Outcome outcome) {
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new FailureException(failure);
        }
        if (!(outcome.answer() instanceof Answer.Feed feed)) {
            throw new AssertionError("Not a feed: " + outcome);
        }
        return feed.rows().stream().map(TestDatabase::parse).toList();
    }

    public static Obj json(Outcome outcome) {
        if (!(outcome.answer() instanceof Answer.Resource resource)) {
            throw new AssertionError("Not a resource: " + outcome);
        }
        return (Obj) parse(resource.json());
    }

    public static String text(Obj json, String name) {
        return ((Str) json.member(name)).value();
    }

    private static JsonValue parse(ByteBuffer json) {
        var bytes = new byte[json.remaining()];
        json.duplicate().get(bytes);
        return JsonReader.parse(bytes);
    }

    public static PartitionKey key(String text) {
        return new PartitionKey(List.of(new Str(text)));
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        database.close();
        threads.close();
        store.close();
        timer.shutdownNow();
    }
}
