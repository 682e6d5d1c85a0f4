package dev.orrery.store.rocksdb;

import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/** A partition as one sequence number of RocksDB shows it. */
final class RocksDbSnapshot implements Snapshot {

    private final Database database;
    private final Partition partition;
    private final org.rocksdb.Snapshot sequence;
    private final ReadOptions options;
    private volatile boolean closed;

    /** Of a database that its maker has entered; it is left when the snapshot is closed. */
    RocksDbSnapshot(Database database, Partition partition) {
        this.database = database;
        this.partition = partition;
        this.sequence = database.rocks().getSnapshot();
        this.options = new ReadOptions().setSnapshot(sequence);
    }

    // Read from the guard's row, not remembered beside it: the row and all others are of one moment.
    @Override
    public long lsn() {
        return Guard.decode(read(database.families().main(), Partition.guardRow(partition.id())))
                .lsn();
    }

    @Override
    public byte[] get(byte[] key) {
        return read(database.families().of(key), partition.row(key));
    }

    @Override
    public List<byte[]> multiGet(List<byte[]> keys) {
        checkOpen();
        if (keys.isEmpty()) {
            return List.of(); // RocksDB would not have it.
        }
        var families = new ArrayList<ColumnFamilyHandle>(keys.size());
        var rows = new ArrayList<byte[]>(keys.size());
        for (byte[] key : keys) {
            families.add(database.families().of(key));
            rows.add(partition.row(key));
        }
        try {
            var values = database.rocks().multiGetAsList(options, families, rows);
            // RocksDB says null also where it failed to read; asked for one key, it says which it was.
            for (int i = 0; i < values.size(); i++) {
                if (values.get(i) == null) {
                    values.set(i, read(families.get(i), rows.get(i)));
                }
            }
            return values;
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        }
    }

    @Override
    public Cursor scan(KeyRange range, Direction direction) {
        checkOpen();
        return new RocksDbCursor(database, partition, sequence, range, direction);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            options.close();
            database.rocks().releaseSnapshot(sequence);
            database.lifetime().leave();
        }
    }

    private byte[] read(ColumnFamilyHandle family, byte[] row) {
        checkOpen();
        try {
            return database.rocks().get(family, options, row);
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The snapshot is closed");
        }
    }
}
