package dev.orrery.engine.key;

/**
 * What a partition remembers as a whole, {@code tag -> format:1 | documents:8 | items:8 | item bytes:8}; changes in
 * the same commit as the items.
 *
 * @param documents how many document numbers were drawn; see {@link DocumentKey}
 * @param items how many there are
 * @param itemBytes size of their texts together
 */
public record PartitionState(long documents, long items, long itemBytes) {
    private static final int FORMAT = 1;

    public static final PartitionState EMPTY = new PartitionState(0, 0, 0);

    public static byte[] key() {
        return KeySpace.PARTITION_STATE.start();
    }

    public PartitionState withDocuments(long counted) {
        return new PartitionState(counted, items, itemBytes);
    }

    public PartitionState plus(long moreItems, long moreBytes) {
        return new PartitionState(documents, items + moreItems, itemBytes + moreBytes);
    }

    public byte[] encode() {
        return new KeyWriter(25)
                .writeByte(FORMAT)
                .writeLong(documents)
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
