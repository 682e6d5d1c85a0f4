package dev.orrery.region;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Until when a region that follows may be sure that no write was acknowledged which it does not have, so that it may answer
 * strong reads.
 *
 * <p>It may when the write region counts it among those that every write waits for, and it has been told all that was
 * acknowledged before it was counted. From the sending of a question that was answered so, this holds for less time than the
 * write region, or one that takes over from it, goes on to wait for this region.
 */
final class Assurance {
    private final LongSupplier nanos;
    private final long leaseNanos;
    private volatile Term term = new Term(0, false, 0);

    /**
     * What the last answers say.
     *
     * @param levelIn the version of the charter in which this region counts and has been told everything; 0 for none
     * @param isHeld whether there has ever been an answer that gives time
     */
    private record Term(long levelIn, boolean isHeld, long sinceNanos) {}

    Assurance(LongSupplier nanos, Duration lease) {
        this.nanos = nanos;
        this.leaseNanos = lease.toNanos();
    }

    /** Asks another region, or the same one as if for the first time; what was assured before holds to the end of its time. */
    void begin() {
        var before = term;
        term = new Term(0, before.isHeld(), before.sinceNanos());
    }

    /**
     * The write region has answered, and what it told is stored.
     *
     * @param askedIn the charter by which it was known to count this region when it was asked, 0 for none
     * @param answeredIn the same when it answered: only where both are one was this region not left out in between
     * @param isComplete whether nothing is missing that it had when it gathered the answer
     * @param isLeased whether no other can have taken over before it answered
     * @param sentNanos when it was asked
     */
    void answered(long askedIn, long answeredIn, boolean isComplete, boolean isLeased, long sentNanos) {
        var before = term;
        boolean isCounted = askedIn != 0 && askedIn == answeredIn;
        boolean isLevel = isCounted && (before.levelIn() == answeredIn || isComplete);
        term = isLevel && isLeased
                ? new Term(answeredIn, true, sentNanos)
                : new Term(isLevel ? answeredIn : 0, before.isHeld(), before.sinceNanos());
    }

    /** Ends it at once: this region takes the writes itself. */
    void end() {
        term = new Term(0, false, 0);
    }

    boolean holds() {
        var now = term;
        return now.isHeld() && nanos.getAsLong() - now.sinceNanos() < leaseNanos;
    }
}
