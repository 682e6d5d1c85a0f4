package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this store does beyond the contract, while it serves and at its end. */
class ServingTest {

    private static final ScheduledExecutorService BACKGROUND = Executors.newSingleThreadScheduledExecutor();
    private static final PartitionId ONE = new PartitionId(1);

    @TempDir
    private Path base;

    @AfterAll
    static void stop() {
        BACKGROUND.shutdownNow();
    }

    @Test
    void aKeyIsUnknownToMemoryUntilItHasBeenReadFromItsFile() {
        byte[] inTheMiddle = key(500); // Opening reads the first row and the last one, and the blocks they are in.
        try (var store = open(base)) {
            var partition = store.open(ONE, 1);
            for (int lsn = 1; lsn <= 1000; lsn++) {
                commit(partition, lsn);
            }
        }
        try (var store = open(base)) {
            var partition = store.open(ONE, 1);

            assertThat(partition.tryGet(inTheMiddle)).isEqualTo(Cached.UNKNOWN);
            assertThat(partition.get(inTheMiddle)).isNotNull();
            assertThat(partition.tryGet(inTheMiddle)).isInstanceOf(Cached.Found.class);
        }
    }

    @Test
    void aCheckpointTakenDuringCommitsIsAWholeStore() {
        try (var store = open(base.resolve("store"))) {
            var partition = store.open(ONE, 1);
            commit(partition, 1);
            var stop = new AtomicBoolean();
            var committing = CompletableFuture.runAsync(() -> {
                while (!stop.get()) {
                    commit(partition, partition.lsn() + 1);
                }
            });
            for (int i = 0; i < 3; i++) {
                long before = partition.lsn();
                var copy = base.resolve("copy" + i);
                store.checkpoint(copy);
                assertWhole(copy, before);
            }
            stop.set(true);
            committing.join();
        }
    }

    @Test
    void aCheckpointDoesNotOverwriteAnything() {
        try (var store = open(base.resolve("store"))) {
            assertThatThrownBy(() -> store.checkpoint(base))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(base.toString());
        }
    }

    @Test
    void everyCallAfterTheEndSaysSo() {
        var store = open(base);
        var partition = store.open(ONE, 1);
        store.close();

        List.<Runnable>of(
                        () -> partition.get(key(1)),
                        () -> partition.tryGet(key(1)),
                        partition::snapshot,
                        () -> commit(partition, 1),
                        () -> store.open(ONE, 1),
                        () -> store.drop(ONE),
                        store::partitions)
                .forEach(call -> assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed"));
    }

    @Test
    void aSnapshotAndACursorSayThatTheyAreClosed() {
        try (var store = open(base)) {
            var snapshot = store.open(ONE, 1).snapshot();
            var cursor = snapshot.scan(KeyRange.prefix(new byte[] {1}), Direction.FORWARD);
            cursor.close();
            cursor.close();
            snapshot.close();
            snapshot.close();

            assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> cursor.seek(key(1))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(snapshot::lsn).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> snapshot.multiGet(List.of(key(1)))).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void readersMayGoOnWhileTheStoreIsClosed() {
        var store = open(base);
        var partition = store.open(ONE, 1);
        commit(partition, 1);
        var readers = List.of(reader(partition), reader(partition));
        store.close();

        readers.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<Void> reader(PartitionStore partition) {
        return CompletableFuture.runAsync(() -> {
            try {
                while (true) {
                    assertThat(partition.get(key(1))).isNotNull();
                    try (var snapshot = partition.snapshot();
                            var cursor = snapshot.scan(KeyRange.prefix(new byte[] {'K'}), Direction.BACKWARD)) {
                        assertThat(cursor.next()).isTrue();
                    }
                }
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("closed");
            }
        });
    }

    private static void assertWhole(Path directory, long lsnMin) {
        try (var store = open(directory)) {
            var partition = store.open(ONE, 1);
            long lsn = partition.lsn();
            assertThat(lsn).isGreaterThanOrEqualTo(lsnMin);
            for (long i = 1; i <= lsn; i++) {
                assertThat(partition.get(key(i))).isNotNull();
            }
            assertThat(partition.get(key(lsn + 1))).isNull();
        }
    }

    private static void commit(PartitionStore partition, long lsn) {
        var put = new Mutation.Put(key(lsn), new byte[100]);
        assertThat(partition.commit(new Commit(new CommitId(1, lsn), lsn - 1, lsn, List.of(put))))
                .isEqualTo(CommitResult.COMMITTED);
    }

    private static byte[] key(long i) {
        return ByteBuffer.allocate(9).put((byte) 'K').putLong(i).array();
    }

    private static RocksDbStore open(Path directory) {
        return new RocksDbStore(directory, RocksDbSettings.DEFAULT, BACKGROUND);
    }
}
