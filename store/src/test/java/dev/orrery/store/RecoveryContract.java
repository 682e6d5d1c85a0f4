package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store that can fail to write promises for the time after. */
public abstract class RecoveryContract extends StoreFixture {

    /** The next commit fails, and the disk takes no more writes. */
    protected abstract void breakDisk(boolean applied);

    /** The disk takes writes again. */
    protected abstract void healDisk();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theOutcomeOfAFailedCommitIsKnownWhenWritesGoOn(boolean applied) {
        commit(put("a", "1"));
        var failed = failing(applied);

        assertThat(partition.resolve(failed)).isEmpty();
        recover();
        assertThat(partition.resolve(failed)).isEqualTo(Optional.of(applied));
        assertThat(partition.lsn()).isEqualTo(applied ? 2 : 1);
        assertThat(rows(partition, Direction.FORWARD)).isEqualTo(applied ? List.of("a=1", "x=1") : List.of("a=1"));
        commit(put("b", "2"));
        reopen();
        assertThat(rows(partition, Direction.FORWARD))
                .isEqualTo(applied ? List.of("a=1", "b=2", "x=1") : List.of("a=1", "b=2"));
    }

    @Test
    void readsGoOnWhileNothingCanBeWritten() {
        commit(put("a", "1"));
        var other = store.open(EIGHT, 1);
        assertThat(other.commit(new Commit(id(), 0, 1, List.of(put("o", "1"))))).isEqualTo(CommitResult.COMMITTED);
        try (var before = partition.snapshot()) {
            failing(false);

            assertThat(partition.get(key("a"))).isEqualTo(bytes("1"));
            assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1");
            assertThat(rows(store.open(EIGHT, 1), Direction.BACKWARD)).containsExactly("o=1");
            assertThat(rows(before, everything(), Direction.FORWARD)).containsExactly("a=1");
            assertThat(store.partitions()).containsExactly(SEVEN, EIGHT);
        }
        recover();
        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1");
        assertThat(rows(other, Direction.FORWARD)).containsExactly("o=1");
    }

    @Test
    void whatIsRefusedMeanwhileNeverTakesEffect() {
        commit(put("a", "1"));
        var other = store.open(EIGHT, 1);
        failing(false);

        var late = new Commit(id(), 1, 2, List.of(put("late", "1")));
        assertThatThrownBy(() -> partition.commit(late)).isInstanceOf(WritesStoppedException.class);
        assertThatThrownBy(() -> other.commit(new Commit(id(), 0, 1, List.of(put("late", "1")))))
                .isInstanceOf(WritesStoppedException.class);
        assertThatThrownBy(() -> store.open(new PartitionId(9), 1)).isInstanceOf(WritesStoppedException.class);
        assertThatThrownBy(() -> store.open(SEVEN, 1)).isInstanceOf(WritesStoppedException.class);
        assertThatThrownBy(() -> store.drop(EIGHT)).isInstanceOf(WritesStoppedException.class);
        assertThat(store.condition().stopped()).isPresent();
        recover();

        assertThat(partition.resolve(late.id())).isEqualTo(Optional.of(false));
        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1");
        assertThat(rows(other, Direction.FORWARD)).isEmpty();
        assertThat(store.partitions()).containsExactly(SEVEN, EIGHT);
        assertThat(other.commit(new Commit(id(), 0, 1, List.of(put("o", "1"))))).isEqualTo(CommitResult.COMMITTED);
    }

    @Test
    void itMayFailAgainAndAgain() {
        for (int round = 1; round <= 3; round++) {
            failing(round % 2 == 0);
            recover();
            commit(put("r" + round, "1"));
        }
        reopen();

        assertThat(rows(partition, Direction.FORWARD)).containsExactly("r1=1", "r2=1", "r3=1", "x=1");
    }

    private CommitId failing(boolean applied) {
        breakDisk(applied);
        var failing = new Commit(id(), partition.lsn(), partition.lsn() + 1, List.of(put("x", "1")));
        assertThatThrownBy(() -> partition.commit(failing))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(WritesStoppedException.class);
        return failing.id();
    }

    private void recover() {
        healDisk();
        Await.until("the store does so", () -> store.condition().stopped().isEmpty());
    }
}
