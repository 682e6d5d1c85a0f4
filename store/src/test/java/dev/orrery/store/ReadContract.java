package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The part of {@link StoreContract} that one owner of one partition sees: values, scans, snapshots. */
public abstract class ReadContract extends StoreFixture {

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

    /** An estimate: what matters is that it grows with the rows, and counts those of the range alone. */
    @Test
    void aStoreKnowsAboutHowMuchARangeTakes() {
        var few = KeyRange.prefix(key("few"));
        var many = KeyRange.prefix(key("many"));
        assertThat(partition.bytes(many)).isZero();

        var value = new byte[1000];
        for (int i = 0; i < 20; i++) {
            var mutations = new ArrayList<Mutation>();
            for (int j = 0; j < 200; j++) {
                Seed.random().nextBytes(value);
                mutations.add(new Mutation.Put(key("many %02d %03d".formatted(i, j)), value.clone()));
            }
            mutations.add(put("few %02d".formatted(i), "1"));
            commit(mutations.toArray(Mutation[]::new));
        }
        assertThat(partition.bytes(many)).isBetween(1_000_000L, 16_000_000L);
        assertThat(partition.bytes(few)).isLessThan(partition.bytes(many) / 2);
        assertThat(partition.bytes(KeyRange.prefix(key("many 0")))).isLessThan(partition.bytes(many));
        reopen();
        assertThat(partition.bytes(many)).isBetween(1_000_000L, 16_000_000L);
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
}
