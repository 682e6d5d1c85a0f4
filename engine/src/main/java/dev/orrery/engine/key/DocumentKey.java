package dev.orrery.engine.key;

/** Finds an item by its document number, which is what its {@code _rid} holds: {@code tag | number:8 -> item key}. */
public final class DocumentKey {
    // A number names the range that drew it and its place in that range's count. Ranges get ever higher ids, so numbers
    // still ascend with insertion in a range that came out of a split, and no two ranges draw the same.
    private static final int COUNT_BITS = 36;

    private DocumentKey() {}

    public static long first(int rangeId) {
        return (long) rangeId << COUNT_BITS;
    }

    public static byte[] encode(long number) {
        return KeySpace.DOCUMENT.writer(8).writeLong(number).toBytes();
    }

    public static long decode(byte[] key) {
        return new KeyReader(key, 1).readLong();
    }
}
