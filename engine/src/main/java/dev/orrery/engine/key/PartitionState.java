package dev.orrery.engine.key;

/**
 * What a partition remembers as a whole, {@code tag -> format:1 | last document:8 | items:8 | item bytes:8}; changes in
 * the same commit as the items.
 *
 * @param lastDocument the last document number given out: a number is never used twice
 * @param items how many there are
 * @param itemBytes size of their texts together
 */
public record PartitionState(long lastDocument, long items, long itemBytes) {
    private static final int FORMAT = 1;

    public static PartitionState empty(int rangeId) {
        return new PartitionState(DocumentKey.first(rangeId), 0, 0);
    }

    public static byte[] key() {
        return KeySpace.PARTITION_STATE.start();
    }

    public PartitionState withNextDocument() {
        return new PartitionState(lastDocument + 1, items, itemBytes);
    }

    public PartitionState plus(long moreItems, long moreBytes) {
        return new PartitionState(lastDocument, items + moreItems, itemBytes + moreBytes);
    }

    public byte[] encode() {
        return new KeyWriter(25)
                .writeByte(FORMAT)
                .writeLong(lastDocument)
                .writeLong(items)
                .writeLong(itemBytes)
                .toBytes();
    }

    public static PartitionState decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("partition state", FORMAT, reader.readByte());
        return new PartitionState(reader.readLong(), reader.readLong(), reader.readLong());
    }
}
