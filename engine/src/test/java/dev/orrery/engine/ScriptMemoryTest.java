package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import dev.orrery.engine.script.ScriptResult;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Limits;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.memory.MemoryStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a script has written is counted until it is stored. */
class ScriptMemoryTest {
    private static final int ITEMS = 4;
    private static final int ITEM_BYTES = 500_000;

    /** Creates large items, in place of JavaScript. */
    private final class Writing implements ScriptRunner {
        @Override
        public void check(String name, String body) {}

        @Override
        public ScriptResult run(ScriptCall call, ScriptHost host) {
            host.begin();
            for (int number = 0; number < ITEMS; number++) {
                var item = "{\"id\":\"" + number + "\",\"pk\":\"p\",\"text\":\"" + "x".repeat(ITEM_BYTES) + "\"}";
                assertThat(host.perform(new ScriptHost.Operation.Create(item))).isPresent();
            }
            takenByScript.set(database.memoryTaken());
            return new ScriptResult(Optional.empty(), Optional.empty(), "");
        }

        @Override
        public Functions functions() {
            throw new IllegalStateException("no functions here");
        }

        @Override
        public void expect() {}

        @Override
        public void close() {}
    }

    private final AtomicLong takenByScript = new AtomicLong();
    private final AtomicLong takenAtCommit = new AtomicLong();
    private TestDatabase database;

    @Test
    void theyAreCountedWhileTheScriptRunsAndWhileTheyAreStored() {
        var store = new FaultyStore(new MemoryStore(), (_, _) -> {
            takenAtCommit.set(database == null ? 0 : database.memoryTaken());
            return new Fault.None();
        });
        try (var opened = TestDatabase.withContainer(store, new Writing())) {
            database = opened;
            database.create(
                    ResourceKind.STORED_PROCEDURE,
                    CONTAINER,
                    "{\"id\":\"s\",\"body\":\"function () {}\"}",
                    Optional.empty());
            assertThat(database.memoryTaken()).isZero();
            var outcome = database.execute(new Operation.ExecuteProcedure(
                    CONTAINER, "s", Optional.of(TestDatabase.key("p")), bytes("[]"), false));
            assertThat(outcome.answer()).isInstanceOf(Answer.Executed.class);
            long written = (long) ITEMS * ITEM_BYTES;
            assertThat(takenByScript.get()).isGreaterThanOrEqualTo(Limits.MEMORY_SCRIPT_BYTES + written);
            assertThat(takenAtCommit.get())
                    .isGreaterThanOrEqualTo(
                            Limits.MEMORY_SCRIPT_BYTES + written + written * Limits.MEMORY_PER_STORED_BYTE);
            assertThat(database.memoryTaken()).isZero();
        }
    }
}
