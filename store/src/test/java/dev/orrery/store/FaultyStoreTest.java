package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Without faults it is a store like any other; with them it does what the plan says. */
class FaultyStoreTest extends StoreContract {

    private static final byte[] KEY = {1};

    private final MemoryStore memory = new MemoryStore();

    @Override
    protected Store open(Path directory) {
        return new FaultyStore(memory, FaultPlan.script());
    }

    @Test
    void aFailureBeforeTheCommitLeavesNothing() {
        var partition = faulty(new Fault.Fail(false));

        assertThatThrownBy(() -> partition.commit(commit(1, 0))).isInstanceOf(StoreException.class);
        assertThat(partition.get(KEY)).isNull();
        assertThat(partition.commit(commit(2, 0))).isEqualTo(CommitResult.COMMITTED);
    }

    @Test
    void aFailureAfterTheCommitLeavesIt() {
        var partition = faulty(new Fault.Fail(true));

        assertThatThrownBy(() -> partition.commit(commit(1, 0))).isInstanceOf(StoreException.class);
        assertThat(partition.get(KEY)).isNotNull();
        assertThat(partition.lsn()).isEqualTo(1);
    }

    @Test
    void anUnknownOutcomeCanBeResolved() {
        var partition = faulty(new Fault.Unknown(true, 2), new Fault.Unknown(false, 0));

        assertThat(partition.commit(commit(1, 0))).isEqualTo(CommitResult.UNKNOWN);
        assertThat(partition.resolve(new CommitId(0, 1))).isEmpty();
        assertThat(partition.resolve(new CommitId(0, 1))).isEmpty();
        assertThat(partition.resolve(new CommitId(0, 1))).hasValue(true);
        assertThat(partition.commit(commit(2, 1))).isEqualTo(CommitResult.UNKNOWN);
        assertThat(partition.resolve(new CommitId(0, 2))).hasValue(false);
    }

    @Test
    void aPauseComesBeforeTheCommit() {
        var order = new StringBuilder();
        var partition = faulty(new Fault.Pause(() -> order.append("paused"), new Fault.Fence()));

        assertThat(partition.commit(commit(1, 0))).isEqualTo(CommitResult.FENCED);
        assertThat(order).hasToString("paused");
        assertThat(partition.get(KEY)).isNull();
    }

    private static PartitionStore faulty(Fault... faults) {
        return new FaultyStore(new MemoryStore(), FaultPlan.script(faults)).open(new PartitionId(1), 1);
    }

    private static Commit commit(long id, long lsn) {
        return new Commit(new CommitId(0, id), lsn, lsn + 1, List.of(new Mutation.Put(KEY, KEY)));
    }

    @Nested
    class AfterAFailure extends RecoveryContract {

        private Fault next = new Fault.None();
        private FaultyStore faulty;

        @Override
        protected Store open(Path directory) {
            faulty = new FaultyStore(memory, (partition, commit) -> {
                var fault = next;
                next = new Fault.None();
                return fault;
            });
            return faulty;
        }

        @Override
        protected void breakDisk(boolean applied) {
            next = new Fault.Break(applied);
        }

        @Override
        protected void healDisk() {
            faulty.heal();
        }
    }
}
