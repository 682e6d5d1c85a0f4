package dev.orrery.store;

/** Walks over rows in key order, before the first row when it is new. For one thread. */
public interface Cursor extends AutoCloseable {

    /** Goes to the next row in the direction of the scan; false when there is none. */
    boolean next();

    /** The key of the current row, relative to the partition; the caller's own copy. */
    byte[] key();

    /** The value of the current row; the caller's own copy. */
    byte[] value();

    /**
     * Copies as much of the key as fits to the start of a buffer and returns its whole length. With buffers kept from
     * row to row, a long scan makes no garbage.
     */
    int key(byte[] buffer);

    /** Copies as much of the value as fits to the start of a buffer and returns its whole length. */
    int value(byte[] buffer);

    /**
     * Makes the following {@link #next()} go to the row of this key or, if there is none, the first one beyond it in
     * the direction of the scan. Never leaves the range, and may go back.
     */
    void seek(byte[] key);

    @Override
    void close();
}
