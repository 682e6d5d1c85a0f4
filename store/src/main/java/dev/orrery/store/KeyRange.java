package dev.orrery.store;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys from one (inclusive) to another (exclusive), in the order of unsigned bytes. A range stays inside one key space,
 * that is, keys with one first byte: a store may keep key spaces apart.
 */
@SuppressWarnings("ArrayRecordComponent") // Equality is by content, and nobody changes the bytes.
public record KeyRange(byte[] from, byte[] to) {

    public KeyRange {
        Keys.check(from);
        if (!staysInKeySpace(from, to) || Arrays.compareUnsigned(from, to) > 0) {
            throw new IllegalArgumentException(
                    "A range goes upwards inside one key space, not from " + hex(from) + " to " + hex(to));
        }
    }

    /** All keys that begin with these bytes, itself among them. */
    public static KeyRange prefix(byte[] prefix) {
        Keys.check(prefix);
        return new KeyRange(prefix, Keys.afterPrefix(prefix));
    }

    /** One key alone. */
    public static KeyRange single(byte[] key) {
        return new KeyRange(key, Arrays.copyOf(key, key.length + 1));
    }

    public boolean isSingle() {
        return to.length == from.length + 1
                && to[from.length] == 0
                && Arrays.equals(from, 0, from.length, to, 0, from.length);
    }

    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
    }

    // The end may be the first byte of the next key space alone, which ends a range over all of this one.
    private static boolean staysInKeySpace(byte[] from, byte[] to) {
        return to.length > 0 && (to[0] == from[0] || (to.length == 1 && to[0] == (byte) (from[0] + 1)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyRange range && Arrays.equals(from, range.from) && Arrays.equals(to, range.to);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }

    @Override
    public String toString() {
        return "KeyRange[" + hex(from) + " to " + hex(to) + "]";
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
