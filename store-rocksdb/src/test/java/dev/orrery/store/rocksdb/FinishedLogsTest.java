package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/**
 * A store that ended in a crash while it had more than one log. The manifest knows those that are finished, and they are
 * still needed, because of one family of rows nothing is in files yet.
 */
class FinishedLogsTest {
    private static final RocksDbSettings SETTINGS = Committer.SETTINGS;
    private static final int LOGS = 3;

    private final ScheduledExecutorService background = Executors.newSingleThreadScheduledExecutor();

    @TempDir
    private Path base;

    private Path directory;
    private long lastGroup;

    @BeforeEach
    void crash() throws IOException, RocksDBException {
        directory = base.resolve("store");
        Files.createDirectory(directory);
        try (var database = new Database(directory, SETTINGS, Database.Use.READ_AND_WRITE, 0);
                var flush = new FlushOptions()) {
            for (int number = 1; number <= LOGS; number++) {
                var rows = database.nextGroup(100);
                for (var key : List.of(Committer.key('K', number), Committer.key('S', number))) {
                    rows.put(database.families().id(key), 1, key, new byte[] {1});
                }
                database.write(rows);
                if (number < LOGS) {
                    database.rocks().flush(flush, database.families().main());
                }
            }
            lastGroup = database.group();
        }
        assertThat(logs()).hasSize(LOGS);
    }

    @AfterEach
    void stop() {
        background.shutdownNow();
    }

    @Test
    void itIsReadWithoutAChange() throws IOException {
        try (var database = new Database(directory, SETTINGS, Database.Use.READ, 0)) {
            assertThat(database.group()).isEqualTo(lastGroup);
        }
        assertThat(logs()).hasSize(LOGS);
    }

    @Test
    void withoutOneOfThemItIsRefused() throws IOException {
        Files.delete(logs().getFirst());
        assertThatThrownBy(() -> new Database(directory, SETTINGS, Database.Use.READ, 0))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void whatIsLeftOfItCanBeRead() throws IOException {
        var scratch = base.resolve("scratch");
        RocksDbStore.toSalvage(directory, scratch, SETTINGS, background).close();
        assertThat(scratch).doesNotExist();

        Files.delete(logs().getFirst());
        RocksDbStore.toSalvage(directory, scratch, SETTINGS, background).close();
        assertThat(scratch).exists();
    }

    /** The oldest one first. */
    private List<Path> logs() throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }
}
