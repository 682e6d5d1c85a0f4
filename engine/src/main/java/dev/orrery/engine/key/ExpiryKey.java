package dev.orrery.engine.key;

/** When an item's time to live ends: {@code tag | second:8 | item key..}, so that the first keys are due first. */
public record ExpiryKey(long second, ItemKey item) {

    public byte[] encode() {
        return KeySpace.EXPIRY
                .writer(8 + item.bytes().length)
                .writeLong(second)
                .writeRaw(item.bytes())
                .toBytes();
    }

    public static ExpiryKey decode(byte[] key) {
        var reader = new KeyReader(key, 1);
        return new ExpiryKey(reader.readLong(), ItemKey.decode(reader.readRest()));
    }

    /** The end of a scan for everything due by a second. */
    public static byte[] after(long second) {
        return KeySpace.EXPIRY.writer(8).writeLong(second + 1).toBytes();
    }
}
