package dev.orrery.store.memory;

import dev.orrery.store.Cached;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import java.util.Optional;

/** One owner's hold of a partition in memory. */
record MemoryPartitionStore(MemoryPartition partition, long ownerEpoch) implements PartitionStore {

    @Override
    public Snapshot snapshot() {
        return new MemorySnapshot(partition.state());
    }

    @Override
    public byte[] get(byte[] key) {
        byte[] value = partition.state().rows().get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public Cached tryGet(byte[] key) {
        byte[] value = get(key);
        return value == null ? Cached.ABSENT : new Cached.Found(value);
    }

    @Override
    public CommitResult commit(Commit commit) {
        return partition.commit(ownerEpoch, commit);
    }

    @Override
    public Optional<Boolean> resolve(CommitId id) {
        var state = partition.state();
        if (id.equals(state.lastCommit())) {
            return Optional.of(true);
        }
        return ownerEpoch == state.epoch() ? Optional.of(false) : Optional.empty();
    }

    @Override
    public long bytes(KeyRange range) {
        return partition.state().rows().bytes(range);
    }

    @Override
    public long lsn() {
        return partition.state().lsn();
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
