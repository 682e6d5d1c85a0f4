package dev.orrery.engine.hub;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long writes of this region take until it shows what is settled of them. Of each range one write at a time is timed,
 * so those that wait for a link that is cut count for little until it is healed.
 */
public final class ConfirmTimes {
    private final LongAdder writes = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final AtomicLong last = new AtomicLong();

    void add(long taken) {
        writes.increment();
        nanos.add(taken);
        last.set(taken);
    }

    /** How many writes were timed since the start. */
    public long writes() {
        return writes.sum();
    }

    /** What they have taken together. */
    public double nanos() {
        return nanos.sum();
    }

    /** What the last of them has taken. */
    public long lastNanos() {
        return last.get();
    }
}
