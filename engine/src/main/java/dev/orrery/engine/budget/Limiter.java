package dev.orrery.engine.budget;

import dev.orrery.engine.operation.Caller.Priority;
import java.util.function.LongSupplier;

/**
 * Lets requests through at a rate of request units. What a request costs is known when it is done, so that it gets
 * through as long as nothing is owed, and what it turns out to cost is owed by those that come after it.
 *
 * <p>Who has to wait is told a turn of their own: turns are as far apart as requests are dear. So everybody comes back
 * when there is something for them, and nobody is overtaken for ever.
 */
final class Limiter {
    /** What may be used at once after a moment without use; a full second of it would show in what a minute delivers. */
    private static final double SLACK_SECONDS = 0.5;

    /** After so long without requests a partition is idle, and what it does not use is saved. */
    private static final double IDLE_SECONDS = 5;

    private static final double SAVED_SECONDS_MAX = 300;

    /** How fast savings are spent; a partition with more than that has no use for savings. */
    private static final double BURST_REQUEST_UNITS = 3_000;

    /** How much a request counts in what the next one is expected to cost. */
    private static final double WEIGHT = 0.05;

    private static final double NANOS = 1e9;

    private final LongSupplier nanos;
    private double rate;
    private double level;
    private double saved;
    private double expected = 1;
    private long refilledNanos;
    private long askedNanos;
    private long nextTurnNanos;

    Limiter(LongSupplier nanos, double rate) {
        this.nanos = nanos;
        this.rate = rate;
        this.refilledNanos = nanos.getAsLong();
        this.askedNanos = refilledNanos;
        this.nextTurnNanos = refilledNanos;
        this.level = rate * SLACK_SECONDS;
    }

    /** From now on at another rate; what is owed stays. */
    synchronized void change(double requestUnits) {
        if (requestUnits != rate) {
            refill();
            rate = requestUnits;
            level = Math.min(level, rate * SLACK_SECONDS);
            saved = Math.min(saved, rate * SAVED_SECONDS_MAX);
            nextTurnNanos = refilledNanos;
        }
    }

    /** Lets a request through, which has to be {@link #spend paid} later; otherwise tells in how many nanoseconds it is its turn. */
    synchronized long admit(Priority priority) {
        refill();
        askedNanos = refilledNanos;
        // The other half of the slack is for those of high priority alone.
        double least = priority == Priority.LOW ? rate * SLACK_SECONDS / 2 : 0;
        if (level >= least) {
            level -= expected;
            return 0;
        }
        long ready = refilledNanos + (long) ((least - level) / rate * NANOS);
        long turn = Math.max(ready, nextTurnNanos);
        nextTurnNanos = turn + (long) (expected / rate * NANOS);
        return Math.max(1, turn - refilledNanos);
    }

    /** Takes back an admission of which nothing came. */
    synchronized void release() {
        level += expected;
    }

    /** Pays for a request that was let through. */
    synchronized void spend(double requestUnits) {
        level += expected - requestUnits;
        expected += (requestUnits - expected) * WEIGHT;
    }

    private void refill() {
        long now = nanos.getAsLong();
        double seconds = (now - refilledNanos) / NANOS;
        double idle = (now - askedNanos) / NANOS;
        refilledNanos = now;
        double most = rate * SLACK_SECONDS;
        level += rate * seconds;
        if (level > most) {
            if (idle > IDLE_SECONDS && rate < BURST_REQUEST_UNITS) {
                double unused = Math.min(level - most, rate * (idle - IDLE_SECONDS));
                saved = Math.min(saved + unused, rate * SAVED_SECONDS_MAX);
            }
            level = most;
        } else if (saved > 0) {
            double extra = Math.min(Math.min(saved, most - level), (BURST_REQUEST_UNITS - rate) * seconds);
            level += Math.max(0, extra);
            saved -= Math.max(0, extra);
        }
    }
}
