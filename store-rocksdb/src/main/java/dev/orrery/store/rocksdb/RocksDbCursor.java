package dev.orrery.store.rocksdb;

import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import java.util.Arrays;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/** A RocksDB iterator kept inside a range. */
final class RocksDbCursor implements Cursor {

    private enum Place {
        /** The iterator stands where the next row is to be found. */
        SOUGHT,
        ON_ROW,
        AT_END,
        CLOSED
    }

    private static final int ROW_BYTES = 256; // To begin with; grows to the longest key met.

    private final Lifetime lifetime;
    private final Partition partition;
    private final Direction direction;
    private final Slice from;
    private final Slice to;
    private final ReadOptions options;
    private final RocksIterator rows;

    private Place place = Place.SOUGHT;
    private byte[] row = new byte[ROW_BYTES];

    RocksDbCursor(Database database, Partition partition, Snapshot sequence, KeyRange range, Direction direction) {
        this.lifetime = database.lifetime();
        this.partition = partition;
        this.direction = direction;
        lifetime.enterAgain(); // The snapshot is inside. Left when the cursor is closed.
        this.from = new Slice(partition.row(range.from()));
        this.to = new Slice(partition.row(range.to()));
        this.options = new ReadOptions()
                .setSnapshot(sequence)
                .setIterateLowerBound(from)
                .setIterateUpperBound(to);
        this.rows = database.rocks().newIterator(database.families().of(range.from()), options);
        switch (direction) {
            case FORWARD -> rows.seekToFirst();
            case BACKWARD -> rows.seekToLast();
        }
    }

    @Override
    public boolean next() {
        switch (place) {
            case SOUGHT -> {}
            case ON_ROW -> step();
            case AT_END -> {
                return false;
            }
            case CLOSED -> throw new IllegalStateException("The cursor is closed");
        }
        boolean found = rows.isValid();
        if (!found) {
            checkStatus(); // An error looks like the end.
        }
        place = found ? Place.ON_ROW : Place.AT_END;
        return found;
    }

    private void step() {
        switch (direction) {
            case FORWARD -> rows.next();
            case BACKWARD -> rows.prev();
        }
    }

    private void checkStatus() {
        try {
            rows.status();
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        }
    }

    @Override
    public byte[] key() {
        int length = readRow();
        return Arrays.copyOfRange(row, length - Partition.keyLength(length), length);
    }

    @Override
    public int key(byte[] buffer) {
        int length = readRow();
        int keyLength = Partition.keyLength(length);
        System.arraycopy(row, length - keyLength, buffer, 0, Math.min(keyLength, buffer.length));
        return keyLength;
    }

    private int readRow() {
        checkOnRow();
        int length = rows.key(row);
        if (length > row.length) {
            row = new byte[length];
            rows.key(row);
        }
        return length;
    }

    @Override
    public byte[] value() {
        checkOnRow();
        return rows.value();
    }

    @Override
    public int value(byte[] buffer) {
        checkOnRow();
        return rows.value(buffer);
    }

    private void checkOnRow() {
        if (place != Place.ON_ROW) {
            throw new IllegalStateException("The cursor is not on a row");
        }
    }

    @Override
    public void seek(byte[] key) {
        if (place == Place.CLOSED) {
            throw new IllegalStateException("The cursor is closed");
        }
        switch (direction) {
            case FORWARD -> rows.seek(partition.row(key));
            case BACKWARD -> rows.seekForPrev(partition.row(key));
        }
        place = Place.SOUGHT;
    }

    @Override
    public void close() {
        if (place != Place.CLOSED) {
            place = Place.CLOSED;
            rows.close();
            options.close();
            to.close();
            from.close();
            lifetime.leave();
        }
    }
}
