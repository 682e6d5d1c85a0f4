package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.json;
import static dev.orrery.engine.TestDatabase.key;
import static dev.orrery.engine.TestDatabase.queryText;
import static dev.orrery.engine.TestDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.SessionToken;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Condition;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What answers say of a range fits what they show of it. Everything happens on the thread of the test: a change comes just
 * after a reader has begun to look, and time passes when the test says so.
 */
class ReadSideTest {
    private final InterruptedStore store = new InterruptedStore(new MemoryStore());
    private final HeldTimer timer = new HeldTimer();
    private LocalDatabase database;

    @BeforeEach
    void open() {
        database = LocalDatabase.open(new Surroundings(
                store,
                () -> Instant.EPOCH,
                () -> 0,
                new Random(1),
                Runnable::run,
                Runnable::run,
                timer,
                ScriptRunner.none(),
                Runnable::run,
                () -> List.of(new byte[] {1}),
                ConsistencyLevel.SESSION,
                Retention.DEFAULT,
                Metering.free(),
                MemoryBudget.unlimited(),
                Limits.LOGICAL_PARTITION_BYTES_MAX));
        create(ResourceKind.DATABASE, Address.ACCOUNT, "{\"id\":\"d\"}");
        create(ResourceKind.CONTAINER, TestDatabase.DATABASE, "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
        put(1);
    }

    @AfterEach
    void close() {
        database.close();
        timer.shutdownNow();
    }

    // ---- while somebody reads ----

    @Test
    void aQueryTellsTheLsnOfWhatItHasSeen() {
        long before = lsn();
        store.afterNextSnapshot(() -> put(2));
        var outcome = query();

        assertThat(values(outcome)).containsExactly(1.0);
        assertThat(told(outcome)).isEqualTo(before);
        assertThat(lsn()).as("what came meanwhile").isEqualTo(before + 1);
        assertThat(values(query())).containsExactly(2.0);
    }

    @Test
    void anAnswerFromTheIndexAloneTellsTheLsnOfWhatItHasSeen() {
        long before = lsn();
        store.afterNextSnapshot(() -> put("other", 2));
        var outcome = query("SELECT VALUE COUNT(1) FROM c");

        assertThat(rows(outcome)).containsExactly(new Num(1));
        assertThat(told(outcome)).isEqualTo(before);
    }

    @Test
    void aListTellsTheLsnOfWhatItHasSeen() {
        long before = lsn();
        store.afterNextSnapshot(() -> put(2));
        var outcome = run(new Operation.ListItems(CONTAINER, Scope.ALL, Page.FIRST));

        assertThat(values(outcome)).containsExactly(1.0);
        assertThat(told(outcome)).isEqualTo(before);
    }

    @Test
    void thePlaceInTheChangeFeedIsThatOfWhatWasTold() {
        long before = lsn();
        store.afterNextSnapshot(() -> put(2));
        var first = changes(Optional.empty());

        assertThat(values(first)).containsExactly(1.0);
        assertThat(told(first)).isEqualTo(before);
        assertThat(first.facts().etag()).contains("\"" + before + "\"");

        var next = changes(first.facts().etag());
        assertThat(values(next)).as("passed over by nobody").containsExactly(2.0);
        assertThat(told(next)).isEqualTo(before + 1);
        assertThat(changes(next.facts().etag()).answer()).isInstanceOf(Answer.NotModified.class);
    }

    @Test
    void whatIsNotThereAnyMoreIsMissingAsOfItsDeletion() {
        var deleted = run(write(new ItemWrite.Delete("i", Precondition.NONE)));
        var missing = run(read(), Caller.owner());
        assertThat(missing.answer()).isInstanceOf(Answer.Refused.class);
        assertThat(told(missing)).isEqualTo(told(deleted));
    }

    // ---- a session that is ahead ----

    @Test
    void aSessionThatIsAheadIsAnsweredWhenTheChangeHasCome() {
        var reading = begin(read(), sessionAt(lsn() + 2));
        assertThat(reading).isNotDone();
        put(2);
        assertThat(reading).as("not yet").isNotDone();
        put(3);
        assertThat(number(json(reading.join()))).isEqualTo(3);
    }

    @Test
    void queriesAndTheChangeFeedWaitForASessionAsWell() {
        var ahead = sessionAt(lsn() + 1);
        var querying = begin(question("SELECT * FROM c"), ahead);
        var following = begin(changesAfter(Optional.empty()), ahead);
        assertThat(querying).isNotDone();
        assertThat(following).isNotDone();
        put(2);
        assertThat(values(querying.join())).containsExactly(2.0);
        assertThat(values(following.join())).containsExactly(2.0);
    }

    @Test
    void aSessionThatStaysAheadIsRefusedWhenItsTimeIsOver() {
        var reading = begin(read(), sessionAt(lsn() + 1));
        assertThat(reading).isNotDone();
        timer.pass();
        assertThat(refusal(reading.join())).isInstanceOf(Failure.SessionNotAvailable.class);
    }

    // ---- short ways ----

    private void create(ResourceKind kind, Address parent, String body) {
        var throughput = kind == ResourceKind.CONTAINER
                ? Optional.<Throughput>of(new Throughput.Manual(400))
                : Optional.<Throughput>empty();
        run(new Operation.CreateResource(kind, parent, bytes(body), false, throughput, 0));
    }

    private void put(int value) {
        put("i", value);
    }

    private void put(String id, int value) {
        var body = "{\"id\":\"%s\",\"pk\":\"p\",\"n\":%d}".formatted(id, value);
        var outcome = run(write(new ItemWrite.Upsert(bytes(body), Precondition.NONE)));
        assertThat(outcome.answer()).isInstanceOf(Answer.Resource.class);
    }

    private static Operation write(ItemWrite write) {
        return new Operation.WriteItem(CONTAINER, Optional.of(key("p")), write, Triggers.NONE);
    }

    private static Operation read() {
        return new Operation.ReadItem(CONTAINER, "i", Optional.of(key("p")), Precondition.NONE);
    }

    private Outcome query() {
        return query("SELECT * FROM c");
    }

    private Outcome query(String text) {
        return run(question(text));
    }

    private static Operation question(String text) {
        return new Operation.QueryItems(CONTAINER, Scope.ALL, queryText(text, Map.of()), Page.FIRST, Set.of());
    }

    private Outcome changes(Optional<String> after) {
        return run(changesAfter(after));
    }

    private static Operation changesAfter(Optional<String> after) {
        var wanted = new ChangesWanted(ChangeMode.LATEST_VERSION, after, Optional.empty(), false, false);
        return new Operation.ReadChanges(CONTAINER, Scope.ALL, wanted, Optional.empty());
    }

    private Outcome run(Operation operation) {
        return run(operation, Caller.owner());
    }

    private Outcome run(Operation operation, Caller caller) {
        return begin(operation, caller).join();
    }

    private CompletableFuture<Outcome> begin(Operation operation, Caller caller) {
        return database.execute(operation, caller).toCompletableFuture();
    }

    private static Caller sessionAt(long lsn) {
        return new Caller(
                new Caller.Principal.Owner(),
                Optional.of(SessionToken.of(0, lsn)),
                Optional.empty(),
                Caller.Intended.ANYTHING,
                Caller.Spending.FREELY);
    }

    private static Failure refusal(Outcome outcome) {
        return ((Answer.Refused) outcome.answer()).failure();
    }

    /** The LSN of the last change. */
    private long lsn() {
        return told(run(read()));
    }

    /** The LSN that an answer leaves its session with. */
    private static long told(Outcome outcome) {
        var token = SessionToken.parse(outcome.facts().sessionToken().orElseThrow());
        assertThat(outcome.facts().lsn()).contains(token.parts().getFirst().lsn());
        return token.parts().getFirst().lsn();
    }

    private static List<Double> values(Outcome outcome) {
        return rows(outcome).stream().map(row -> number((Obj) row)).toList();
    }

    private static double number(Obj item) {
        return ((Num) item.member("n")).value();
    }

    // ---- surroundings held by the test ----

    /** Nothing is ever due before the test lets it. */
    private static final class HeldTimer extends ScheduledThreadPoolExecutor {
        private final List<Runnable> waiting = new ArrayList<>();

        HeldTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
            waiting.add(work);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable work, long first, long delay, TimeUnit unit) {
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        void pass() {
            var due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(Runnable::run);
        }
    }

    /** A store that lets something happen just after a snapshot was taken. */
    private static final class InterruptedStore implements Store {
        private final Store inner;
        private Runnable next = () -> {};

        InterruptedStore(Store inner) {
            this.inner = inner;
        }

        void afterNextSnapshot(Runnable event) {
            next = event;
        }

        @Override
        public PartitionStore open(PartitionId id, long ownerEpoch) {
            return new Interrupted(inner.open(id, ownerEpoch));
        }

        @Override
        public void drop(PartitionId id) {
            inner.drop(id);
        }

        @Override
        public List<PartitionId> partitions() {
            return inner.partitions();
        }

        @Override
        public long backlogBytes() {
            return inner.backlogBytes();
        }

        @Override
        public Condition condition() {
            return inner.condition();
        }

        @Override
        public void close() {
            inner.close();
        }

        private final class Interrupted implements PartitionStore {
            private final PartitionStore partition;

            Interrupted(PartitionStore partition) {
                this.partition = partition;
            }

            @Override
            public Snapshot snapshot() {
                var snapshot = partition.snapshot();
                var event = next;
                next = () -> {};
                event.run();
                return snapshot;
            }

            @Override
            public byte[] get(byte[] key) {
                return partition.get(key);
            }

            @Override
            public Cached tryGet(byte[] key) {
                return partition.tryGet(key);
            }

            @Override
            public CommitResult commit(Commit commit) {
                return partition.commit(commit);
            }

            @Override
            public Optional<Boolean> resolve(CommitId id) {
                return partition.resolve(id);
            }

            @Override
            public long bytes(KeyRange range) {
                return partition.bytes(range);
            }

            @Override
            public long lsn() {
                return partition.lsn();
            }

            @Override
            public void close() {
                partition.close();
            }
        }
    }
}
