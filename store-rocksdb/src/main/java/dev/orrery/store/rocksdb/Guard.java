package dev.orrery.store.rocksdb;

import dev.orrery.store.CommitId;
import java.nio.ByteBuffer;

/**
 * The row that stands before all others of a partition and changes with every commit: who owns it, where it stands, and
 * which commit brought it there. {@code epoch:8 | lsn:8 | commit id:16}, big-endian.
 */
record Guard(long epoch, long lsn, CommitId lastCommit) {

    private static final int BYTES = 8 + 8 + 16;

    /** Of a partition that has never been opened. Epochs of owners are positive. */
    static final Guard NONE = new Guard(0, 0, CommitId.NONE);

    /** Of a partition that has been dropped under its owner. */
    static final Guard DROPPED = new Guard(-1, 0, CommitId.NONE);

    /** Of a partition in a damaged store: it was there, and nobody will write to it. */
    static final Guard UNREADABLE = new Guard(1, 0, CommitId.NONE);

    boolean exists() {
        return epoch > 0;
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(epoch)
                .putLong(lsn)
                .putLong(lastCommit.high())
                .putLong(lastCommit.low())
                .array();
    }

    /** The guard of a row; {@link #NONE} when there is no row. */
    static Guard decode(byte[] row) {
        if (row == null) {
            return NONE;
        }
        if (row.length != BYTES) {
            throw new IllegalStateException("A guard row of " + row.length + " bytes");
        }
        var in = ByteBuffer.wrap(row);
        return new Guard(in.getLong(), in.getLong(), new CommitId(in.getLong(), in.getLong()));
    }
}
