package dev.orrery.engine.key;

/** The last number drawn for the rid of a described resource, {@code tag -> number:4}. */
public final class LastNumber {
    /** How many are left out when another copy takes over: more than it can have missed. Rids of offers have 24 bits. */
    private static final int GAP = 1_000;

    private LastNumber() {}

    /** The number behind which a copy goes on that may not know the last ones which were drawn elsewhere. */
    public static int beyond(int lastKnown) {
        return lastKnown + GAP;
    }

    public static byte[] key() {
        return KeySpace.COUNTER.start();
    }

    public static byte[] encode(int number) {
        return new KeyWriter(4).writeInt(number).toBytes();
    }

    public static int decode(byte[] value) {
        return new KeyReader(value, 0).readInt();
    }
}
