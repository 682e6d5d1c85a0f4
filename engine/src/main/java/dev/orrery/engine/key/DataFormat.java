package dev.orrery.engine.key;

import dev.orrery.store.Mutation;
import dev.orrery.store.StoreException;

/**
 * How all rows of a data folder are laid out: {@code tag -> version:4}, in the account partition. Folders of the first
 * version have no such row.
 *
 * <p>Formats of single rows have numbers of their own, which tell damage from data. This one tells people what to do.
 */
public final class DataFormat {
    /** What this program reads and writes. It goes up when rows of the version before can no longer be served. */
    static final int VERSION = 2;

    private static final int FIRST_VERSION = 1;

    private DataFormat() {}

    public static byte[] key() {
        return KeySpace.DATA_FORMAT.start();
    }

    /** The row that a new folder begins with. */
    public static Mutation row() {
        return new Mutation.Put(key(), new KeyWriter(4).writeInt(VERSION).toBytes());
    }

    /**
     * Refuses a folder of another version, before anything in it is changed.
     *
     * @param stored the row, null when there is none
     */
    public static void demand(byte[] stored) {
        int found = stored == null ? FIRST_VERSION : new KeyReader(stored, 0).readInt();
        if (found != VERSION) {
            throw new StoreException("The data folder has format " + found + ", this Orrery reads format " + VERSION
                    + ". Start the Orrery that wrote it, save what is in it with './orrery export', then start this one"
                    + " with an empty folder and load it with './orrery import'.");
        }
    }
}
