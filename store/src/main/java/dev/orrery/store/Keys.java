package dev.orrery.store;

import java.util.Arrays;

/** What makes bytes a key: their first byte names a key space of the engine's, and they are not too long. */
public final class Keys {

    public static final int KEY_BYTES_MAX = 16 * 1024;

    // So that every key space has an end that can be written as a key.
    private static final byte RESERVED_KEY_SPACE = (byte) 0xFF;

    private Keys() {}

    /** Throws unless these bytes can be a key. */
    public static void check(byte[] key) {
        if (key.length == 0 || key.length > KEY_BYTES_MAX || key[0] == RESERVED_KEY_SPACE) {
            throw new IllegalArgumentException(
                    key.length == 0
                            ? "A key has at least one byte"
                            : key.length > KEY_BYTES_MAX
                                    ? "A key has at most " + KEY_BYTES_MAX + " bytes, not " + key.length
                                    : "Key space FF is not for use");
        }
    }

    /** The first key after all keys with this prefix. */
    public static byte[] afterPrefix(byte[] prefix) {
        int last = prefix.length - 1;
        while (prefix[last] == (byte) 0xFF) {
            last--;
        }
        byte[] after = Arrays.copyOf(prefix, last + 1);
        after[last]++;
        return after;
    }
}
