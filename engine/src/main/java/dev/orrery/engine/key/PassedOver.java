package dev.orrery.engine.key;

import dev.orrery.store.KeyRange;
import java.util.Arrays;

/**
 * A settled change of an item that was written here since, {@code tag | item key | lsn:8 | sequence:4 -> nothing}: it is told to
 * readers of all versions when the item is let go of. The place is that in the log of the settled copy.
 */
public final class PassedOver {
    private static final int PLACE_BYTES = 12;

    private PassedOver() {}

    public static byte[] rowKey(ItemKey item, LogKey place) {
        return KeySpace.PASSED_OVER
                .writer(item.bytes().length + PLACE_BYTES)
                .writeRaw(item.bytes())
                .writeLong(place.lsn())
                .writeInt(place.sequence())
                .toBytes();
    }

    /** The rows of one item, in the order of their places. */
    public static KeyRange rows(ItemKey item) {
        return KeyRange.prefix(KeySpace.PASSED_OVER
                .writer(item.bytes().length)
                .writeRaw(item.bytes())
                .toBytes());
    }

    public static LogKey place(byte[] rowKey) {
        var reader = new KeyReader(Arrays.copyOfRange(rowKey, rowKey.length - PLACE_BYTES, rowKey.length), 0);
        return new LogKey(reader.readLong(), reader.readInt());
    }
}
