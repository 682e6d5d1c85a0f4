package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CommitFormatTest {

    @Test
    void everyCommitComesBackFromItsBytes() {
        var random = Seed.random();
        for (int i = 0; i < 500; i++) {
            var commit = commit(random);

            assertThat(CommitFormat.decode(CommitFormat.encode(commit))).isEqualTo(commit);
        }
    }

    @Test
    void theBytesAreThoseOfVersionOne() {
        var commit = new Commit(
                new CommitId(1, 2),
                3,
                4,
                List.of(
                        new Mutation.Put(new byte[] {5, 6}, new byte[] {7}),
                        new Mutation.Delete(new byte[] {8}),
                        new Mutation.DeleteRange(new KeyRange(new byte[] {9}, new byte[] {9, 10}))));
        byte[] bytes = HexFormat.of()
                .parseHex("01" + "0000000000000001" + "0000000000000002" + "0000000000000003" + "0000000000000004"
                        + "00000003"
                        + "01" + "000000020506" + "0000000107"
                        + "02" + "0000000108"
                        + "03" + "0000000109" + "00000002090a");

        assertThat(CommitFormat.encode(commit)).isEqualTo(bytes);
        assertThat(CommitFormat.decode(bytes)).isEqualTo(commit);
    }

    @Test
    void bytesThatAreCutOffOrTooLongAreRefused() {
        byte[] bytes = CommitFormat.encode(commit(Seed.random()));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> CommitFormat.decode(cut)).isInstanceOf(StoreException.class);
        }
        assertThatThrownBy(() -> CommitFormat.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void anUnknownVersionIsRefusedByName() {
        byte[] bytes = CommitFormat.encode(commit(Seed.random()));
        bytes[0] = 9;

        assertThatThrownBy(() -> CommitFormat.decode(bytes))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("9");
    }

    @Test
    void damagedBytesGiveACommitOrAStoreExceptionAndNothingElse() {
        var random = Seed.random();
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = CommitFormat.encode(commit(random));
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(CommitFormat.decode(bytes)).isNotNull();
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("commit").isNotNull();
            }
        }
    }

    private static Commit commit(RandomGenerator random) {
        var mutations = new ArrayList<Mutation>();
        for (int i = random.nextInt(6); i > 0; i--) {
            mutations.add(
                    switch (random.nextInt(3)) {
                        case 0 -> new Mutation.Put(key(random), bytes(random, random.nextInt(40)));
                        case 1 -> new Mutation.Delete(key(random));
                        default -> new Mutation.DeleteRange(KeyRange.prefix(key(random)));
                    });
        }
        long expectedLsn = random.nextLong(Long.MAX_VALUE - 10);
        var id = new CommitId(random.nextLong(), 1 + random.nextLong(Long.MAX_VALUE));
        return new Commit(id, expectedLsn, expectedLsn + 1 + random.nextInt(9), mutations);
    }

    private static byte[] key(RandomGenerator random) {
        byte[] key = bytes(random, 1 + random.nextInt(10));
        key[0] &= 0x7F;
        return key;
    }

    private static byte[] bytes(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
