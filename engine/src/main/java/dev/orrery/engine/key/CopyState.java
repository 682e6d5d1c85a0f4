package dev.orrery.engine.key;

/**
 * Up to which LSN a copy of a range must have come before it is as the range ever was, {@code tag -> format:1 | lsn:8}. It
 * is there only while the copy is being made.
 */
public final class CopyState {
    private static final int FORMAT = 1;

    private CopyState() {}

    public static byte[] key() {
        return KeySpace.COPY_STATE.start();
    }

    public static byte[] encode(long completeFromLsn) {
        return new KeyWriter(9).writeByte(FORMAT).writeLong(completeFromLsn).toBytes();
    }

    /** 0 for a copy that is complete. */
    public static long decode(byte[] value) {
        if (value == null) {
            return 0;
        }
        var reader = new KeyReader(value, 0);
        Formats.demand("state of a copy", FORMAT, reader.readByte());
        return reader.readLong();
    }
}
