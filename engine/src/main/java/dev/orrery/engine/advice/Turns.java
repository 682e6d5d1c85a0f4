package dev.orrery.engine.advice;

import java.util.function.LongSupplier;

/**
 * Picks a few of many events. It counts without any care for other threads: whose turn it is need not be exact, and
 * must not cost anything.
 */
final class Turns {
    /** One in so many counts for all of them. */
    static final int EVERY = 16;

    private static final int STEP = 0x9E3779B9; // The golden ratio, whose multiples are spread evenly.

    private static final int AT_FIRST = 64;

    private final LongSupplier nanos;
    private final long pauseNanos;
    private int count;
    private long lastNanos;
    private int begun;

    Turns(LongSupplier nanos, long pauseNanos) {
        this.nanos = nanos;
        this.pauseNanos = pauseNanos;
    }

    /** True for one in {@link #EVERY}, at uneven steps: what an application does often comes in turns itself. */
    boolean isNext() {
        return Integer.numberOfLeadingZeros(count++ * STEP) >= Integer.numberOfTrailingZeros(EVERY);
    }

    /** Whether there were only few yet, so that each of them tells something. */
    boolean isAtFirst() {
        return begun < AT_FIRST;
    }

    /** True for the first few, and when the last time was long enough ago. */
    boolean isDue() {
        long now = nanos.getAsLong();
        boolean due = begun < AT_FIRST || now - lastNanos >= pauseNanos;
        if (due) {
            begun++;
            lastNanos = now;
        }
        return due;
    }
}
