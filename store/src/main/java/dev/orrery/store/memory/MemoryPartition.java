package dev.orrery.store.memory;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.StoreException;

/** The state of one partition, shared by all who opened it. */
final class MemoryPartition {

    /** Everything at one moment; readers take it whole, so a snapshot is just a reference. */
    record State(long epoch, long lsn, CommitId lastCommit, ByteTree rows, long bytes) {}

    /** No owner's epoch, so that nobody's commits pass any more. */
    private static final long DROPPED = -1;

    private final PartitionId id;
    private final MemoryRoom room;
    private volatile State state = new State(0, 0, CommitId.NONE, ByteTree.EMPTY, 0);

    MemoryPartition(PartitionId id, MemoryRoom room) {
        this.id = id;
        this.room = room;
    }

    State state() {
        return state;
    }

    /** False when the partition has been dropped. */
    synchronized boolean own(long epoch) {
        var before = state;
        if (before.epoch == DROPPED) {
            return false;
        }
        if (epoch < before.epoch) {
            throw new StoreException("Partition %d belongs to owner epoch %d, epoch %d comes too late"
                    .formatted(id.value(), before.epoch, epoch));
        }
        state = new State(epoch, before.lsn, before.lastCommit, before.rows, before.bytes);
        return true;
    }

    synchronized void drop() {
        room.change(-state.bytes);
        state = new State(DROPPED, 0, CommitId.NONE, ByteTree.EMPTY, 0);
    }

    synchronized CommitResult commit(long epoch, Commit commit) {
        var before = state;
        if (epoch != before.epoch) {
            return CommitResult.FENCED;
        }
        if (commit.id().equals(before.lastCommit)) {
            return CommitResult.COMMITTED;
        }
        if (commit.expectedLsn() != before.lsn) {
            return CommitResult.FENCED;
        }
        var rows = before.rows;
        long grown = 0;
        for (Mutation mutation : commit.mutations()) {
            var last = rows;
            switch (mutation) {
                case Mutation.Put(byte[] key, byte[] value) -> {
                    grown += MemoryRoom.bytes(key, value) - MemoryRoom.bytes(key, last.get(key));
                    rows = last.put(key, value);
                }
                case Mutation.Delete(byte[] key) -> {
                    grown -= MemoryRoom.bytes(key, last.get(key));
                    rows = last.remove(key);
                }
                case Mutation.DeleteRange(var range) -> {
                    grown -= last.bytes(range);
                    rows = last.removeRange(range);
                }
            }
        }
        room.change(grown);
        state = new State(epoch, commit.newLsn(), commit.id(), rows, before.bytes + grown);
        return CommitResult.COMMITTED;
    }
}
