package dev.orrery.script;

import java.util.function.LongSupplier;

/** The time that scripts have. It stands still, so that no machine is too slow for a script, until a test lets it pass. */
final class ScriptTime implements LongSupplier {
    private long heldNanos;
    private long realNanos;
    private int timesReal;
    private long stepNanos;

    @Override
    public synchronized long getAsLong() {
        long real = System.nanoTime();
        heldNanos += timesReal * (real - realNanos) + stepNanos;
        realNanos = real;
        return heldNanos;
    }

    synchronized void pass(long millis) {
        heldNanos += millis * 1_000_000;
    }

    /** Passes as it does for everybody. */
    void flow() {
        change(1, 0);
    }

    /** Passes faster than that, for scripts that would never end. */
    void hurry() {
        change(50, 0);
    }

    /** Passes whenever somebody looks. */
    void step(long millis) {
        change(0, millis * 1_000_000);
    }

    void hold() {
        change(0, 0);
    }

    private synchronized void change(int times, long step) {
        getAsLong();
        timesReal = times;
        stepNanos = step;
    }
}
