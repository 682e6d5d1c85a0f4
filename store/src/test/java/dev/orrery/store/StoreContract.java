package dev.orrery.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store promises. A store is supported when its subclass is green. */
public abstract class StoreContract {

    private static final PartitionId SEVEN = new PartitionId(7);
    private static final PartitionId EIGHT = new PartitionId(8);

    @TempDir
    protected Path directory;

    private final AtomicLong commitIds = new AtomicLong();
    private Store store;
    private PartitionStore partition;

    /** Opens the store of this directory, with all that an earlier one left there before it was closed. */
    protected abstract Store open(Path directory);

    @BeforeEach
    void openStore() {
        store = open(directory);
        partition = store.open(SEVEN, 1);
    }

    @AfterEach
    void closeStore() {
        partition.close();
        store.close();
    }

    // ---- Values

    @Test
    void aNewPartitionIsEmptyAndStandsAtLsnZero() {
        assertThat(partition.lsn()).isZero();
        assertThat(rows(partition, Direction.FORWARD)).isEmpty();
        try (var snapshot = partition.snapshot()) {
            assertThat(snapshot.lsn()).isZero();
        }
    }

    @Test
    void aCommittedValueIsReadEveryWay() {
        commit(put("a", "1"));

        assertThat(partition.get(key("a"))).isEqualTo(bytes("1"));
        assertThat(partition.tryGet(key("a")))
                .isInstanceOfSatisfying(
                        Cached.Found.class, found -> assertThat(found.value()).isEqualTo(bytes("1")));
        try (var snapshot = partition.snapshot()) {
            assertThat(snapshot.get(key("a"))).isEqualTo(bytes("1"));
        }
        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1");
    }

    @Test
    void aKeyThatIsNotThereHasNoValue() {
        commit(put("a", "1"));

        assertThat(partition.get(key("b"))).isNull();
        assertThat(partition.tryGet(key("b"))).isNotInstanceOf(Cached.Found.class);
        try (var snapshot = partition.snapshot()) {
            assertThat(snapshot.get(key("b"))).isNull();
        }
    }

    @Test
    void aDeletedKeyHasNoValue() {
        commit(put("a", "1"));
        commit(delete("a"), delete("never there"));

        assertThat(partition.get(key("a"))).isNull();
        assertThat(partition.tryGet(key("a"))).isNotInstanceOf(Cached.Found.class);
        assertThat(rows(partition, Direction.FORWARD)).isEmpty();
    }

    @Test
    void mutationsTakeEffectInTheirOrder() {
        commit(put("a", "1"), put("a", "2"), put("b", "1"), delete("b"), delete("c"), put("c", "3"));

        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=2", "c=3");
    }

    @Test
    void anEmptyValueIsAValue() {
        commit(put("a", ""));

        assertThat(partition.get(key("a"))).isEmpty();
        assertThat(partition.tryGet(key("a"))).isInstanceOf(Cached.Found.class);
        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=");
    }

    @Test
    void aLargeValueComesBackWhole() {
        byte[] large = new byte[8 << 20];
        Seed.random().nextBytes(large);
        commit(new Mutation.Put(key("a"), large));
        reopen();

        assertThat(partition.get(key("a"))).isEqualTo(large);
        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(everything(), Direction.FORWARD)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.value()).isEqualTo(large);
        }
    }

    @Test
    void aCommitOfManyMutationsIsTakenWhole() {
        var mutations = new ArrayList<Mutation>();
        for (int i = 0; i < 10_000; i++) {
            mutations.add(put("%05d".formatted(i), "x"));
        }
        commit(mutations.toArray(Mutation[]::new));

        assertThat(rows(partition, Direction.FORWARD)).hasSize(10_000);
    }

    @Test
    void aRangeIsDeletedFromItsFirstKeyUpToItsEnd() {
        commit(put("a", "1"), put("b", "2"), put("c", "3"), put("d", "4"));
        commit(new Mutation.DeleteRange(range("b", "d")), put("bb", "new"));

        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=1", "bb=new", "d=4");
        assertThat(partition.get(key("c"))).isNull();
    }

    @Test
    void aValueBelongsToWhoeverGotIt() {
        commit(put("a", "1"));
        partition.get(key("a"))[0] = 'x';
        try (var snapshot = partition.snapshot()) {
            snapshot.get(key("a"))[0] = 'x';
        }

        assertThat(partition.get(key("a"))).isEqualTo(bytes("1"));
    }

    @Test
    void whatIsNotAKeyIsRefused() {
        assertThatThrownBy(() -> new Mutation.Put(new byte[0], bytes("1")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Mutation.Delete(new byte[] {(byte) 0xFF}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Mutation.Delete(new byte[Keys.KEY_BYTES_MAX + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new KeyRange(new byte[] {1}, new byte[] {3}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLongestKeyIsKept() {
        byte[] longest = new byte[Keys.KEY_BYTES_MAX];
        Arrays.fill(longest, (byte) 0x41);
        commit(new Mutation.Put(longest, bytes("1")));

        assertThat(partition.get(longest)).isEqualTo(bytes("1"));
    }

    // ---- Scans

    @Test
    void aScanGoesThroughItsRangeInEitherDirection() {
        commit(put("a", "1"), put("b", "2"), put("c", "3"), put("d", "4"));

        try (var snapshot = partition.snapshot()) {
            assertThat(rows(snapshot, range("b", "d"), Direction.FORWARD)).containsExactly("b=2", "c=3");
            assertThat(rows(snapshot, range("b", "d"), Direction.BACKWARD)).containsExactly("c=3", "b=2");
            assertThat(rows(snapshot, range("aa", "cc"), Direction.BACKWARD)).containsExactly("c=3", "b=2");
            assertThat(rows(snapshot, range("b", "b"), Direction.FORWARD)).isEmpty();
            assertThat(rows(snapshot, range("e", "f"), Direction.BACKWARD)).isEmpty();
        }
    }

    @Test
    void keysAreOrderedAsUnsignedBytes() {
        int[] lastBytes = {0xFF, 0x00, 0x80, 0x7F, 0x01};
        for (int last : lastBytes) {
            commit(new Mutation.Put(new byte[] {5, (byte) last}, new byte[0]));
        }
        commit(new Mutation.Put(new byte[] {5}, new byte[0]));
        commit(new Mutation.Put(new byte[] {5, 0, 0}, new byte[0]));

        var found = keys(KeyRange.prefix(new byte[] {5}), Direction.FORWARD);
        assertThat(found)
                .containsExactly(
                        new byte[] {5},
                        new byte[] {5, 0},
                        new byte[] {5, 0, 0},
                        new byte[] {5, 1},
                        new byte[] {5, 0x7F},
                        new byte[] {5, (byte) 0x80},
                        new byte[] {5, (byte) 0xFF});
        Collections.reverse(found);
        assertThat(keys(KeyRange.prefix(new byte[] {5}), Direction.BACKWARD)).containsExactlyElementsOf(found);
    }

    @Test
    void aPrefixHoldsAllKeysThatBeginWithItAndNoOthers() {
        commit(
                put("a", ""),
                put("b", ""),
                put("ba", ""),
                new Mutation.Put(new byte[] {'K', 'b', (byte) 0xFF, (byte) 0xFF, 1}, bytes("")),
                put("c", ""));

        assertThat(keys(KeyRange.prefix(key("b")), Direction.FORWARD)).hasSize(3);
        assertThat(keys(KeyRange.prefix(new byte[] {'K', 'b', (byte) 0xFF}), Direction.FORWARD))
                .hasSize(1);
    }

    @Test
    void keySpacesDoNotMixInScans() {
        byte last = (byte) 0xFE;
        commit(
                new Mutation.Put(new byte[] {0, 1}, bytes("low")),
                new Mutation.Put(new byte[] {1, 1}, bytes("one")),
                new Mutation.Put(new byte[] {last, (byte) 0xFF}, bytes("high")));

        assertThat(keys(KeyRange.prefix(new byte[] {0}), Direction.BACKWARD)).containsExactly(new byte[] {0, 1});
        assertThat(keys(KeyRange.prefix(new byte[] {1}), Direction.FORWARD)).containsExactly(new byte[] {1, 1});
        assertThat(keys(KeyRange.prefix(new byte[] {last}), Direction.BACKWARD))
                .containsExactly(new byte[] {last, (byte) 0xFF});
    }

    @Test
    void seekingGoesOnFromTheKeyOrTheFirstOneBeyond() {
        commit(put("a", "1"), put("c", "3"), put("e", "5"), put("g", "7"));

        try (var snapshot = partition.snapshot();
                var forward = snapshot.scan(everything(), Direction.FORWARD);
                var backward = snapshot.scan(everything(), Direction.BACKWARD)) {
            assertThat(seek(forward, "c")).isEqualTo("c=3");
            assertThat(seek(forward, "d")).isEqualTo("e=5");
            assertThat(next(forward)).isEqualTo("g=7");
            assertThat(seek(forward, "b")).isEqualTo("c=3");
            assertThat(seek(backward, "e")).isEqualTo("e=5");
            assertThat(seek(backward, "d")).isEqualTo("c=3");
            assertThat(next(backward)).isEqualTo("a=1");
            assertThat(next(backward)).isNull();
            assertThat(seek(backward, "f")).isEqualTo("e=5");
        }
    }

    @Test
    void seekingNeverLeavesTheRange() {
        commit(put("a", "1"), put("c", "3"), put("e", "5"), put("g", "7"));

        try (var snapshot = partition.snapshot();
                var forward = snapshot.scan(range("b", "f"), Direction.FORWARD);
                var backward = snapshot.scan(range("b", "f"), Direction.BACKWARD)) {
            assertThat(seek(forward, "a")).isEqualTo("c=3");
            assertThat(seek(forward, "f")).isNull();
            assertThat(seek(forward, "c")).isEqualTo("c=3");
            assertThat(seek(backward, "g")).isEqualTo("e=5");
            assertThat(seek(backward, "f")).isEqualTo("e=5");
            assertThat(seek(backward, "a")).isNull();
        }
    }

    @Test
    void aCursorHasARowOnlyBetweenItsStartAndItsEnd() {
        commit(put("a", "1"));

        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(everything(), Direction.FORWARD)) {
            assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.next()).isFalse();
            assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aCursorFillsBuffersAndTellsHowMuchThereIs() {
        commit(put("abc", "12345"));

        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(everything(), Direction.FORWARD)) {
            cursor.next();
            byte[] tight = new byte[2];
            byte[] roomy = new byte[8];
            assertThat(cursor.key(tight)).isEqualTo(4);
            assertThat(tight).isEqualTo(bytes("Ka"));
            assertThat(cursor.key(roomy)).isEqualTo(4);
            assertThat(Arrays.copyOf(roomy, 4)).isEqualTo(key("abc"));
            assertThat(cursor.value(tight)).isEqualTo(5);
            assertThat(tight).isEqualTo(bytes("12"));
            assertThat(cursor.value(roomy)).isEqualTo(5);
            assertThat(Arrays.copyOf(roomy, 5)).isEqualTo(bytes("12345"));
            assertThat(cursor.value(new byte[0])).isEqualTo(5);
        }
    }

    // ---- Snapshots

    @Test
    void aSnapshotDoesNotMove() {
        commit(put("a", "1"), put("b", "2"), put("c", "3"));

        try (var snapshot = partition.snapshot()) {
            commit(put("a", "new"), delete("b"), put("d", "new"));
            commit(new Mutation.DeleteRange(range("c", "d")));

            assertThat(snapshot.lsn()).isEqualTo(1);
            assertThat(snapshot.get(key("a"))).isEqualTo(bytes("1"));
            assertThat(snapshot.get(key("c"))).isEqualTo(bytes("3"));
            assertThat(snapshot.multiGet(List.of(key("b"), key("d")))).containsExactly(bytes("2"), null);
            assertThat(rows(snapshot, everything(), Direction.FORWARD)).containsExactly("a=1", "b=2", "c=3");
            assertThat(rows(snapshot, everything(), Direction.BACKWARD)).containsExactly("c=3", "b=2", "a=1");
        }
        assertThat(rows(partition, Direction.FORWARD)).containsExactly("a=new", "d=new");
    }

    @Test
    void aScanUnderWayDoesNotSeeLaterCommits() {
        commit(put("a", "1"), put("c", "3"));

        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(everything(), Direction.FORWARD)) {
            assertThat(next(cursor)).isEqualTo("a=1");
            commit(put("b", "2"), delete("c"));
            assertThat(next(cursor)).isEqualTo("c=3");
            assertThat(next(cursor)).isNull();
        }
    }

    @Test
    void manyKeysAreReadInTheOrderTheyAreAskedFor() {
        commit(put("a", "1"), put("b", "2"));

        try (var snapshot = partition.snapshot()) {
            assertThat(snapshot.multiGet(List.of(key("b"), key("x"), key("a"), key("b"))))
                    .containsExactly(bytes("2"), null, bytes("1"), bytes("2"));
            assertThat(snapshot.multiGet(List.of())).isEmpty();
        }
    }

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

    // ---- Helpers

    private void reopen() {
        partition.close();
        store.close();
        store = open(directory);
        partition = store.open(SEVEN, 1);
    }

    private void commit(Mutation... mutations) {
        long lsn = partition.lsn();
        assertThat(partition.commit(new Commit(id(), lsn, lsn + 1, List.of(mutations))))
                .isEqualTo(CommitResult.COMMITTED);
    }

    private CommitId id() {
        return new CommitId(1, commitIds.incrementAndGet());
    }

    private List<byte[]> keys(KeyRange range, Direction direction) {
        var keys = new ArrayList<byte[]>();
        try (var snapshot = partition.snapshot();
                var cursor = snapshot.scan(range, direction)) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        }
        return keys;
    }

    private static List<String> rows(PartitionStore partition, Direction direction) {
        try (var snapshot = partition.snapshot()) {
            return rows(snapshot, everything(), direction);
        }
    }

    private static List<String> rows(Snapshot snapshot, KeyRange range, Direction direction) {
        var rows = new ArrayList<String>();
        try (var cursor = snapshot.scan(range, direction)) {
            for (var row = next(cursor); row != null; row = next(cursor)) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static String seek(Cursor cursor, String name) {
        cursor.seek(key(name));
        return next(cursor);
    }

    private static String next(Cursor cursor) {
        return cursor.next()
                ? new String(cursor.key(), UTF_8).substring(1) + "=" + new String(cursor.value(), UTF_8)
                : null;
    }

    private static void together(List<Callable<Void>> tasks) throws Exception {
        try (var threads = Executors.newFixedThreadPool(tasks.size())) {
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** All keys that the helpers below make: they share one key space. */
    private static KeyRange everything() {
        return KeyRange.prefix(key(""));
    }

    private static KeyRange range(String from, String to) {
        return new KeyRange(key(from), key(to));
    }

    private static Mutation put(String name, String value) {
        return new Mutation.Put(key(name), bytes(value));
    }

    private static Mutation delete(String name) {
        return new Mutation.Delete(key(name));
    }

    private static byte[] key(String name) {
        return bytes("K" + name);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
