package dev.orrery.region;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Which regions the write region waits for at strong consistency and bounded staleness: it goes on without one that is silent for
 * too long, and counts it in again when it has come back.
 */
final class StrongSet {
    private final LongSupplier nanos;
    private final long patienceNanos;
    private final ToLongFunction<String> silentNanos;
    private final Predicate<String> isAbreast;
    private Charter known;
    private Former former = new Former(0, "");
    private long beganNanos;
    private String predecessor = "";

    /** Who took the writes before an epoch; empty when that is not known. */
    private record Former(long epoch, String name) {}

    /**
     * Decides by what is known of the others.
     *
     * @param patience after how long without a word one no longer counts
     * @param silentNanos for how long one has not been heard of
     * @param isAbreast whether one lacks little enough to be waited for
     */
    StrongSet(
            LongSupplier nanos,
            Duration patience,
            Charter known,
            ToLongFunction<String> silentNanos,
            Predicate<String> isAbreast) {
        this.nanos = nanos;
        this.patienceNanos = patience.toNanos();
        this.known = known;
        this.silentNanos = silentNanos;
        this.isAbreast = isAbreast;
    }

    /** Another charter is in force. */
    synchronized void told(Charter charter) {
        if (charter.epoch() > known.epoch()) {
            boolean isNext = charter.epoch() == known.epoch() + 1;
            former = new Former(charter.epoch(), isNext ? known.writeRegion() : "");
        }
        known = charter;
    }

    /**
     * This region takes the writes. What another one was assured of by the former write region holds for a while yet, so all
     * who count are taken as heard of now; but not the former write region itself, whose lease is over.
     */
    synchronized void begin(Charter charter) {
        predecessor = before(charter);
        beganNanos = nanos.getAsLong();
    }

    /** Who took the writes before the epoch of a charter; empty when that is not known. */
    synchronized String before(Charter charter) {
        return former.epoch() == charter.epoch() ? former.name() : "";
    }

    /** Those of the others who are to count. */
    synchronized Set<String> wanted(Set<String> counted, Iterable<Member> others) {
        var wanted = new HashSet<String>();
        for (var member : others) {
            var name = member.name();
            boolean isHeard = silentNanos.applyAsLong(name) < patienceNanos;
            if (counted.contains(name) ? isHeard || mayBeAssured(name) : isHeard && isAbreast.test(name)) {
                wanted.add(name);
            }
        }
        return wanted;
    }

    private boolean mayBeAssured(String name) {
        return !name.equals(predecessor) && nanos.getAsLong() - beganNanos < patienceNanos;
    }
}
