package dev.orrery.engine.key;

import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Up to which of its writes each region's were settled, beside the settled copy: {@code tag | slot:4 -> lsn:8 |
 * sequence:4}. It changes in the commit that settles, so a write that is offered twice is settled once.
 */
public final class Frontier {
    private static final LogKey NOTHING = new LogKey(0, 0);

    private Frontier() {}

    public static byte[] key(int slot) {
        return KeySpace.FRONTIER.writer(4).writeInt(slot).toBytes();
    }

    public static byte[] encode(LogKey place) {
        return new KeyWriter(12)
                .writeLong(place.lsn())
                .writeInt(place.sequence())
                .toBytes();
    }

    /** The last write that was settled; a place before all when none was. */
    public static LogKey decode(byte[] value) {
        if (value == null) {
            return NOTHING;
        }
        var reader = new KeyReader(value, 0);
        return new LogKey(reader.readLong(), reader.readInt());
    }

    /** Whether a write was settled, when the last one of its region that was is known. */
    public static boolean covers(LogKey settled, LogKey place) {
        return settled.lsn() > place.lsn()
                || (settled.lsn() == place.lsn()
                        && Integer.compareUnsigned(settled.sequence(), place.sequence()) >= 0
                        && settled.lsn() > 0);
    }

    /** Of all regions. */
    public static SortedMap<Integer, LogKey> of(Snapshot snapshot) {
        var all = new TreeMap<Integer, LogKey>();
        try (var cursor = snapshot.scan(KeyRange.prefix(KeySpace.FRONTIER.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                all.put(new KeyReader(cursor.key(), 1).readInt(), decode(cursor.value()));
            }
        }
        return Collections.unmodifiableSortedMap(all);
    }
}
