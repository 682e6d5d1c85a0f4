package dev.orrery.engine.key;

import java.util.Arrays;

/** What index entries hold besides the locator of their item. */
public final class EntryValue {
    private EntryValue() {}

    /** {@code count:4 | locator}, for {@link IndexKey.Kind#TERM} and {@link IndexKey.Kind#TEXT}. */
    public static byte[] counted(int count, byte[] locator) {
        return new KeyWriter(locator.length + 4)
                .writeInt(count)
                .writeRaw(locator)
                .toBytes();
    }

    public static int count(byte[] value) {
        return new KeyReader(value, 0).readInt();
    }

    /** {@code length of the locator:2 | locator | form}, for {@link IndexKey.Kind#VECTOR}. */
    public static byte[] vector(byte[] locator, byte[] form) {
        return new KeyWriter(2 + locator.length + form.length)
                .writeByte(locator.length >>> 8)
                .writeByte(locator.length)
                .writeRaw(locator)
                .writeRaw(form)
                .toBytes();
    }

    /** Where the locator ends in the value of a vector. */
    public static int locatorEnd(byte[] value) {
        return IndexKey.Kind.VECTOR.locatorStart() + ((value[0] & 0xff) << 8 | (value[1] & 0xff));
    }

    public static byte[] form(byte[] value) {
        return Arrays.copyOfRange(value, locatorEnd(value), value.length);
    }
}
