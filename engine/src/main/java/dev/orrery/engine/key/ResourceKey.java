package dev.orrery.engine.key;

import dev.orrery.model.Rid;

/** Where the catalog keeps a resource: {@code tag | rid..}; below the same tag nothing else. */
public final class ResourceKey {
    private ResourceKey() {}

    public static byte[] encode(Rid rid) {
        return KeySpace.RESOURCE
                .writer(rid.bytes().length)
                .writeRaw(rid.bytes())
                .toBytes();
    }

    public static Rid decode(byte[] key) {
        return Rid.ofBytes(new KeyReader(key, 1).readRest());
    }
}
