package dev.orrery.engine.key;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Up to where a range that clients write to has taken over what is settled: {@code tag -> format:1 | complete:1 | epoch:8 |
 * lsn:8 | (slot:4 | lsn:8)*}. It changes together with the items.
 *
 * @param isComplete false while it is being built from the beginning
 * @param epoch of the settled copy
 * @param lsn of the settled copy
 * @param frontier up to which LSN the writes of each region are settled at that LSN
 */
public record Confirmed(boolean isComplete, long epoch, long lsn, SortedMap<Integer, Long> frontier) {
    private static final int FORMAT = 1;

    public Confirmed {
        frontier = Collections.unmodifiableSortedMap(new TreeMap<>(frontier));
    }

    /** Of a range that has nothing to take over yet. */
    public static Confirmed beginning(boolean isComplete) {
        return new Confirmed(isComplete, Epochs.NONE, 0, new TreeMap<>());
    }

    public static byte[] key() {
        return KeySpace.CONFIRMED.start();
    }

    /** The last LSN of a region whose writes have been settled up to it. */
    public long lsnOf(int slot) {
        return frontier.getOrDefault(slot, 0L);
    }

    public byte[] encode() {
        var writer = new KeyWriter(18 + 12 * frontier.size())
                .writeByte(FORMAT)
                .writeByte(isComplete ? 1 : 0)
                .writeLong(epoch)
                .writeLong(lsn);
        frontier.forEach((slot, reached) -> writer.writeInt(slot).writeLong(reached));
        return writer.toBytes();
    }

    public static Confirmed decode(byte[] value) {
        var reader = new KeyReader(value, 0);
        Formats.demand("confirmed place", FORMAT, reader.readByte());
        boolean complete = reader.readByte() == 1;
        long epoch = reader.readLong();
        long lsn = reader.readLong();
        var frontier = new TreeMap<Integer, Long>();
        while (reader.position() < value.length) {
            frontier.put(reader.readInt(), reader.readLong());
        }
        return new Confirmed(complete, epoch, lsn, frontier);
    }
}
