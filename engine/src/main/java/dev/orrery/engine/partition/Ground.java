package dev.orrery.engine.partition;

/** What the changes of a unit are made on: the last state in a lane, or a snapshot for what is only a draft yet. */
interface Ground {
    byte[] get(ByteKey key);

    /** Whether a row is there that is never removed. */
    default boolean has(ByteKey key) {
        return get(key) != null;
    }

    /** A count for a document number, never drawn before. */
    long drawDocument();

    /** Draws no count any more up to one that has been drawn elsewhere. */
    void passDocument(long count);

    /** The number of a write that is the unit's {@code write}th. */
    int sequence(int write);

    /** Takes memory for as long as what is made here is kept. */
    void takeMemory(long bytes);

    boolean isDraft();

    /** Whether this is what several regions that write have in common. */
    boolean isSettledCopy();

    /** How large the logical partitions of the range are. */
    LogicalSizes sizes();

    /** Whether a commit after an LSN, or a unit before this one in its group, has changed items under a prefix of keys. */
    boolean isChangedSince(long lsn, byte[] itemPrefix);
}
