package dev.orrery.store.rocksdb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The row that every group of writes begins with: {@code number:8 | durable:8}, big-endian. By it a log shows whether
 * anything is missing in it.
 *
 * @param number one more than that of the group before
 * @param durable the number of the last group that was known to be on disk when this one was written
 */
record GroupMark(long number, long durable) {

    /** Of a store without a group. */
    static final GroupMark NONE = new GroupMark(0, 0);

    /** Before its key, as before all that belong to no partition: the numbers of those are never negative. */
    static final long PREFIX = -1;

    static final int BYTES = 8 + 8;

    private static final String KEY = "group";

    static byte[] key() {
        return KEY.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] row() {
        return ByteBuffer.allocate(Long.BYTES + KEY.length())
                .putLong(PREFIX)
                .put(key())
                .array();
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putLong(number).putLong(durable).array();
    }

    /** The mark of a row; {@link #NONE} when there is no row. */
    static GroupMark decode(byte[] row) {
        if (row == null) {
            return NONE;
        }
        if (row.length != BYTES) {
            throw new IllegalStateException("A group row of " + row.length + " bytes");
        }
        var in = ByteBuffer.wrap(row);
        return new GroupMark(in.getLong(), in.getLong());
    }
}
