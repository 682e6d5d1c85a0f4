package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What every store promises. A store is supported when its subclass is green. */
public abstract class StoreContract extends ReadContract {

    // ---- Commits, owners, outcomes

    @Test
    void aCommitMovesThePartitionToItsLsn() {
        assertThat(partition.commit(new Commit(id(), 0, 5, List.of(put("a", "1")))))
                .isEqualTo(CommitResult.COMMITTED);

        assertThat(partition.lsn()).isEqualTo(5);
        try (var snapshot = partition.snapshot()) {
            assertThat(snapshot.lsn()).isEqualTo(5);
        }
    }

    @Test
    void aCommitThatExpectsAnotherLsnIsFencedAndLeavesNothing() {
        commit(put("a", "1"));

        for (long wrong : new long[] {0, 2}) {
            assertThat(partition.commit(new Commit(id(), wrong, 9, List.of(put("a", "wrong"), put("b", "wrong")))))
                    .isEqualTo(CommitResult.FENCED);
        }
        assertThat(partition.lsn()).isEqualTo(1);
        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1");
    }

    @Test
    void anOwnerIsFencedByANewerOne() {
        commit(put("a", "1"));
        var newer = store.open(SEVEN, 2);

        assertThat(partition.commit(new Commit(id(), 1, 2, List.of(put("a", "old owner")))))
                .isEqualTo(CommitResult.FENCED);
        assertThat(newer.lsn()).isEqualTo(1);
        assertThat(newer.commit(new Commit(id(), 1, 2, List.of(put("a", "new owner")))))
                .isEqualTo(CommitResult.COMMITTED);
        assertThat(newer.get(key("a"))).isEqualTo(bytes("new owner"));
    }

    @Test
    void anOwnerThatComesTooLateIsRefusedEvenAfterReopening() {
        store.open(SEVEN, 3).close();

        assertThatThrownBy(() -> store.open(SEVEN, 2)).isInstanceOf(StoreException.class);
        partition.close();
        store.close();
        store = open(directory);
        assertThatThrownBy(() -> store.open(SEVEN, 2))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("7")
                .hasMessageContaining("3");
        partition = store.open(SEVEN, 3);
    }

    @Test
    void theSameOwnerMayComeBack() {
        commit(put("a", "1"));
        partition.close();
        partition = store.open(SEVEN, 1);
        commit(put("b", "2"));

        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1", "b=2");
    }

    @Test
    void theNewestCommitSentAgainIsNotAppliedAgain() {
        var commit = new Commit(id(), 0, 1, List.of(put("a", "1")));
        partition.commit(commit);
        assertThat(partition.commit(commit)).isEqualTo(CommitResult.COMMITTED);
        reopen();
        assertThat(partition.commit(commit)).isEqualTo(CommitResult.COMMITTED);
        assertThat(partition.lsn()).isEqualTo(1);
        commit(delete("a"));

        assertThat(partition.commit(commit)).isEqualTo(CommitResult.FENCED);
        assertThat(partition.get(key("a"))).isNull();
    }

    @Test
    void theOutcomeOfTheNewestCommitIsKnownAlsoAfterReopening() {
        var happened = id();
        partition.commit(new Commit(happened, 0, 1, List.of()));

        assertThat(partition.resolve(happened)).isEqualTo(Optional.of(true));
        assertThat(partition.resolve(id())).isEqualTo(Optional.of(false));
        reopen();
        assertThat(partition.resolve(happened)).isEqualTo(Optional.of(true));
    }

    @Test
    void aFencedOwnerIsNotToldMoreThanTheStoreKnows() {
        var mine = id();
        partition.commit(new Commit(mine, 0, 1, List.of()));
        var newer = store.open(SEVEN, 2);
        assertThat(partition.resolve(mine)).isEqualTo(Optional.of(true));
        newer.commit(new Commit(id(), 1, 2, List.of()));

        assertThat(partition.resolve(mine)).isEmpty();
    }

    @Test
    void whatWasCommittedIsThereAfterReopening() {
        for (int i = 0; i < 100; i++) {
            commit(put("%02d".formatted(i), "v" + i), delete("%02d".formatted(i - 10)));
        }
        var before = rows(partition, Direction.FORWARD);
        reopen();

        assertThat(partition.lsn()).isEqualTo(100);
        assertThat(before).hasSize(10);
        assertThat(rows(partition, Direction.FORWARD)).isEqualTo(before);
    }

    @Test
    void closingTwiceIsClosingOnce() {
        commit(put("a", "1"));
        store.close();
        reopen();

        assertThat(partition.lsn()).isEqualTo(1);
    }

    // ---- Partitions

    @Test
    void partitionsAreListedInOrderAlsoAfterReopening() {
        var largest = new PartitionId(Long.MAX_VALUE);
        var first = new PartitionId(0);
        store.open(largest, 1).close();
        store.open(first, 1).close();
        commit(put("a", "1"));

        assertThat(store.partitions()).containsExactly(first, SEVEN, largest);
        reopen();
        assertThat(store.partitions()).containsExactly(first, SEVEN, largest);
    }

    @Test
    void partitionsDoNotSeeEachOther() {
        try (var before = store.open(new PartitionId(6), 1);
                var after = store.open(EIGHT, 1)) {
            before.commit(new Commit(id(), 0, 1, List.of(put("z", "6"))));
            after.commit(new Commit(id(), 0, 4, List.of(put("a", "8"))));
            commit(put("m", "7"));

            assertThat(rows(before, Direction.BACKWARD)).containsExactly("z=6");
            assertThat(rows(partition, Direction.FORWARD)).containsExactly("m=7");
            assertThat(rows(partition, Direction.BACKWARD)).containsExactly("m=7");
            assertThat(after.lsn()).isEqualTo(4);
            assertThat(after.get(key("m"))).isNull();
        }
    }

    @Test
    void aDroppedPartitionIsGoneForGood() {
        var neighbour = store.open(EIGHT, 1);
        neighbour.commit(new Commit(id(), 0, 1, List.of(put("a", "8"))));
        for (byte tag : new byte[] {0, 'K', (byte) 0xFE}) {
            commit(new Mutation.Put(new byte[] {tag, 1}, bytes("7")));
        }
        store.drop(SEVEN);
        store.drop(SEVEN);
        store.drop(new PartitionId(99));

        assertThat(store.partitions()).containsExactly(EIGHT);
        assertThat(partition.get(new byte[] {0, 1})).isNull();
        reopen();
        assertThat(partition.lsn()).isZero();
        for (byte tag : new byte[] {0, 'K', (byte) 0xFE}) {
            assertThat(keys(KeyRange.prefix(new byte[] {tag}), Direction.FORWARD))
                    .isEmpty();
        }
        neighbour = store.open(EIGHT, 1);
        assertThat(rows(neighbour, Direction.FORWARD)).containsExactly("a=8");
    }

    @Test
    void theOwnerOfADroppedPartitionIsFencedEvenWhenItIsMadeAnew() {
        commit(put("a", "1"));
        store.drop(SEVEN);
        var late = new Commit(id(), 0, 1, List.of(put("a", "late")));
        assertThat(partition.commit(late)).isEqualTo(CommitResult.FENCED);
        var anew = store.open(SEVEN, 1);

        assertThat(partition.commit(late)).isEqualTo(CommitResult.FENCED);
        assertThat(anew.commit(new Commit(id(), 0, 1, List.of(put("a", "new")))))
                .isEqualTo(CommitResult.COMMITTED);
        assertThat(rows(anew, Direction.FORWARD)).containsExactly("a=new");
    }

    @Test
    void aSnapshotOutlivesTheDropOfItsPartition() {
        commit(put("a", "1"));

        try (var snapshot = partition.snapshot()) {
            store.drop(SEVEN);
            assertThat(snapshot.lsn()).isEqualTo(1);
            assertThat(rows(snapshot, everything(), Direction.FORWARD)).containsExactly("a=1");
        }
    }

    // ---- Many at once

    @Test
    void partitionsAreCommittedToAtTheSameTime() throws Exception {
        int partitions = 8;
        int commits = 50;
        var tasks = new ArrayList<Callable<Void>>();
        for (int p = 0; p < partitions; p++) {
            var mine = store.open(new PartitionId(100 + p), 1);
            tasks.add(() -> {
                for (int i = 0; i < commits; i++) {
                    var commit = new Commit(id(), i, i + 1, List.of(put("k" + i, "v" + i), put("last", "v" + i)));
                    assertThat(mine.commit(commit)).isEqualTo(CommitResult.COMMITTED);
                    assertThat(mine.get(key("last"))).isEqualTo(bytes("v" + i));
                }
                return null;
            });
        }
        together(tasks);
        reopen();
        for (int p = 0; p < partitions; p++) {
            var mine = store.open(new PartitionId(100 + p), 1);
            assertThat(mine.lsn()).isEqualTo(commits);
            assertThat(rows(mine, Direction.FORWARD)).hasSize(commits + 1).contains("last=v" + (commits - 1));
        }
    }

    @Test
    void ofManyCommitsForOneLsnExactlyOneWins() throws Exception {
        int racers = 8;
        int rounds = 30;
        var won = new AtomicLong();
        var tasks = new ArrayList<Callable<Void>>();
        for (int r = 0; r < racers; r++) {
            var name = "racer" + r;
            tasks.add(() -> {
                for (long lsn = 0; lsn < rounds; lsn = partition.lsn()) {
                    var commit = new Commit(id(), lsn, lsn + 1, List.of(put("lsn" + lsn, name)));
                    if (partition.commit(commit) == CommitResult.COMMITTED) {
                        won.incrementAndGet();
                        assertThat(partition.get(key("lsn" + lsn))).isEqualTo(bytes(name));
                    }
                }
                return null;
            });
        }
        together(tasks);

        assertThat(won).hasValue(rounds);
        assertThat(rows(partition, Direction.FORWARD)).hasSize(rounds);
    }

    @Test
    void nobodySeesHalfACommit() throws Exception {
        commit(put("a", "1"), put("b", "1"));
        var started = new CountDownLatch(2);
        var stop = new AtomicBoolean();
        Callable<Void> reader = () -> {
            started.countDown();
            while (!stop.get()) {
                try (var snapshot = partition.snapshot()) {
                    byte[] lsn = bytes(Long.toString(snapshot.lsn()));
                    assertThat(snapshot.get(key("a"))).isEqualTo(lsn);
                    assertThat(snapshot.multiGet(List.of(key("b")))).containsExactly(lsn);
                }
            }
            return null;
        };
        Callable<Void> writer = () -> {
            try {
                started.await();
                for (int i = 2; i < 200; i++) {
                    commit(put("a", "" + i), put("b", "" + i));
                }
            } finally {
                stop.set(true);
            }
            return null;
        };
        together(List.of(reader, reader, writer));
    }

    @Test
    void aRandomHistoryGoesAsInAModel() {
        var random = Seed.random();
        partition.close();
        var history = new RandomHistory(random, this::open, directory, store);
        try {
            history.run(1_500);
        } finally {
            store = history.store();
            partition = store.open(EIGHT, 1);
        }
    }
}
