package dev.orrery.engine.hub;

import static dev.orrery.engine.TestDatabase.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

/** What becomes of the writes of two regions that do not know of each other. */
class SettlingTest {
    private static final String RULED = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,
         "conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/n"}}
        """;
    private static final String PEOPLE = """
        {"id":"c","partitionKey":{"paths":["/pk"]},"conflictResolutionPolicy":{"mode":"Custom"}}
        """;
    private static String filler(int characters) {
        return "\"v\":\"" + "x".repeat(characters) + "\"";
    }

    // ---- what the hub cannot store as it is ----

    @Test
    void whatRegionsHaveFilledTogetherIsSettledAndOnlyClientsAreRefused() {
        var setting =
                new WritingScene.Setting(MemoryStore::new, ScriptRunner.none(), MemoryBudget.unlimited(), 5_000_000);
        try (var scene = new WritingScene(RULED, setting)) {
            // More than the hub is offered at once: it measures the partition after the first of it.
            for (int i = 0; i < 40; i++) {
                scene.hub.create("w" + i, filler(100_000));
                scene.satellite.create("n" + i, filler(100_000));
            }
            scene.agree();
            assertThat(scene.satellite.items()).hasSize(80);
            // The first one has the partition measured.
            scene.satellite.attempt(new ItemWrite.Upsert(WritingScene.item("more", filler(9)), Precondition.NONE));
            var refused = scene.satellite.attempt(
                    new ItemWrite.Upsert(WritingScene.item("much", filler(9_000)), Precondition.NONE));
            assertThat(refused.answer())
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            answer -> assertThat(answer.failure()).isInstanceOf(Failure.PartitionFull.class));
            scene.agree();
        }
    }

    @Test
    void aConflictsFeedThatIsFullKeepsOnlyItsOwnContainerWaitingAndNothingIsLost() {
        // Of the memory for requests, a fourth is for what describes the account.
        var setting = new WritingScene.Setting(
                MemoryStore::new,
                ScriptRunner.none(),
                new MemoryBudget(4 << 20, 0),
                Limits.LOGICAL_PARTITION_BYTES_MAX);
        try (var scene = new WritingScene(PEOPLE, setting)) {
            var other = TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "other");
            scene.hub.make(
                    ResourceKind.CONTAINER,
                    TestDatabase.DATABASE,
                    "{\"id\":\"other\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
            scene.satellite.follow();
            int conflicts = 40;
            for (int i = 0; i < conflicts; i++) {
                scene.hub.create("i" + i, "");
                scene.satellite.create("i" + i, filler(40_000));
            }
            while (scene.hub.offer() > 0) {
                scene.satellite.follow();
            }
            offerAll(scene);
            assertThat(scene.hub.conflicts()).hasSizeBetween(1, conflicts - 1);

            scene.satellite.attempt(other, new ItemWrite.Create(WritingScene.item("there", ""), Precondition.NONE));
            offerAll(scene);
            assertThat(scene.hub.has(other, "there")).isTrue();

            int seen = 0;
            while (scene.satellite.fronts.pending() > 0) {
                for (var conflict : scene.hub.conflicts()) {
                    scene.hub.execute(new Operation.DeleteResource(
                            TestDatabase.CONTAINER.child(ResourceKind.CONFLICT, text(conflict, "id")),
                            Precondition.NONE));
                    seen++;
                }
                offerAll(scene);
            }
            assertThat(seen + scene.hub.conflicts().size()).isEqualTo(conflicts);
            scene.agree();
        }
    }

    /** More often than there are conflicts: each time the hub may have come to one that it cannot keep. */
    private static void offerAll(WritingScene scene) {
        for (int i = 0; i < 45; i++) {
            scene.satellite.offer();
            scene.satellite.follow();
        }
    }
}
