package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files never lose anything acknowledged without a word. */
class DamageTest {

    private static final ScheduledExecutorService BACKGROUND = Executors.newSingleThreadScheduledExecutor();
    private static final PartitionId ONE = new PartitionId(1);
    private static final int COMMITS = 100;

    @TempDir
    private Path base;

    @AfterAll
    static void stop() {
        BACKGROUND.shutdownNow();
    }

    // ---- After a crash: all is in the log, and there is no inventory

    @Test
    void theLogIsReplayedAfterACrash() throws IOException {
        var directory = crashed();

        assertThat(rowsAfterOpening(directory)).isEqualTo(COMMITS);
    }

    @Test
    void zerosBehindTheLastRecordAreNoDamage() throws IOException {
        var directory = crashed();
        change(directory, "*.log", bytes -> Arrays.copyOf(bytes, bytes.length + 5_000));

        assertThat(rowsAfterOpening(directory)).isEqualTo(COMMITS);
    }

    @Test
    void damageInTheMiddleOfTheLogIsRefused() throws IOException {
        var directory = crashed();
        change(directory, "*.log", bytes -> flipped(bytes, bytes.length / 2));

        assertRefused(opening(directory), directory, ".log");
    }

    @Test
    void damageToTheLastRecordOfTheLogIsRefused() throws IOException {
        var directory = crashed();
        change(directory, "*.log", bytes -> flipped(bytes, bytes.length - 1));

        assertRefused(opening(directory), directory, ".log");
    }

    @Test
    void aHoleInTheLogIsRefused() throws IOException {
        var directory = crashed();
        change(directory, "*.log", bytes -> {
            Arrays.fill(bytes, bytes.length / 3, bytes.length / 2, (byte) 0);
            return bytes;
        });

        assertRefused(opening(directory), directory, ".log");
    }

    @Test
    void aMissingLogIsRefused() throws IOException {
        var directory = crashed();
        Files.delete(file(directory, "*.log"));

        assertRefused(opening(directory), directory, "log is missing");
    }

    // ---- At rest: all is in sorted files

    @Test
    void aDamagedManifestIsRefused() throws IOException {
        var directory = atRest();
        change(directory, "MANIFEST-*", bytes -> flipped(bytes, bytes.length / 2));

        assertRefused(opening(directory), directory, "MANIFEST-");
    }

    @Test
    void aManifestThatLostItsEndIsRefused() throws IOException {
        for (int parts = 2; parts < 6; parts++) {
            var directory = atRest();
            int cut = parts;
            change(directory, "MANIFEST-*", bytes -> Arrays.copyOf(bytes, bytes.length - bytes.length / cut));

            assertRefused(opening(directory), directory, "MANIFEST-");
        }
    }

    @Test
    void aMissingManifestIsRefused() throws IOException {
        var directory = atRest();
        Files.delete(file(directory, "MANIFEST-*"));

        assertRefused(opening(directory), directory, "MANIFEST-");
    }

    @Test
    void aDamagedCurrentIsRefused() throws IOException {
        var directory = atRest();
        change(directory, "CURRENT", bytes -> flipped(bytes, 3));

        assertRefused(opening(directory), directory, "CURRENT");
        change(directory, "CURRENT", bytes -> new byte[0]);
        assertRefused(opening(directory), directory, "CURRENT");
        Files.delete(directory.resolve("CURRENT"));
        assertRefused(opening(directory), directory, "CURRENT");
    }

    @Test
    void aMissingDataFileIsRefused() throws IOException {
        var directory = atRest();
        Files.delete(file(directory, "*.sst"));

        assertRefused(opening(directory), directory, ".sst");
    }

    @Test
    void aDataFileThatLostItsEndIsRefused() throws IOException {
        var directory = atRest();
        change(directory, "*.sst", bytes -> Arrays.copyOf(bytes, bytes.length - 100));

        assertRefused(opening(directory), directory, ".sst");
    }

    @Test
    void aDataFileThatWasChangedIsRefused() throws IOException {
        var directory = atRest();
        change(directory, "*.sst", bytes -> flipped(bytes, bytes.length / 2));

        assertRefused(opening(directory), directory, ".sst");
    }

    @Test
    void aBlockDamagedMeanwhileIsAnErrorForWhoeverReadsIt() throws IOException {
        var directory = atRest();
        var keys = IntStream.range(0, COMMITS).mapToObj(DamageTest::key).toList();

        try (var store = open(directory, RocksDbSettings.DEFAULT)) {
            change(directory, "*.sst", bytes -> flipped(bytes, bytes.length / 2));
            var partition = store.open(ONE, 1);
            try (var snapshot = partition.snapshot();
                    var cursor = snapshot.scan(KeyRange.prefix(new byte[] {'K'}), Direction.FORWARD)) {
                assertRefused(() -> keys.forEach(partition::get), directory, ".sst");
                assertThat(keys).noneMatch(key -> partition.tryGet(key) instanceof Cached.Absent);
                assertRefused(() -> snapshot.multiGet(keys), directory, ".sst");
                assertRefused(() -> scan(cursor), directory, ".sst");
            }
        }
    }

    private static void scan(Cursor cursor) {
        while (cursor.next()) {
            assertThat(cursor.value()).hasSize(1_000);
        }
    }

    // ---- Directories that are not for us

    @Test
    void aDirectoryInUseIsRefused() {
        try (var store = open(base, RocksDbSettings.DEFAULT)) {
            store.open(ONE, 1).close();
            assertThatThrownBy(opening(base))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("Another Orrery is using " + base);
        }
        open(base, RocksDbSettings.DEFAULT).close();
    }

    @Test
    void aFileInsteadOfADirectoryIsRefused() throws IOException {
        var file = Files.createFile(base.resolve("file"));

        assertRefused(opening(file), file, "cannot be used");
    }

    @Test
    void aFormatOfTheFutureIsRefused() throws Exception {
        open(base, RocksDbSettings.DEFAULT).close();
        try (var database = new Database(base, RocksDbSettings.DEFAULT, Database.Use.READ_AND_WRITE, 0)) {
            var format = new StoreFormat(2, Set.of());
            database.rocks().put(database.families().main(), StoreFormat.row(), format.encode());
        }

        assertRefused(opening(base), base, "format 2");
    }

    @Test
    void otherSeparateKeySpacesAreRefused() {
        open(base, RocksDbSettings.DEFAULT).close();
        var changed = RocksDbSettings.DEFAULT.withSeparateKeySpaces(Set.of((byte) 3));

        assertRefused(() -> open(base, changed), base, "separate key spaces");
    }

    // ---- Helpers

    /** A copy of the files of a store that is still open, as they are after the process was killed. */
    private Path crashed() throws IOException {
        var crashed = Files.createTempDirectory(base, "crashed");
        var source = Files.createTempDirectory(base, "running");
        try (var store = open(source, RocksDbSettings.DEFAULT)) {
            fill(store);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(source)) {
                for (Path file : files) {
                    Files.copy(file, crashed.resolve(file.getFileName()));
                }
            }
        }
        return crashed;
    }

    private Path atRest() throws IOException {
        var source = Files.createTempDirectory(base, "running");
        var target = Files.createTempDirectory(base, "checkpoint").resolve("here");
        try (var store = open(source, RocksDbSettings.DEFAULT)) {
            fill(store);
            store.checkpoint(target);
        }
        return target;
    }

    private static void fill(RocksDbStore store) {
        var partition = store.open(ONE, 1);
        var random = new SplittableRandom(1); // So that values are not compressed to nothing.
        for (int i = 0; i < COMMITS; i++) {
            byte[] value = new byte[1_000];
            random.nextBytes(value);
            var put = new Mutation.Put(key(i), value);
            assertThat(partition.commit(new Commit(new CommitId(1, i), i, i + 1, List.of(put))))
                    .isEqualTo(CommitResult.COMMITTED);
        }
    }

    private static long rowsAfterOpening(Path directory) {
        try (var store = open(directory, RocksDbSettings.DEFAULT)) {
            var partition = store.open(ONE, 1);
            long rows = IntStream.range(0, COMMITS)
                    .takeWhile(i -> partition.get(key(i)) != null)
                    .count();
            assertThat(partition.lsn()).isEqualTo(rows);
            return rows;
        }
    }

    private static byte[] key(int i) {
        return new byte[] {'K', (byte) i};
    }

    private static RocksDbStore open(Path directory, RocksDbSettings settings) {
        return new RocksDbStore(directory, settings, BACKGROUND);
    }

    private static ThrowingCallable opening(Path directory) {
        return () -> open(directory, RocksDbSettings.DEFAULT).close();
    }

    private static void assertRefused(ThrowingCallable call, Path directory, String reason) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining(reason);
    }

    private static void change(Path directory, String pattern, UnaryOperator<byte[]> damage) throws IOException {
        var file = file(directory, pattern);
        Files.write(file, damage.apply(Files.readAllBytes(file)));
    }

    private static byte[] flipped(byte[] bytes, int at) {
        bytes[at] ^= 0x55;
        return bytes;
    }

    private static Path file(Path directory, String pattern) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
            var found = new ArrayList<Path>();
            files.forEach(found::add);
            assertThat(found).as(pattern).hasSize(1);
            return found.getFirst();
        }
    }
}
