package dev.orrery.engine;

import static dev.orrery.engine.ItemsTest.refusal;
import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.store.Await;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultPlan;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.memory.MemoryStore;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients see, and what remains, when the store fails under a write. */
class FaultTest {
    private static final String DEFINITION = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";

    @Test
    void aWriteWhoseCommitFailedIsNotAcknowledgedAndTheNextOneWorks() throws Exception {
        for (var fault :
                new Fault[] {new Fault.Fail(false), new Fault.Unknown(false, 0), new Fault.Unknown(false, 1)}) {
            try (var database = on(FaultPlan.script(fault))) {
                assertThat(refusal(database.createItem("p", item("1")))).isInstanceOf(Failure.Unavailable.class);
                assertThat(refusal(database.readItem("p", "1"))).isInstanceOf(Failure.NotFound.class);
                json(database.createItem("p", item("1")));
            }
        }
    }

    @Test
    void aCommitOfUnknownFateThatTookEffectIsAcknowledged() throws Exception {
        try (var database = on(FaultPlan.script(new Fault.Unknown(true, 0)))) {
            json(database.createItem("p", item("1")));
            json(database.readItem("p", "1"));
        }
    }

    @Test
    void aFencedPartitionIsOpenedAnewAndTheWriteRepeated() throws Exception {
        try (var database = on(FaultPlan.script(new Fault.Fence()))) {
            json(database.createItem("p", item("1")));
            json(database.readItem("p", "1"));
        }
    }

    @Test
    void whateverFailsWhatWasAcknowledgedIsThere() throws Exception {
        var random = Seed.random();
        var plan = FaultPlan.random(
                random,
                20,
                new Fault.Fail(false),
                new Fault.Fail(true),
                new Fault.Unknown(true, 1),
                new Fault.Unknown(false, 0),
                new Fault.Fence());
        try (var database = on(plan)) {
            Set<String> acknowledged = new HashSet<>();
            for (int i = 0; i < 500; i++) {
                if (database.createItem("p", item("" + i)).answer() instanceof Answer.Resource) {
                    acknowledged.add("" + i);
                }
            }
            assertThat(acknowledged).hasSizeBetween(1, 500);
            for (var id : acknowledged) {
                json(database.readItem("p", id));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsGoOnWhileNothingCanBeWrittenAndWritesDoAfterwards(boolean applied) throws Exception {
        var next = new AtomicReference<Fault>(new Fault.None());
        var store = new FaultyStore(new MemoryStore(), (partition, commit) -> next.getAndSet(new Fault.None()));
        try (var database = TestDatabase.withContainer(store, DEFINITION, 400)) {
            json(database.createItem("p", item("1")));
            next.set(new Fault.Break(applied));
            assertThat(refusal(database.createItem("p", item("2"))).message()).contains("may or may not");

            assertThat(refusal(database.createItem("p", item("3"))))
                    .isInstanceOf(Failure.Unavailable.class)
                    .extracting(Failure::message, as(STRING))
                    .contains("planned failure")
                    .doesNotContain("may or may not");
            assertThat(refusal(database.replaceContainer(DEFINITION))).isInstanceOf(Failure.Unavailable.class);
            json(database.readItem("p", "1"));
            assertThat(database.query("SELECT VALUE COUNT(1) FROM c", Scope.ALL, 10))
                    .hasSize(1);
            assertThat(database.census()).hasSize(1);

            store.heal();
            json(database.createItem("p", item("3")));
            if (applied) {
                json(database.readItem("p", "2"));
            } else {
                json(database.createItem("p", item("2")));
            }
            assertThat(database.census().getFirst().items()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChangeOfTheCatalogThatFailedIsSettledBeforeAnythingRestsOnIt(boolean applied) throws Exception {
        var armed = new AtomicInteger(Integer.MAX_VALUE);
        var store = new FaultyStore(
                new MemoryStore(),
                (partition, commit) -> partition.equals(new PartitionId(0)) && armed.decrementAndGet() == 0
                        ? new Fault.Break(applied)
                        : new Fault.None());
        try (var database = TestDatabase.withContainer(store, DEFINITION, 400)) {
            for (int i = 0; i < 20; i++) {
                json(database.createItem("p" + i, item("p" + i, "before")));
            }
            armed.set(2); // The first is the throughput, the second the change of ranges at the end of a split.
            assertThat(refusal(database.setThroughput(20_000))).isInstanceOf(Failure.Unavailable.class);
            assertThat(database.ranges()).hasSize(1);
            assertThat(refusal(database.createItem("p1", item("p1", "meanwhile"))))
                    .isInstanceOf(Failure.Unavailable.class);
            json(database.readItem("p1", "before"));

            store.heal();
            for (int i = 0; i < 20; i++) {
                json(database.createItem("p" + i, item("p" + i, "after")));
            }
            Await.value("ranges", () -> database.ranges().size(), 2);
            database.reopen();
            for (int i = 0; i < 20; i++) {
                json(database.readItem("p" + i, "before"));
                json(database.readItem("p" + i, "after"));
            }
            assertThat(refusal(database.readItem("p1", "meanwhile"))).isInstanceOf(Failure.NotFound.class);
        }
    }

    /** Faults only where items are; the catalog is left alone. */
    private static TestDatabase on(FaultPlan plan) {
        FaultPlan ofItems = (partition, commit) ->
                partition.equals(new PartitionId(0)) ? new Fault.None() : plan.next(partition, commit);
        return TestDatabase.withContainer(new FaultyStore(new MemoryStore(), ofItems), DEFINITION, 400);
    }

    private static String item(String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"p\"}";
    }

    private static String item(String partition, String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + partition + "\"}";
    }
}
