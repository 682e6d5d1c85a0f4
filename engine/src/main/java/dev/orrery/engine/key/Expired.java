package dev.orrery.engine.key;

/**
 * The last version of an item whose time was over, in what several regions that write have in common: {@code tag | item key ->
 * lsn:8 | sequence:4}, its place. Another region may have renewed the item before, and that be heard of only now. It stays for
 * as long as the log tells of the end, or until there is such an item again.
 */
public final class Expired {
    private Expired() {}

    public static byte[] rowKey(ItemKey item) {
        return KeySpace.EXPIRED
                .writer(item.bytes().length)
                .writeRaw(item.bytes())
                .toBytes();
    }

    public static byte[] encode(LogKey place) {
        return new KeyWriter(12)
                .writeLong(place.lsn())
                .writeInt(place.sequence())
                .toBytes();
    }

    public static LogKey decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        return new LogKey(reader.readLong(), reader.readInt());
    }
}
