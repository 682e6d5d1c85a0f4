package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Await;
import dev.orrery.store.PartitionId;
import dev.orrery.store.StoreException;
import dev.orrery.store.WritesStoppedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A write that the disk refuses is not reported as committed, and later ones are taken when its outcome is known. */
class DiskFullTest {

    private static final int SMALL_COMMITS = 20;

    // In blocks of 512 bytes. Room for RocksDB's own library, which is copied to a file, but not for the large commit.
    private static final int FILE_BLOCKS_MAX = 48 * 1024;
    private static final int LARGE_COMMIT_BYTES = 30 << 20;

    @TempDir
    private Path directory;

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Needs a limit of the file size, which only POSIX has")
    void aWriteThatFailsStopsAllOthersUntilItIsSettled() throws Exception {
        var command = new ArrayList<>(List.of("sh", "-c", "ulimit -f " + FILE_BLOCKS_MAX + "; exec \"$@\"", "sh"));
        var java = Committer.java(DiskFullTest.class, directory.toString());
        command.addAll(java.command());
        var process = java.command(command).start();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.lines()).containsExactly("went on as it should");
        }
        assertThat(process.waitFor()).isZero();

        try (var background = Executors.newSingleThreadScheduledExecutor();
                var store = new RocksDbStore(directory, Committer.SETTINGS, background)) {
            var partition = store.open(new PartitionId(1), 1);
            assertThat(partition.lsn()).isEqualTo(2 * SMALL_COMMITS);
            assertThat(partition.get(Committer.key('K', 2 * SMALL_COMMITS))).isNotNull();
        }
    }

    /** What the process with the small disk does. */
    public static void main(String[] args) {
        try (var background = Executors.newSingleThreadScheduledExecutor()) {
            var store = new RocksDbStore(Path.of(args[0]), Committer.SETTINGS, background);
            var partition = store.open(new PartitionId(1), 1);
            for (int lsn = 1; lsn <= SMALL_COMMITS; lsn++) {
                partition.commit(Committer.commit(lsn, 100));
            }
            var large = Committer.commit(SMALL_COMMITS + 1, LARGE_COMMIT_BYTES);
            assertThatThrownBy(() -> partition.commit(large))
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(WritesStoppedException.class)
                    .hasMessageContaining("The write failed");
            Await.until("recovery", () -> store.condition().stopped().isEmpty());
            assertThat(partition.resolve(large.id())).hasValue(false);
            assertThat(partition.lsn()).isEqualTo(SMALL_COMMITS);
            assertThat(partition.get(Committer.key('K', SMALL_COMMITS))).isNotNull();
            assertThat(partition.get(Committer.key('K', SMALL_COMMITS + 1))).isNull();
            for (int lsn = SMALL_COMMITS + 1; lsn <= 2 * SMALL_COMMITS; lsn++) {
                partition.commit(Committer.commit(lsn, 100));
            }
            System.out.println("went on as it should");
        }
    }
}
