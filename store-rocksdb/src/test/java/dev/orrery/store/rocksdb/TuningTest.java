package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class TuningTest {
    private static final int ROWS = 100;
    private static final int ROUNDS = 10_000;

    /** More would be passed over by every scan. */
    private static final int REMOVED_MAX = 5_000;

    @Test
    void aListOfTheLatestRowsIsNotBuriedInThoseThatAreGone(@TempDir Path directory) throws RocksDBException {
        try (var database = new Database(
                directory,
                RocksDbSettings.DEFAULT.withDurability(Durability.RELAXED),
                Database.Use.READ_AND_WRITE,
                0)) {
            var rocks = database.rocks();
            for (int round = 0; round < ROUNDS; round++) {
                rocks.put(key(round), new byte[ROWS]);
                if (round >= ROWS) {
                    rocks.delete(key(round - ROWS));
                    assertThat(rows(rocks)).isEqualTo(ROWS);
                }
            }
            assertThat(rocks.getLongProperty("rocksdb.num-deletes-active-mem-table"))
                    .isLessThan(REMOVED_MAX);
        }
    }

    /** Rows that belong together do not come in the order in which they are made. */
    private static byte[] key(int round) {
        return ByteBuffer.allocate(Long.BYTES)
                .putLong(round * 0x9E3779B97F4A7C15L)
                .array();
    }

    private static int rows(RocksDB rocks) {
        try (var iterator = rocks.newIterator()) {
            int rows = 0;
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                rows += iterator.key().length == Long.BYTES ? 1 : 0;
            }
            return rows;
        }
    }
}
