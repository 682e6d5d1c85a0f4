package dev.orrery.store.rocksdb;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import java.util.List;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Holder;
import org.rocksdb.Range;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Status;

/** One owner's hold of a partition. */
record RocksDbPartitionStore(Current current, Writer writer, Partition partition, long ownerEpoch)
        implements PartitionStore {

    @Override
    public Snapshot snapshot() {
        return new RocksDbSnapshot(current.enter(), partition);
    }

    @Override
    public byte[] get(byte[] key) {
        var database = current.enter();
        try {
            return database.rocks().get(database.families().of(key), database.anywhere(), partition.row(key));
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        } finally {
            database.lifetime().leave();
        }
    }

    @Override
    public Cached tryGet(byte[] key) {
        var database = current.enter();
        try {
            var family = database.families().of(key);
            var row = partition.row(key);
            var found = new Holder<byte[]>();
            if (!database.rocks().keyMayExist(family, database.inMemory(), row, found)) {
                return Cached.ABSENT;
            }
            byte[] value = found.getValue();
            if (value == null) {
                return Cached.UNKNOWN;
            }
            return value.length > 0 ? new Cached.Found(value) : tryGetEmpty(database, family, row);
        } finally {
            database.lifetime().leave();
        }
    }

    /** An empty value is what RocksDB also reports where it should report none; asking like this costs an exception. */
    private static Cached tryGetEmpty(Database database, ColumnFamilyHandle family, byte[] row) {
        try {
            byte[] value = database.rocks().get(family, database.inMemory(), row);
            return value == null ? Cached.ABSENT : new Cached.Found(value);
        } catch (RocksDBException e) {
            if (Failures.is(e, Status.Code.Incomplete)) {
                return Cached.UNKNOWN;
            }
            throw Failures.reading(e);
        }
    }

    @Override
    public CommitResult commit(Commit commit) {
        var database = current.enter();
        try {
            return writer.run(new Write.OfCommit(partition, ownerEpoch, commit));
        } finally {
            database.lifetime().leave();
        }
    }

    @Override
    public Optional<Boolean> resolve(CommitId id) {
        if (partition.isInDoubt()) {
            return Optional.empty();
        }
        var guard = partition.guard();
        if (id.equals(guard.lastCommit())) {
            return Optional.of(true);
        }
        return ownerEpoch == guard.epoch() ? Optional.of(false) : Optional.empty();
    }

    @Override
    public long bytes(KeyRange range) {
        var database = current.enter();
        try (var from = new Slice(partition.row(range.from()));
                var to = new Slice(partition.row(range.to()))) {
            return database.rocks()
                    .getApproximateSizes(
                            database.families().of(range.from()),
                            List.of(new Range(from, to)),
                            SizeApproximationFlag.INCLUDE_FILES,
                            SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
        } finally {
            database.lifetime().leave();
        }
    }

    @Override
    public long lsn() {
        return partition.guard().lsn();
    }

    @Override
    public void close() {
        // Nothing is held but memory.
    }
}
