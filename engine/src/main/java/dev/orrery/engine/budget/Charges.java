package dev.orrery.engine.budget;

/** Turns counted work into request units: by interpolation between the published costs of item sizes. */
public final class Charges {
    /** Point reads and writes of items of 1, 2, 4 .. 2048 KB. */
    private static final double[] READ = {1.00, 1.04, 1.14, 1.33, 1.67, 2.19, 4.76, 9.95, 20.28, 40.95, 145.90, 291.80};

    private static final double[] WRITE = {4.95, 6.29, 6.67, 7.04, 9.52, 11.23, 22.67, 48.19, 98.29, 184.57, 625, 1250};
    private static final double QUERY_BASE = 2.3;
    private static final double PER_ITEM_SCANNED = 0.05;

    private static final double SCRIPT_BASE = 1;

    private Charges() {}

    public static double metadata() {
        return 1;
    }

    public static double read(long itemBytes) {
        return interpolate(READ, itemBytes);
    }

    /** Create or delete; a replace pays for the old version and the new one. */
    public static double write(long itemBytes) {
        return interpolate(WRITE, itemBytes);
    }

    public static double query(long itemsRead, long bytesRead, long bytesReturned) {
        return rounded(QUERY_BASE + itemsRead * PER_ITEM_SCANNED + bytesRead / 102_400.0 + bytesReturned / 10_240.0);
    }

    /** A script, and everything it did. */
    public static double script(double operations) {
        return rounded(SCRIPT_BASE + operations);
    }

    private static double interpolate(double[] table, long bytes) {
        double kilobytes = Math.max(1, bytes / 1024.0);
        double place = Math.log(kilobytes) / Math.log(2);
        int below = (int) Math.min(place, table.length - 2);
        double share = place - below;
        return rounded(table[below] + (table[below + 1] - table[below]) * share);
    }

    private static double rounded(double charge) {
        return Math.round(charge * 100) / 100.0;
    }
}
