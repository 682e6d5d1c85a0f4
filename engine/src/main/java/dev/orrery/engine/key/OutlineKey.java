package dev.orrery.engine.key;

import dev.orrery.store.KeyRange;

/** Where the description of an outline is kept: {@code tag | outline:8 -> see Outline}. Never changes, never goes away. */
public final class OutlineKey {
    private OutlineKey() {}

    public static byte[] encode(long outline) {
        return KeySpace.OUTLINE.writer(8).writeLong(outline).toBytes();
    }

    public static long decode(byte[] key) {
        return new KeyReader(key, 1).readLong();
    }

    public static KeyRange all() {
        return KeyRange.prefix(KeySpace.OUTLINE.start());
    }
}
