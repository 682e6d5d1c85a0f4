package dev.orrery.engine.key;

/** Place of one change in a range's log: {@code tag | lsn:8 | sequence:4 -> LogEntry}. */
public record LogKey(long lsn, int sequence) {

    public byte[] encode() {
        return KeySpace.LOG.writer(12).writeLong(lsn).writeInt(sequence).toBytes();
    }

    public static LogKey decode(byte[] key) {
        var reader = new KeyReader(key, 1);
        return new LogKey(reader.readLong(), reader.readInt());
    }

    /** The place of the change that wrote a version. */
    public static LogKey of(StoredItem item) {
        return new LogKey(item.lsn(), item.sequence());
    }

    /** Where the changes after an LSN begin. */
    public static byte[] after(long lsn) {
        return new LogKey(lsn + 1, 0).encode();
    }
}
