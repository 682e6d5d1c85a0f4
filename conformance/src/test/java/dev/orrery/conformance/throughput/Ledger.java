package dev.orrery.conformance.throughput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client can know of a partition's throughput, whatever the speed of the machine: when it asked, when it was
 * answered, and what it paid. Between the two moments the server let it in, or did not.
 *
 * <p>A partition starts with half a second of its rate, gains its rate, and has what nobody uses for half a second at
 * least. What the first line gives is never exceeded; what the second gives is never refused.
 */
final class Ledger {
    static final double SLACK_SECONDS = 0.5;

    /** Who comes a millisecond too early is let in, because timers of clients do. */
    private static final double EARLY_SECONDS = 0.001;

    private final double rate;
    private final long beganNanos = System.nanoTime();
    private double paid;
    private double sureLevel;
    private long sureNanos = beganNanos;

    /** For a container that is about to be made. */
    Ledger(double rate) {
        this.rate = rate;
        this.sureLevel = rate * SLACK_SECONDS;
    }

    double paid() {
        return paid;
    }

    /** A request that was let in, and paid for. */
    void granted(long askedNanos, long answeredNanos, double charge) {
        assertThat(mostLevel(answeredNanos))
                .as("what is left before a request that is let in, after %s were paid", paid)
                .isGreaterThanOrEqualTo(-rate * EARLY_SECONDS);
        paid += charge;
        // It may have been paid for at once, or just before the answer.
        sureLevel = sureLevel(answeredNanos) - charge;
        sureNanos = answeredNanos;
    }

    /** A request that was let in, whatever it paid. */
    void letIn(long answeredNanos) {
        granted(answeredNanos, answeredNanos, 0);
    }

    /** A request that was sent away, with the time after which to come back. */
    void refused(long askedNanos, long answeredNanos, long retryAfterMillis) {
        assertThat(sureLevel(askedNanos))
                .as("what is left when a request is refused, after %s were paid", paid)
                .isNegative();
        assertThat(retryAfterMillis / 1e3 + EARLY_SECONDS)
                .as("how long to wait for %s at %s a second", -mostLevel(answeredNanos), rate)
                .isGreaterThanOrEqualTo(-mostLevel(answeredNanos) / rate);
    }

    /** What all of several clients paid, each with so much under way at once: not more than there was. */
    void grantedToAll(double charges, double underWay) {
        paid += charges;
        assertThat(paid)
                .as("in %s s at %s a second", (System.nanoTime() - beganNanos) / 1e9, rate)
                .isLessThanOrEqualTo(gained(System.nanoTime()) + underWay);
    }

    /** What the partition has left at most: nobody has taken more than was ever gained. */
    private double mostLevel(long nanos) {
        return gained(nanos) - paid;
    }

    private double gained(long nanos) {
        return rate * (SLACK_SECONDS + (nanos - beganNanos) / 1e9);
    }

    /** What it has left at least: more than the slack is not kept for those who do not ask. */
    private double sureLevel(long nanos) {
        return Math.min(rate * SLACK_SECONDS, sureLevel + rate * (nanos - sureNanos) / 1e9);
    }
}
