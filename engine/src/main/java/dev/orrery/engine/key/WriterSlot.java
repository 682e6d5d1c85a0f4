package dev.orrery.engine.key;

/**
 * Tells apart what regions count that write to the same account: each has LSNs and document numbers of its own. Slot 0 is
 * what all of them have in common, the settled copy; the region with number n has slot n + 1.
 *
 * <p>An LSN begins with its slot, so an etag, which holds it, is never that of another region, and a place in the change
 * feed tells which region gave it.
 */
public final class WriterSlot {
    public static final int SETTLED = 0;

    /** Besides the settled one; etags have room for 48 bits of LSN. */
    public static final int REGIONS_MAX = 31;

    /** How many classes of document counts there are. */
    public static final int COUNT = REGIONS_MAX + 1;

    private static final int LSN_BITS = 43;

    /** How many LSNs are left out when a region begins anew whose last ones may be unknown. */
    private static final long GAP = 1_000_000_000;

    private WriterSlot() {}

    public static int of(int regionNumber) {
        return regionNumber + 1;
    }

    public static int regionNumber(int slot) {
        return slot - 1;
    }

    public static int ofLsn(long lsn) {
        return (int) (lsn >>> LSN_BITS);
    }

    /** The LSN behind which a region begins to count. */
    public static long firstLsn(int slot) {
        return (long) slot << LSN_BITS;
    }

    /** The LSN behind which a region goes on that has lost its data. */
    public static long beyond(long lastKnownLsn) {
        return lastKnownLsn + GAP;
    }
}
