package dev.orrery.store;

import java.util.List;

/**
 * An ordered byte space, cut into partitions, each with consistent snapshots and atomic, durable, fenced commits.
 *
 * <p>A partition is the unit of ownership: one owner commits to it at a time, and the store itself refuses an owner
 * that has been replaced. Partitions know nothing of each other.
 */
public interface Store extends AutoCloseable {

    /**
     * Opens a partition for the owner of this epoch, making it if it is not there, and fences every owner of a lower
     * epoch before it returns. Opening again with the same epoch is the same owner coming back.
     *
     * @param ownerEpoch positive; higher than any owner before, or the same for the same owner
     * @throws StoreException when a higher epoch owns the partition already
     * @throws WritesStoppedException when the store takes no writes and cannot do without one: the partition is new, or
     *     the outcome of a commit to it is not known yet
     */
    PartitionStore open(PartitionId id, long ownerEpoch);

    /**
     * Removes a partition with all its keys, durably; nothing happens when there is none. Owners that still hold it
     * are fenced; snapshots taken before keep what they saw.
     */
    void drop(PartitionId id);

    /** The partitions that exist, in order of their numbers. */
    List<PartitionId> partitions();

    /**
     * About how many bytes the store has still to put in order behind the scenes. All are safe and readable already,
     * but reads are slower than they will be.
     */
    long backlogBytes();

    /**
     * Whether writes are taken at present. A store that failed to write goes on giving reads, and comes back by itself
     * when what kept it from writing has gone: nothing has to be opened again. By then it knows what became of the
     * commits that failed, and tells by {@link PartitionStore#resolve}.
     */
    Condition condition();

    /** Ends the store. Everything got from it must be closed by then, snapshots and cursors above all. */
    @Override
    void close();
}
