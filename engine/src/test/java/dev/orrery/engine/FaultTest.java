package dev.orrery.engine;

import static dev.orrery.engine.ItemsTest.refusal;
import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultPlan;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.memory.MemoryStore;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

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

    /** Faults only where items are; the catalog is left alone. */
    private static TestDatabase on(FaultPlan plan) {
        FaultPlan ofItems = (partition, commit) ->
                partition.equals(new PartitionId(0)) ? new Fault.None() : plan.next(partition, commit);
        return TestDatabase.withContainer(new FaultyStore(new MemoryStore(), ofItems), DEFINITION, 400);
    }

    private static String item(String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"p\"}";
    }
}
