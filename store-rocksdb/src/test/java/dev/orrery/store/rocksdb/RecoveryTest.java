package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Await;
import dev.orrery.store.PartitionId;
import dev.orrery.store.RecoveryContract;
import dev.orrery.store.Store;
import dev.orrery.store.WritesStoppedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

/** A store comes back by itself when its disk does. */
class RecoveryTest {

    private static final ScheduledExecutorService BACKGROUND = Executors.newSingleThreadScheduledExecutor();

    @AfterAll
    static void stop() {
        BACKGROUND.shutdownNow();
    }

    @Nested
    class Strict extends OnFailingDisk {
        Strict() {
            super(RocksDbSettings.DEFAULT);
        }
    }

    @Nested
    class Relaxed extends OnFailingDisk {
        Relaxed() {
            super(RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED));
        }
    }

    abstract static class OnFailingDisk extends RecoveryContract {
        private final RocksDbSettings settings;
        private FailingDisk disk;

        OnFailingDisk(RocksDbSettings settings) {
            this.settings = settings;
        }

        @Override
        protected Store open(Path directory) {
            return new RocksDbStore(
                    directory,
                    settings,
                    BACKGROUND,
                    place -> {
                        disk = new FailingDisk(place);
                        return disk;
                    },
                    Database.Use.READ_AND_WRITE);
        }

        @Override
        protected void breakDisk(boolean applied) {
            disk.failsBefore = !applied;
            disk.failsAfter = applied;
        }

        @Override
        protected void healDisk() {
            disk.failsBefore = false;
            disk.failsAfter = false;
        }
    }

    @Test
    void writesStopAtTheReserveAndGoOnWhenThereIsRoomAgain(@TempDir Path directory) throws IOException {
        var disk = new FailingDisk(directory);
        var settings = Committer.SETTINGS.withDiskReserveBytes(100 << 20);
        disk.room.set(300 << 20);
        try (var store =
                new RocksDbStore(directory, settings, BACKGROUND, place -> disk, Database.Use.READ_AND_WRITE)) {
            var partition = store.open(new PartitionId(1), 1);
            partition.commit(Committer.commit(1, 100));
            assertThat(store.condition().warning()).isEmpty();

            disk.room.set(150 << 20);
            Await.until("the store does so", () -> store.condition().warning().isPresent());
            assertThat(store.condition().warning().get()).contains("150 MB", "100 MB", "--disk-reserve");
            partition.commit(Committer.commit(2, 100));

            disk.room.set(99 << 20);
            Await.until("the store does so", () -> store.condition().stopped().isPresent());
            assertThatThrownBy(() -> partition.commit(Committer.commit(3, 100)))
                    .isInstanceOf(WritesStoppedException.class)
                    .hasMessageContaining("99 MB")
                    .hasMessageContaining("--disk-reserve");
            assertThat(partition.get(Committer.key('K', 2))).isNotNull();

            disk.room.set(200 << 20);
            Await.until("the store does so", () -> store.condition().stopped().isEmpty());
            partition.commit(Committer.commit(3, 100));
            assertThat(partition.lsn()).isEqualTo(3);
        }
    }

    @Test
    void aWriterThatFillsTheDiskIsStoppedBetweenTwoLooks(@TempDir Path directory) throws IOException {
        var disk = new FailingDisk(directory) {
            @Override
            void write(Database database, RowBatch group) throws RocksDBException {
                super.write(database, group);
                room.addAndGet(-(1 << 20));
            }
        };
        disk.room.set(110 << 20);
        var settings = Committer.SETTINGS.withDiskReserveBytes(100 << 20);
        try (var store =
                new RocksDbStore(directory, settings, BACKGROUND, place -> disk, Database.Use.READ_AND_WRITE)) {
            var partition = store.open(new PartitionId(1), 1);

            assertThatThrownBy(() -> {
                        while (true) {
                            partition.commit(Committer.commit(partition.lsn() + 1, 1 << 20));
                        }
                    })
                    .isInstanceOf(WritesStoppedException.class);
            assertThat(partition.lsn()).isBetween(9L, 16L);
        }
    }

    private static class FailingDisk extends Disk {
        volatile boolean failsBefore;
        volatile boolean failsAfter;
        final AtomicLong room = new AtomicLong(Long.MAX_VALUE);

        FailingDisk(Path directory) throws IOException {
            super(directory);
        }

        @Override
        long roomBytes() {
            return room.get();
        }

        @Override
        void tryWrite() throws IOException {
            if (failsBefore || failsAfter) {
                throw new IOException("Planned failure of the disk");
            }
            super.tryWrite();
        }

        @Override
        void write(Database database, RowBatch group) throws RocksDBException {
            failIf(failsBefore);
            super.write(database, group);
            failIf(failsAfter);
        }

        private static void failIf(boolean planned) throws RocksDBException {
            if (planned) {
                throw new RocksDBException("Planned failure of the disk");
            }
        }
    }
}
