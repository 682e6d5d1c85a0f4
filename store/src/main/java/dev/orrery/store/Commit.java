package dev.orrery.store;

import java.util.List;

/**
 * A change of one partition from one LSN to a later one: all that is needed to apply it again, here or elsewhere.
 *
 * @param id never used before in this partition
 * @param expectedLsn where the partition must stand for the commit to be applied
 * @param newLsn where it stands afterwards
 */
public record Commit(CommitId id, long expectedLsn, long newLsn, List<Mutation> mutations) {

    public Commit {
        if (expectedLsn < 0 || newLsn <= expectedLsn) {
            throw new IllegalArgumentException("A commit goes forward, not from " + expectedLsn + " to " + newLsn);
        }
        if (id.equals(CommitId.NONE)) {
            throw new IllegalArgumentException("A commit needs an id of its own");
        }
        mutations = List.copyOf(mutations);
    }
}
