package dev.orrery.engine.budget;

import dev.orrery.engine.operation.Caller.Priority;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lets requests through at a rate of request units. What a request costs is known when it is done, so that it gets
 * through as long as nothing is owed, and what it turns out to cost is owed by those that come after it. Those under way
 * are taken to cost what others did.
 *
 * <p>Who has to wait is told a turn of their own: turns are as far apart as requests are dear. So everybody comes back
 * when there is something for them, and nobody is overtaken for ever.
 */
final class Limiter {
    /** What may be used at once after a moment without use; a full second of it would show in what a minute delivers. */
    private static final double SLACK_SECONDS = 0.5;

    /** Timers of clients may wake up that much too early; who comes for a turn then must not be sent away. */
    private static final double EARLY_SECONDS = 0.001;

    /**
     * How far ahead turns are given, as seen from when nothing is owed any more. Some of those who are told a turn never
     * come for it, and clients give up when they are to wait for much longer.
     */
    private static final double TURNS_SECONDS_MAX = 5;

    /** After so long without requests a partition is idle, and what it does not use is saved. */
    private static final double IDLE_SECONDS = 5;

    private static final double SAVED_SECONDS_MAX = 300;

    /** How fast savings are spent; a partition with more than that has no use for savings. */
    private static final double BURST_REQUEST_UNITS = 3_000;

    /** How much a request counts in what the next one is expected to cost. */
    private static final double WEIGHT = 0.05;

    /** A request counts as so many times the expected at most: one dear query says nothing about the reads after it. */
    private static final double TIMES_EXPECTED_MAX = 10;

    private static final double EXPECTED_MIN = 1;
    private static final double NANOS = 1e9;

    private final LongSupplier nanos;
    private final boolean saves;
    private double rate;
    private double level;
    private double saved;
    private double expected = EXPECTED_MIN;
    private int underWay;
    private long refilledNanos;
    private long askedNanos;
    // Each priority has turns of its own: those of low priority are to wait for the others, never the other way round.
    private final Map<Priority, Long> nextTurnNanos = new EnumMap<>(Priority.class);

    private Limiter(LongSupplier nanos, double rate, boolean saves) {
        this.nanos = nanos;
        this.saves = saves;
        this.rate = rate;
        this.refilledNanos = nanos.getAsLong();
        this.askedNanos = refilledNanos;
        this.level = rate * SLACK_SECONDS;
    }

    /** For a physical partition, which saves what it does not use while it is idle. */
    static Limiter ofPartition(LongSupplier nanos, double rate) {
        return new Limiter(nanos, rate, true);
    }

    /** For a share of a partition, which is not to be gone beyond at any time. */
    static Limiter ofShare(LongSupplier nanos, double rate) {
        return new Limiter(nanos, rate, false);
    }

    /** From now on at another rate; what is owed stays. */
    synchronized void change(double requestUnits) {
        if (requestUnits != rate) {
            refill();
            rate = requestUnits;
            level = Math.min(level, rate * SLACK_SECONDS);
            saved = canSave() ? Math.min(saved, rate * SAVED_SECONDS_MAX) : 0;
            nextTurnNanos.clear();
        }
    }

    /**
     * Lets a request through, which has to be {@link #spend paid} or {@link #release taken back} later; otherwise tells in
     * how many nanoseconds it is its turn.
     */
    synchronized long admit(Priority priority) {
        refill();
        askedNanos = refilledNanos;
        // The other half of the slack is for those of high priority alone.
        double least = priority == Priority.LOW ? rate * SLACK_SECONDS / 2 : 0;
        double missing = least - room();
        if (missing <= rate * EARLY_SECONDS) {
            underWay++;
            return 0;
        }
        return turn(priority, refilledNanos + nanosToGain(missing)) - refilledNanos;
    }

    /** What is left when those under way have paid. */
    private double room() {
        return level - underWay * expected;
    }

    private long turn(Priority priority, long readyNanos) {
        long last = readyNanos + (long) (TURNS_SECONDS_MAX * NANOS);
        long turn = Math.clamp(nextTurnNanos.getOrDefault(priority, readyNanos), readyNanos, last);
        nextTurnNanos.put(priority, turn + nanosToGain(expected));
        return turn;
    }

    /** Savings come on top as long as they last. */
    private long nanosToGain(double requestUnits) {
        double seconds = Math.max(requestUnits / Math.max(rate, BURST_REQUEST_UNITS), (requestUnits - saved) / rate);
        return (long) Math.ceil(seconds * NANOS);
    }

    /** Takes back an admission of which nothing came. */
    synchronized void release() {
        underWay--;
    }

    /** Pays for a request that was let through. */
    synchronized void spend(double requestUnits) {
        underWay--;
        level -= requestUnits;
        double counted = Math.min(requestUnits, expected * TIMES_EXPECTED_MAX);
        expected = Math.max(EXPECTED_MIN, expected + (counted - expected) * WEIGHT);
    }

    private void refill() {
        long now = nanos.getAsLong();
        double seconds = (now - refilledNanos) / NANOS;
        double idle = (now - askedNanos) / NANOS;
        refilledNanos = now;
        double most = rate * SLACK_SECONDS;
        level += rate * seconds;
        if (level > most) {
            if (idle > IDLE_SECONDS && canSave()) {
                double unused = Math.min(level - most, rate * (idle - IDLE_SECONDS));
                saved = Math.min(saved + unused, rate * SAVED_SECONDS_MAX);
            }
            level = most;
            if (room() > most / 2) {
                // There was room, even for low priority, and nobody came for it: who was told a turn does not want it.
                nextTurnNanos.clear();
            }
        } else if (saved > 0) {
            double extra = Math.min(Math.min(saved, most - level), (BURST_REQUEST_UNITS - rate) * seconds);
            level += extra;
            saved -= extra;
        }
    }

    private boolean canSave() {
        return saves && rate < BURST_REQUEST_UNITS;
    }
}
