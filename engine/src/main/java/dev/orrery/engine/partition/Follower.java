package dev.orrery.engine.partition;

import dev.orrery.model.key.EpkRange;
import dev.orrery.store.Snapshot;
import java.util.Map;

/** Makes the changes that the log of a range tells in the ranges that are to take its place. */
@FunctionalInterface
public interface Follower {
    /**
     * Makes the next changes after an LSN, not more than fit into memory at ease; waits until they are durable.
     *
     * @param source the range as of one moment
     * @param afterLsn where all children stand, and before the last change of the source
     * @param children each gets the changes of its part of the key space, and comes to the same LSN
     * @return the LSN that they have come to
     */
    long follow(Snapshot source, long afterLsn, Map<EpkRange, Partition> children);
}
