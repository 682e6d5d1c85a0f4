package dev.orrery.store.rocksdb;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import java.util.Optional;
import org.rocksdb.Holder;
import org.rocksdb.RocksDBException;

/** One owner's hold of a partition. */
record RocksDbPartitionStore(Database database, Lifetime lifetime, Writer writer, Partition partition, long ownerEpoch)
        implements PartitionStore {

    @Override
    public Snapshot snapshot() {
        return new RocksDbSnapshot(database, lifetime, partition);
    }

    @Override
    public byte[] get(byte[] key) {
        lifetime.enter();
        try {
            return database.rocks().get(database.families().of(key), database.anywhere(), partition.row(key));
        } catch (RocksDBException e) {
            throw Failures.reading(e);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public Cached tryGet(byte[] key) {
        lifetime.enter();
        try {
            var found = new Holder<byte[]>();
            if (!database.rocks()
                    .keyMayExist(database.families().of(key), database.inMemory(), partition.row(key), found)) {
                return Cached.ABSENT;
            }
            byte[] value = found.getValue();
            // RocksDB also reports an empty value where it should report none.
            return value == null || value.length == 0 ? Cached.UNKNOWN : new Cached.Found(value);
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public CommitResult commit(Commit commit) {
        lifetime.enter();
        try {
            return writer.run(new Write.OfCommit(partition, ownerEpoch, commit));
        } finally {
            lifetime.leave();
        }
    }

    @Override
    public Optional<Boolean> resolve(CommitId id) {
        var guard = partition.guard();
        if (id.equals(guard.lastCommit())) {
            return Optional.of(true);
        }
        return ownerEpoch == guard.epoch() ? Optional.of(false) : Optional.empty();
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
