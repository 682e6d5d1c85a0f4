package dev.orrery.store;

/** What memory alone can say of a key. */
public sealed interface Cached {

    /** The key is there, with this value. */
    @SuppressWarnings("ArrayRecordComponent") // Carries bytes on the hottest path; nobody compares it.
    record Found(byte[] value) implements Cached {}

    /** The key is not there. */
    record Absent() implements Cached {}

    /** Memory cannot say; {@link PartitionStore#get} can. */
    record Unknown() implements Cached {}

    Cached ABSENT = new Absent();

    Cached UNKNOWN = new Unknown();
}
