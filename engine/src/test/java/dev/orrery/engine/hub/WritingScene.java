package dev.orrery.engine.hub;

import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.Surroundings;
import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.WriterSlot;
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
import dev.orrery.engine.partition.Writers.Regions;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Two regions of one account that both write, in one process. Nothing goes from one to the other before the test says so, and
 * nothing is done from time to time by itself.
 */
final class WritingScene implements AutoCloseable {
    private static final int ROUNDS_MAX = 400;
    private static final long SHIPMENT_BYTES = 8 << 20;

    final Region hub;
    final Region satellite;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Region> all;
    private final Hub settling;
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** What is not the same for all tests. */
    record Setting(Supplier<Store> stores, ScriptRunner scripts, MemoryBudget memoryOfHub, long partitionBytesMax) {
        static final Setting USUAL = new Setting(
                MemoryStore::new, ScriptRunner.none(), MemoryBudget.unlimited(), Limits.LOGICAL_PARTITION_BYTES_MAX);
    }

    WritingScene(String definition) {
        this(definition, Setting.USUAL);
    }

    WritingScene(String definition, Setting setting) {
        hub = new Region("West US", 0, setting, setting.memoryOfHub());
        satellite = new Region("North Europe", 1, setting, MemoryBudget.unlimited());
        all = List.of(hub, satellite);
        settling = hub.database.hub();
        satellite.database.replica().stepDown("West US settles.");
        hub.make(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}");
        hub.make(ResourceKind.CONTAINER, TestDatabase.DATABASE, definition);
        satellite.follow();
    }

    void passSeconds(long seconds) {
        now = now.plusSeconds(seconds);
    }

    /** All that was written anywhere is settled, and both have it, and the same. */
    void agree() {
        exchange();
        assertThat(satellite.items()).isEqualTo(hub.items());
    }

    /** All that was written anywhere is settled, and both have it. */
    void exchange() {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            all.forEach(Region::offer);
            satellite.follow();
            if (all.stream().allMatch(region -> region.fronts.pending() == 0)) {
                return;
            }
        }
        throw new AssertionError("not settled after many rounds: " + hub.fronts.pending() + " of the hub and "
                + satellite.fronts.pending() + " of the other");
    }

    /** Has done what is done from time to time only when the test wants it. */
    private static final class Jobs extends ScheduledThreadPoolExecutor {
        private final List<Runnable> all = new ArrayList<>();

        Jobs() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable job, long first, long delay, TimeUnit unit) {
            all.add(job);
            return super.schedule(() -> {}, Integer.MAX_VALUE, TimeUnit.DAYS);
        }
    }

    /** One region, as its clients and the other one see it. */
    final class Region implements AutoCloseable {
        final LocalDatabase database;
        final Fronts fronts;
        private final String name;
        private final Store store;
        private final Jobs jobs = new Jobs();
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        private volatile boolean isResting;

        Region(String name, int number, Setting setting, MemoryBudget memory) {
            this.name = name;
            store = setting.stores().get();
            // What is settled is taken over, and partitions are measured, before the commit that leads to it is
            // answered.
            database = LocalDatabase.open(new Surroundings(
                    store,
                    () -> now,
                    System::nanoTime,
                    new Random(number),
                    threads,
                    this::work,
                    jobs,
                    setting.scripts(),
                    threads,
                    () -> List.of(new byte[] {1, 2, 3}),
                    ConsistencyLevel.SESSION,
                    Retention.DEFAULT,
                    Metering.free(),
                    memory,
                    setting.partitionBytesMax()));
            var regions = new Regions(2, Map.of(WriterSlot.of(0), "West US", WriterSlot.of(1), "North Europe"));
            fronts = database.writeInAllRegions(WriterSlot.of(number), () -> true, () -> regions);
            fronts.start((range, lsn) -> true, () -> {});
            fronts.grant();
        }

        private void work(Runnable task) {
            if (isResting) {
                waiting.add(task);
            } else {
                task.run();
            }
        }

        /** Takes nothing over that is settled. */
        void rest() {
            isResting = true;
        }

        /** Takes over what is settled, all that has come meanwhile at once. */
        void goOn() {
            isResting = false;
            for (var task = waiting.poll(); task != null; task = waiting.poll()) {
                task.run();
            }
        }

        /** How many rows of a kind it has. */
        long rowsOf(KeySpace space) {
            long rows = 0;
            for (var id : store.partitions()) {
                try (var partition = store.open(id, 1);
                        var snapshot = partition.snapshot();
                        var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
                    while (cursor.next()) {
                        rows++;
                    }
                }
            }
            return rows;
        }

        /** Has the hub settle what it is offered next; tells how many writes that were. */
        int offer() {
            var offers = fronts.offers();
            var settled = offers.stream()
                    .flatMap(offer -> settling.settle(fronts.slot(), name, offer).stream())
                    .toList();
            fronts.hear(offers, settled);
            return offers.stream().mapToInt(offer -> offer.writes().size()).sum();
        }

        /** Takes over what the hub has. */
        void follow() {
            var mine = database.replica();
            var source = hub.database.replica();
            mine.follow(source.catalogAfter(mine.catalogVersion()));
            for (var range : source.ranges()) {
                while (mine.lsn(range) < source.lsn(range)) {
                    source.newsAfter(range, mine.epochs(range).last(), mine.lsn(range), SHIPMENT_BYTES)
                            .ifPresent(news -> mine.apply(news).join());
                }
            }
            fronts.wakeAll();
        }

        /** Does what is due by the clock. */
        void tick() {
            jobs.all.forEach(Runnable::run);
        }

        Outcome make(ResourceKind kind, Address parent, String body) {
            Optional<Throughput> throughput =
                    kind == ResourceKind.CONTAINER ? Optional.of(new Throughput.Manual(400)) : Optional.empty();
            return done(execute(new Operation.CreateResource(kind, parent, bytes(body), false, throughput, 0)));
        }

        Outcome execute(Operation operation) {
            return database.execute(operation, Caller.owner())
                    .toCompletableFuture()
                    .join();
        }

        private static Outcome done(Outcome outcome) {
            assertThat(outcome.answer()).isNotInstanceOf(Answer.Refused.class);
            return outcome;
        }

        Outcome attempt(ItemWrite write) {
            return attempt(TestDatabase.CONTAINER, write);
        }

        Outcome attempt(Address container, ItemWrite write) {
            return execute(new Operation.WriteItem(container, Optional.of(key("p")), write, Triggers.NONE));
        }

        boolean has(Address container, String id) {
            var read = new Operation.ReadItem(container, id, Optional.of(key("p")), Precondition.NONE);
            return execute(read).answer() instanceof Answer.Resource;
        }

        /** @param members of the item besides its id and its partition key */
        void create(String id, String members) {
            done(attempt(new ItemWrite.Create(item(id, members), Precondition.NONE)));
        }

        void replace(String id, String members) {
            done(attempt(new ItemWrite.Replace(id, item(id, members), Precondition.NONE)));
        }

        void patch(String id, String patch) {
            done(attempt(new ItemWrite.Patch(id, JsonPatch.parse(JsonReader.parse(bytes(patch))), Precondition.NONE)));
        }

        void delete(String id) {
            done(attempt(new ItemWrite.Delete(id, Precondition.NONE)));
        }

        /** All items with all their properties, by their ids. */
        Map<String, Obj> items() {
            var found = new TreeMap<String, Obj>();
            query("SELECT * FROM c").forEach(row -> found.put(TestDatabase.text(row, "id"), row));
            return found;
        }

        private List<Obj> query(String text) {
            var found = new ArrayList<Obj>();
            Optional<String> continuation = Optional.empty();
            do {
                var page = done(execute(new Operation.QueryItems(
                        TestDatabase.CONTAINER,
                        new Scope(Optional.empty(), Optional.of(key("p")), Optional.empty()),
                        new QueryText(bytes("{\"query\":\"" + text + "\"}")),
                        new Page(Optional.of(1_000), continuation),
                        Set.of())));
                TestDatabase.rows(page).forEach(row -> found.add((Obj) row));
                continuation = page.facts().continuation();
            } while (continuation.isPresent());
            return found;
        }

        /** The etags of all items, by their ids. */
        Map<String, String> etags() {
            var found = new TreeMap<String, String>();
            query("SELECT c.id, c._etag FROM c")
                    .forEach(row -> found.put(TestDatabase.text(row, "id"), TestDatabase.text(row, "_etag")));
            return found;
        }

        /** The number {@code n} of an item. */
        double n(String id) {
            return ((Num) items().get(id).member("n")).value();
        }

        /** The conflicts of the container. */
        List<Obj> conflicts() {
            return TestDatabase.rows(execute(
                            new Operation.ListResources(ResourceKind.CONFLICT, TestDatabase.CONTAINER, Page.FIRST)))
                    .stream()
                    .map(row -> (Obj) row)
                    .toList();
        }

        /** The losing versions among the conflicts of the container. */
        List<Obj> losers() {
            return conflicts().stream()
                    .map(conflict -> (Obj) JsonReader.parse(bytes(TestDatabase.text(conflict, "content"))))
                    .toList();
        }

        @Override
        public void close() {
            fronts.close();
            database.close();
            store.close();
            jobs.shutdownNow();
        }
    }

    static byte[] item(String id, String members) {
        return bytes("{\"id\":\"%s\",\"pk\":\"p\"%s}".formatted(id, members.isEmpty() ? "" : "," + members));
    }

    @Override
    public void close() {
        all.forEach(Region::close);
        threads.close();
    }
}
