package dev.orrery.store;

/** How a commit ended. */
public enum CommitResult {
    /** All of it is there, and durable. */
    COMMITTED,
    /** Nothing of it is there: the partition has a newer owner, or stands at another LSN than the commit expects. */
    FENCED,
    /** It may or may not be there: {@link PartitionStore#resolve} tells. Never happens in an embedded store. */
    UNKNOWN
}
