package dev.orrery.engine.key;

/**
 * What a partition remembers as a whole, {@code tag -> format:1 | documents:8 | items:8 | item bytes:8 | forgotten lsn:8 |
 * forgotten second:8}; changes in the same commit as the items. Format 1 had forgotten nothing.
 *
 * @param documents how many document numbers were drawn; see {@link DocumentKey}
 * @param items how many there are
 * @param itemBytes size of their texts together
 * @param forgottenLsn up to here the log has only the latest change of each item, beyond it all changes
 * @param forgottenSecond the latest time of a change up to there
 */
public record PartitionState(long documents, long items, long itemBytes, long forgottenLsn, long forgottenSecond) {
    private static final int FORMAT_WITHOUT_FORGOTTEN = 1;
    private static final int FORMAT = 2;

    public static final PartitionState EMPTY = new PartitionState(0, 0, 0, 0, 0);

    public static byte[] key() {
        return KeySpace.PARTITION_STATE.start();
    }

    public PartitionState withDocuments(long counted) {
        return new PartitionState(counted, items, itemBytes, forgottenLsn, forgottenSecond);
    }

    public PartitionState withForgotten(long lsn, long second) {
        return new PartitionState(
                documents, items, itemBytes, Math.max(lsn, forgottenLsn), Math.max(second, forgottenSecond));
    }

    public PartitionState plus(long moreItems, long moreBytes) {
        return new PartitionState(documents, items + moreItems, itemBytes + moreBytes, forgottenLsn, forgottenSecond);
    }

    public byte[] encode() {
        return new KeyWriter(41)
                .writeByte(FORMAT)
                .writeLong(documents)
                .writeLong(items)
                .writeLong(itemBytes)
                .writeLong(forgottenLsn)
                .writeLong(forgottenSecond)
                .toBytes();
    }

    public static PartitionState decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        int format = reader.readByte();
        if (format == FORMAT_WITHOUT_FORGOTTEN) {
            return new PartitionState(reader.readLong(), reader.readLong(), reader.readLong(), 0, 0);
        }
        Formats.demand("partition state", FORMAT, format);
        return new PartitionState(
                reader.readLong(), reader.readLong(), reader.readLong(), reader.readLong(), reader.readLong());
    }
}
