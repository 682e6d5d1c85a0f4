package dev.orrery.engine.key;

/**
 * A version of an item that is no longer the latest, kept for readers of all versions: {@code tag | lsn:8 | sequence:4 ->
 * StoredItem}, the place being that of the change that wrote it.
 */
public final class VersionKey {
    private VersionKey() {}

    public static byte[] encode(LogKey place) {
        return KeySpace.VERSION
                .writer(12)
                .writeLong(place.lsn())
                .writeInt(place.sequence())
                .toBytes();
    }
}
