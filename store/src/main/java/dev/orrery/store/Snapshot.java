package dev.orrery.store;

import java.util.List;

/** A partition as it was at one LSN. Many threads may read one snapshot, but none after it is closed. */
public interface Snapshot extends AutoCloseable {

    /** The LSN of the last commit this snapshot sees. */
    long lsn();

    /** The value, or null when there is none. */
    byte[] get(byte[] key);

    /** One value for each key, in their order; null where there is none. */
    List<byte[]> multiGet(List<byte[]> keys);

    /** Rows of the range, lowest key first or highest key first. Close the cursor before the snapshot. */
    Cursor scan(KeyRange range, Direction direction);

    @Override
    void close();
}
