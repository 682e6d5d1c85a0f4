package dev.orrery.engine.budget;

import java.util.Arrays;

/** What a partition has used: in all, and in each second of the last minute. */
final class RecentUse {
    private static final int SECONDS = 60;

    private final double[] used = new double[SECONDS];
    private long lastSecond;
    private double total;

    synchronized void add(double requestUnits, long second) {
        pass(second);
        used[place(lastSecond)] += requestUnits;
        total += requestUnits;
    }

    /** The most that it used in one second of the last minute. */
    synchronized double peak(long second) {
        pass(second);
        double peak = 0;
        for (double one : used) {
            peak = Math.max(peak, one);
        }
        return peak;
    }

    synchronized double total() {
        return total;
    }

    /** Forgets the seconds that are a minute ago by now; a clock that goes back stands still. */
    private void pass(long second) {
        if (second - lastSecond >= SECONDS) {
            Arrays.fill(used, 0);
        } else {
            for (long passed = lastSecond + 1; passed <= second; passed++) {
                used[place(passed)] = 0;
            }
        }
        lastSecond = Math.max(lastSecond, second);
    }

    private static int place(long second) {
        return (int) (second % SECONDS);
    }
}
