package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a damaged store can be read, and what is not fails to be: it never looks as if it were not there. */
class SalvageTest {
    private static final ScheduledExecutorService BACKGROUND = Executors.newSingleThreadScheduledExecutor();
    private static final PartitionId ONE = new PartitionId(1);
    private static final byte SPACE = 1;
    private static final int ROWS = 2_000;
    private static final int IN_LOG = 10;
    private static final int VALUE_BYTES = 10_000;

    @TempDir
    private Path base;

    @AfterAll
    static void stop() {
        BACKGROUND.shutdownNow();
    }

    @Test
    void aDamagedBlockCostsTheRowsInItAndNoOthers() throws IOException {
        var directory = filled();
        var file = largestSorted(directory);
        flip(file, Files.size(file) / 2);

        int unreadable = readAll(directory);

        assertThat(unreadable).isBetween(1, 10);
        assertThat(base.resolve("scratch")).doesNotExist();
    }

    @Test
    void aFileThatCannotBeOpenedCostsTheRowsInItAndNoOthers() throws IOException {
        var directory = filled();
        var file = largestSorted(directory);
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 1000));

        try (var store = salvage(directory);
                var partition = store.open(ONE, 1);
                var snapshot = partition.snapshot()) {
            for (int i = ROWS - IN_LOG; i < ROWS; i++) {
                assertThat(snapshot.get(key(i))).hasSize(VALUE_BYTES);
            }
        }
    }

    @Test
    void withoutItsListOfFilesAStoreIsPutTogetherFromThem() throws IOException {
        for (var lost : List.of("CURRENT", "MANIFEST-*")) {
            var directory = filled();
            try (var files = Files.newDirectoryStream(directory, lost)) {
                for (var file : files) {
                    Files.delete(file);
                }
            }

            assertThat(readAll(directory)).isZero();
            deleteAll(base.resolve("scratch"));
        }
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 1;
        Files.write(file, bytes);
    }

    private static void deleteAll(Path folder) throws IOException {
        try (var contents = Files.walk(folder)) {
            for (var path : contents.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static Path largestSorted(Path directory) throws IOException {
        Path largest = null;
        try (var files = Files.newDirectoryStream(directory, "*.sst")) {
            for (var file : files) {
                if (largest == null || Files.size(file) > Files.size(largest)) {
                    largest = file;
                }
            }
        }
        return largest;
    }

    /** So many rows that closing makes a file of them; those that come later are in the log. */
    private Path filled() {
        var directory = base.resolve("store" + System.identityHashCode(new Object()));
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        try (var store = open(directory)) {
            put(store, 0, ROWS - IN_LOG, random);
        }
        try (var store = open(directory)) {
            put(store, ROWS - IN_LOG, ROWS, random);
        }
        return directory;
    }

    private static void put(RocksDbStore store, int from, int to, RandomGenerator random) {
        try (var partition = store.open(ONE, 1)) {
            for (int i = from; i < to; i++) {
                var value = new byte[VALUE_BYTES]; // Random, so that packing does not make one block of all.
                random.nextBytes(value);
                var commit = new Commit(
                        new CommitId(1, i + 1), i, i + 1, List.<Mutation>of(new Mutation.Put(key(i), value)));
                assertThat(partition.commit(commit)).isEqualTo(CommitResult.COMMITTED);
            }
        }
    }

    private static RocksDbStore open(Path directory) {
        return new RocksDbStore(directory, RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED), BACKGROUND);
    }

    private RocksDbStore salvage(Path directory) {
        return RocksDbStore.toSalvage(directory, base.resolve("scratch"), RocksDbSettings.DEFAULT, BACKGROUND);
    }

    /** How many rows cannot be read; all others have to be there, one by one and in a scan. */
    private int readAll(Path directory) {
        var unreadable = new ArrayList<Integer>();
        try (var store = salvage(directory);
                var partition = store.open(ONE, 1);
                var snapshot = partition.snapshot()) {
            for (int i = 0; i < ROWS; i++) {
                try {
                    assertThat(snapshot.get(key(i))).hasSize(VALUE_BYTES);
                } catch (StoreException damage) {
                    unreadable.add(i);
                }
            }
            int last = unreadable.isEmpty() ? -1 : unreadable.getLast();
            try (var cursor = snapshot.scan(KeyRange.prefix(new byte[] {SPACE}), Direction.FORWARD)) {
                cursor.seek(key(last + 1));
                int found = 0;
                while (cursor.next()) {
                    found++;
                }
                assertThat(found).isEqualTo(ROWS - last - 1);
            }
        }
        return unreadable.size();
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(5).put(SPACE).putInt(number).array();
    }
}
