package dev.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.check.StoreCheck;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.definition.Throughput;
import dev.orrery.store.Await;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultPlan;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.memory.MemoryStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * What goes on for a while may be ended by the death of the process before any of its commits, and so may the start after
 * that: nothing is lost, nothing is left behind, and it is done in the end.
 */
class DeathTest {
    private static final String DEFINITION =
            "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":{\"excludedPaths\":[{\"path\":\"/*\"}]}}";
    private static final String INDEXED = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    private static final String VIEW = "{\"id\":\"v\",\"partitionKey\":{\"paths\":[\"/n\"]},"
            + "\"materializedViewDefinition\":{\"sourceCollectionId\":\"c\",\"definition\":\"SELECT c.n FROM c\"}}";
    private static final Address VIEW_PLACE = TestDatabase.DATABASE.child(ResourceKind.CONTAINER, "v");
    private static final int ITEMS = 30;
    private static final int COMMITS_MAX = 200;

    /** How many commits are left until the process is dead. */
    private final AtomicLong life = new AtomicLong(Long.MAX_VALUE);

    private TestDatabase database;

    /** What may be ended at any time. */
    private interface Work {
        void begin();

        /** Asked before each attempt to see the end: a client may have to ask again for what was refused. */
        default void goOn() {}

        boolean isDone();
    }

    @Test
    void aSplit() {
        diesAnywhere(new Work() {
            @Override
            public void begin() {
                database.setThroughput(12_000);
            }

            @Override
            public void goOn() {
                database.setThroughput(12_000);
            }

            @Override
            public boolean isDone() {
                return database.ranges().size() == 2;
            }
        });
    }

    @Test
    void aRebuildOfTheIndex() {
        diesAnywhere(new Work() {
            @Override
            public void begin() {
                database.replaceContainer(INDEXED);
            }

            @Override
            public void goOn() {
                database.replaceContainer(INDEXED);
            }

            @Override
            public boolean isDone() {
                var read = database.execute(
                        new Operation.ReadResource(TestDatabase.CONTAINER, Precondition.NONE, true, 0));
                return TestDatabase.json(read).toString().contains("\"excludedPaths\":[{\"path\":\"/\\\"_etag")
                        && read.facts().indexProgressPercent().orElse(-1) == 100;
            }
        });
    }

    @Test
    void theFirstFillingOfAView() {
        diesAnywhere(new Work() {
            @Override
            public void begin() {
                database.create(
                        ResourceKind.CONTAINER, TestDatabase.DATABASE, VIEW, Optional.of(new Throughput.Manual(400)));
            }

            @Override
            public void goOn() {
                begin();
            }

            @Override
            public boolean isDone() {
                var listed = database.execute(new Operation.ListItems(VIEW_PLACE, Scope.ALL, Page.FIRST));
                return listed.answer() instanceof Answer.Feed feed
                        && feed.rows().size() == ITEMS;
            }
        });
    }

    private void diesAnywhere(Work work) {
        boolean died = true;
        for (int commits = 0; died; commits++) {
            assertThat(commits).isLessThan(COMMITS_MAX);
            died = dies(work, commits);
        }
    }

    /** Whether it died before it was done. */
    private boolean dies(Work work, int commits) {
        FaultPlan plan = (partition, commit) -> life.getAndDecrement() > 0 ? new Fault.None() : new Fault.Fail(false);
        life.set(Long.MAX_VALUE);
        var store = new MemoryStore();
        database = TestDatabase.withContainer(new FaultyStore(store, plan), DEFINITION, 400);
        try {
            for (int i = 0; i < ITEMS; i++) {
                TestDatabase.json(
                        database.createItem("p" + i, "{\"id\":\"%d\",\"pk\":\"p%d\",\"n\":%d}".formatted(i, i, i)));
            }
            life.set(commits);
            work.begin();
            Await.until("it is done, or dead", () -> isDead() || isDone(work));
            boolean died = isDead();
            // The next start dies as well, at its first commits or a little later.
            database.reopen(() -> life.set(commits % 4));
            database.reopen(() -> life.set(Long.MAX_VALUE));
            Await.until("it is done", () -> {
                work.goOn();
                return isDone(work);
            });
            for (int i = 0; i < ITEMS; i++) {
                TestDatabase.json(database.readItem("p" + i, "" + i));
            }
            database.reopen();
            Await.until("it is still done", () -> isDone(work));
            assertThat(StoreCheck.run(store, (done, all) -> {}).findings()).isEmpty();
            return died;
        } finally {
            database.close();
        }
    }

    private boolean isDead() {
        return life.get() <= 0;
    }

    private static boolean isDone(Work work) {
        try {
            return work.isDone();
        } catch (AssertionError | RuntimeException refused) {
            return false; // While nothing can be written, some things cannot be read either.
        }
    }
}
