package dev.orrery.engine.key;

/** The last number drawn for the rid of a described resource, {@code tag -> number:4}. */
public final class LastNumber {
    private LastNumber() {}

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
