package dev.orrery.store.rocksdb;

/** What has happened to a commit on disk when it is reported. */
public enum Durability {
    /** It is on the disk: it survives the loss of power. */
    STRICT,
    /** The operating system has it: it survives the end of this process; a loss of power may take the last 100 ms. */
    RELAXED
}
