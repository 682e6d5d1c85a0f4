package dev.orrery.store;

/** Names one commit, so that its outcome can be asked for; the owner never uses one twice in a partition. */
public record CommitId(long high, long low) {

    /** Of a partition without a commit; no commit bears it. */
    public static final CommitId NONE = new CommitId(0, 0);
}
