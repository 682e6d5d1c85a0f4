package dev.orrery.store;

import java.util.Optional;

/** One partition in the hands of one owner. Safe for use by many threads, but commits are meant to come one by one. */
public interface PartitionStore extends AutoCloseable {

    /** What is committed now, unmoved by later commits. Close it: an open snapshot keeps old versions alive. */
    Snapshot snapshot();

    /** The last committed value, or null when there is none. May wait for a disk. */
    byte[] get(byte[] key);

    /** Like {@link #get} but never touches a disk, and says so when it would have to. */
    Cached tryGet(byte[] key);

    /**
     * Applies all mutations in their order, or none; returns when they are durable. Sent again, the newest commit is
     * {@link CommitResult#COMMITTED} without being applied twice.
     *
     * @throws WritesStoppedException when the store takes no writes at present: nothing of the commit is there
     * @throws StoreException when the store failed to write: whether the commit took effect is not known before the
     *     store has come back; then {@link #resolve} tells, and so does {@link #lsn()}
     */
    CommitResult commit(Commit commit);

    /**
     * Whether a commit of this owner that ended as {@link CommitResult#UNKNOWN}, or with a {@link StoreException}, took
     * effect; ask before the next commit is sent, for only the newest is remembered. Empty as long as it cannot be told, or for ever when another owner
     * has taken over meanwhile. After an answer of false the commit will not take effect any more.
     */
    Optional<Boolean> resolve(CommitId id);

    /**
     * About how many bytes the rows of a range take in the store, packed as they are there. It is quick for any number of
     * rows, and so an estimate: rows that were written or deleted of late may be counted roughly.
     */
    long bytes(KeyRange range);

    /** The LSN of the last commit; 0 in a new partition. */
    long lsn();

    @Override
    void close();
}
