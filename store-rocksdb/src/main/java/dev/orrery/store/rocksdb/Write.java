package dev.orrery.store.rocksdb;

import dev.orrery.store.Commit;
import dev.orrery.store.CommitResult;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.StoreException;
import dev.orrery.store.WritesStoppedException;
import java.util.concurrent.locks.LockSupport;

/** One thread's wish to change a partition, settled by whichever thread writes the group it ends up in. */
abstract sealed class Write {

    private enum Turn {
        WAITING,
        LEADING,
        SETTLED
    }

    /** Of the guard, which comes before all rows of its partition. */
    private static final byte[] NO_KEY = {};

    private final Thread thread = Thread.currentThread();
    private final Partition partition;
    private volatile Turn turn = Turn.WAITING;

    // Written by the leader before it sets the turn, read by the owner after it has seen the turn.
    private CommitResult result;
    private String failure;
    private String refusal;

    Write(Partition partition) {
        this.partition = partition;
    }

    Partition partition() {
        return partition;
    }

    /** Roughly what it adds to a group's batch. */
    abstract long bytes();

    /** Adds the change to a batch and stages the guard it leads to, or refuses and leaves both alone. */
    abstract CommitResult decide(RowBatch batch, Families families);

    final void stage(RowBatch batch, Families families) {
        result = decide(batch, families);
    }

    final void succeed() {
        partition.publish();
    }

    /** It was tried, and nobody knows yet how far it came. */
    final void fail(String reason) {
        partition.unstage();
        failure = reason;
    }

    /** It was not even tried; which does not matter where nothing had to be written. */
    final void refuse(String reason) {
        if (isDoneAlready()) {
            result = CommitResult.COMMITTED;
        } else {
            refusal = reason;
        }
    }

    /** Whether all is as it was wanted already, so that nothing has to be written. */
    abstract boolean isDoneAlready();

    final CommitResult result() {
        if (failure != null) {
            throw new StoreException(failure);
        }
        if (refusal != null) {
            throw new WritesStoppedException(refusal);
        }
        if (result == null) {
            throw new StoreException("The thread that wrote for this one came to an end");
        }
        return result;
    }

    /** True when this thread has become the leader. Interrupts are kept for later: the write is under way. */
    final boolean awaitSettledOrPromoted() {
        boolean interrupted = false;
        while (turn == Turn.WAITING) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            thread.interrupt();
        }
        return turn == Turn.LEADING;
    }

    final void promote() {
        turn = Turn.LEADING;
        LockSupport.unpark(thread);
    }

    final void wake() {
        turn = Turn.SETTLED;
        if (!thread.equals(Thread.currentThread())) {
            LockSupport.unpark(thread);
        }
    }

    /** An owner's commit. */
    static final class OfCommit extends Write {

        private final long epoch;
        private final Commit commit;
        private final long bytes;

        OfCommit(Partition partition, long epoch, Commit commit) {
            super(partition);
            this.epoch = epoch;
            this.commit = commit;
            this.bytes = commit.mutations().stream()
                    .mapToLong(mutation -> switch (mutation) {
                        case Mutation.Put put -> put.key().length + put.value().length;
                        case Mutation.Delete delete -> delete.key().length;
                        case Mutation.DeleteRange delete -> 2L * delete.range().from().length;
                    })
                    .map(length -> length + RowBatch.ROW_OVERHEAD_BYTES)
                    .sum();
        }

        @Override
        long bytes() {
            return bytes;
        }

        @Override
        boolean isDoneAlready() {
            return false;
        }

        @Override
        CommitResult decide(RowBatch batch, Families families) {
            var guard = partition().staged();
            if (epoch != guard.epoch()) {
                return CommitResult.FENCED;
            }
            if (commit.id().equals(guard.lastCommit())) {
                return CommitResult.COMMITTED;
            }
            if (commit.expectedLsn() != guard.lsn()) {
                return CommitResult.FENCED;
            }
            for (Mutation mutation : commit.mutations()) {
                add(mutation, batch, families);
            }
            putGuard(new Guard(epoch, commit.newLsn(), commit.id()), batch, families);
            return CommitResult.COMMITTED;
        }

        private void add(Mutation mutation, RowBatch batch, Families families) {
            long number = partition().id().value();
            switch (mutation) {
                case Mutation.Put(byte[] key, byte[] value) -> batch.put(families.id(key), number, key, value);
                case Mutation.Delete(byte[] key) -> batch.delete(families.id(key), number, key);
                case Mutation.DeleteRange(KeyRange(byte[] from, byte[] to)) ->
                    batch.deleteRange(families.id(from), number, from, number, to);
            }
        }
    }

    /** An owner's arrival: committed unless a later owner is there already, or the partition is being dropped. */
    static final class OfOwner extends Write {

        private final long epoch;

        OfOwner(Partition partition, long epoch) {
            super(partition);
            this.epoch = epoch;
        }

        @Override
        long bytes() {
            return 0;
        }

        @Override
        boolean isDoneAlready() {
            return !partition().isInDoubt() && epoch == partition().guard().epoch();
        }

        @Override
        CommitResult decide(RowBatch batch, Families families) {
            var guard = partition().staged();
            if (guard.equals(Guard.DROPPED) || epoch < guard.epoch()) {
                return CommitResult.FENCED;
            }
            if (epoch > guard.epoch()) {
                putGuard(new Guard(epoch, guard.lsn(), guard.lastCommit()), batch, families);
            }
            return CommitResult.COMMITTED;
        }
    }

    /** The end of a partition. */
    static final class OfDrop extends Write {

        OfDrop(Partition partition) {
            super(partition);
        }

        @Override
        long bytes() {
            return 0;
        }

        @Override
        boolean isDoneAlready() {
            return !partition().isInDoubt() && !partition().guard().exists();
        }

        @Override
        CommitResult decide(RowBatch batch, Families families) {
            if (partition().staged().exists()) {
                long number = partition().id().value();
                for (int family : families.ids()) {
                    batch.deleteRange(family, number, NO_KEY, number + 1, NO_KEY);
                }
            }
            partition().stage(Guard.DROPPED);
            return CommitResult.COMMITTED;
        }
    }

    final void putGuard(Guard guard, RowBatch batch, Families families) {
        batch.put(families.mainId(), partition.id().value(), NO_KEY, guard.encode());
        partition.stage(guard);
    }
}
