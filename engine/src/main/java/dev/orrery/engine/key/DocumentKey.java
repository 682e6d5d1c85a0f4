package dev.orrery.engine.key;

import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;

/**
 * Finds an item by its document number, which is what its {@code _rid} holds: {@code tag | number:8 -> item key}.
 *
 * <p>A number is {@code cluster:30 bits | count:29 bits}. The cluster is where the effective partition key begins, so
 * that whatever is ordered by document numbers, such as equal values in an index, has the items of a logical partition
 * side by side, in the order in which a scan meets the partitions. The count is drawn by the range.
 */
public final class DocumentKey {
    private static final int COUNT_BITS = 29;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final int CLUSTER_BITS = 30;
    private static final long CLUSTER_MAX = (1L << CLUSTER_BITS) - 1;

    /** Which part of the counts that are left is left out when a copy takes over. */
    private static final int GAP_SHARE = 32;

    private static final long GAP_MIN = 1 << 16;

    private DocumentKey() {}

    public static byte[] encode(long number) {
        return KeySpace.DOCUMENT.writer(8).writeLong(number).toBytes();
    }

    public static long decode(byte[] key) {
        return new KeyReader(key, 1).readLong();
    }

    /** The first number of a cluster, or the next one drawn for it. */
    public static long number(long cluster, long count) {
        return cluster << COUNT_BITS | (count & COUNT_MASK);
    }

    /** The next count of a class: regions that each write to a range must never draw the same. */
    public static long nextCount(long last, int slot) {
        return last + 1 + Math.floorMod(slot - (last + 1), WriterSlot.COUNT);
    }

    /**
     * The count behind which a copy goes on that may not know the last ones which were drawn elsewhere. A part of those that
     * are left: however often that happens, they do not run out.
     */
    public static long beyond(long lastKnown) {
        return lastKnown + Math.max(GAP_MIN, (COUNT_MASK - countOf(lastKnown)) / GAP_SHARE);
    }

    /** Whether counts have been used up once, so that a number may be taken already. */
    public static boolean isSecondRound(long count) {
        return count > COUNT_MASK;
    }

    public static long countOf(long number) {
        return number & COUNT_MASK;
    }

    public static long clusterOf(long number) {
        return number >>> COUNT_BITS;
    }

    /** Never descends while keys ascend. */
    public static long cluster(EffectivePartitionKey epk, PartitionKeyDefinition definition) {
        return cluster(epk.bytes(), definition);
    }

    static long cluster(byte[] epk, PartitionKeyDefinition definition) {
        boolean first = definition.kind() == PartitionKeyDefinition.Kind.HASH && definition.version() == 1;
        if (epk.length > 0 && epk[0] == (byte) 0xff) {
            // The end of the line. Hashes of the second version begin with two bits that are not set.
            return first ? CLUSTER_MAX : CLUSTER_MAX >>> 2;
        }
        // Keys of the first version all begin with the same byte.
        int from = first ? 1 : 0;
        long prefix = 0;
        for (int i = from; i < from + 4; i++) {
            prefix = prefix << 8 | (i < epk.length ? epk[i] & 0xff : 0);
        }
        return prefix >>> (Integer.SIZE - CLUSTER_BITS);
    }
}
