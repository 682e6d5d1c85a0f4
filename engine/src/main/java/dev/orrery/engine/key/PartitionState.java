package dev.orrery.engine.key;

import dev.orrery.store.Snapshot;

/**
 * What a range remembers as a whole, {@code tag -> format:1 | lsn:8 | second:8 | documents:8 | items:8 | item bytes:8 |
 * forgotten lsn:8 | forgotten second:8}; changes in the same commit as the items.
 *
 * @param lsn of the last change; the first change of a range gets 2, as clients know it. It is not the position of the
 *     store, which also counts commits that are no changes
 * @param second of the last change; the next one is never earlier, whatever the clock says
 * @param documents how many document numbers were drawn; see {@link DocumentKey}
 * @param items how many there are
 * @param itemBytes size of their texts together
 * @param forgottenLsn up to here the log has only the latest change of each item, beyond it all changes
 * @param forgottenSecond the latest time of a change up to there
 */
public record PartitionState(
        long lsn, long second, long documents, long items, long itemBytes, long forgottenLsn, long forgottenSecond) {
    /** Formats 1 and 2 had no LSN: it was the position of the store. */
    private static final int FORMAT = 3;

    public static final PartitionState EMPTY = new PartitionState(1, 0, 0, 0, 0, 0, 0);

    public static byte[] key() {
        return KeySpace.PARTITION_STATE.start();
    }

    /** The state of the range that a snapshot is of, as of the same moment. */
    public static PartitionState of(Snapshot snapshot) {
        return ofStored(snapshot.get(key()));
    }

    /** The state of a range that may have stored none yet: null. */
    public static PartitionState ofStored(byte[] value) {
        return value == null ? EMPTY : decode(value);
    }

    public PartitionState withChange(long changeLsn, long changeSecond) {
        return new PartitionState(changeLsn, changeSecond, documents, items, itemBytes, forgottenLsn, forgottenSecond);
    }

    public PartitionState withDocuments(long counted) {
        return new PartitionState(lsn, second, counted, items, itemBytes, forgottenLsn, forgottenSecond);
    }

    public PartitionState withForgotten(long lastLsn, long lastSecond) {
        return new PartitionState(
                lsn,
                second,
                documents,
                items,
                itemBytes,
                Math.max(lastLsn, forgottenLsn),
                Math.max(lastSecond, forgottenSecond));
    }

    public PartitionState plus(long moreItems, long moreBytes) {
        return new PartitionState(
                lsn, second, documents, items + moreItems, itemBytes + moreBytes, forgottenLsn, forgottenSecond);
    }

    public byte[] encode() {
        return new KeyWriter(57)
                .writeByte(FORMAT)
                .writeLong(lsn)
                .writeLong(second)
                .writeLong(documents)
                .writeLong(items)
                .writeLong(itemBytes)
                .writeLong(forgottenLsn)
                .writeLong(forgottenSecond)
                .toBytes();
    }

    public static PartitionState decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("partition state", FORMAT, reader.readByte());
        return new PartitionState(
                reader.readLong(),
                reader.readLong(),
                reader.readLong(),
                reader.readLong(),
                reader.readLong(),
                reader.readLong(),
                reader.readLong());
    }
}
