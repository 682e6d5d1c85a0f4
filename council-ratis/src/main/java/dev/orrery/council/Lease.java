package dev.orrery.council;

import dev.orrery.region.Charter;
import dev.orrery.region.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * When one member may write, must renew, and may take over; all by its own clock. Why no two can hold the lease at a time is
 * told in docs/decisions.
 */
final class Lease {
    /** A renewal on its way; it gives time from the moment it was sent. */
    record Renewal(long epoch, long sentNanos, long sinceGiveUps) {}

    private final String member;
    private final CouncilTimes times;
    private final LongSupplier nanos;

    private final long startNanos;
    private CouncilState state = CouncilState.EMPTY;

    /** When the write region was last heard of: it was named, or it renewed. */
    private long signNanos;

    private Optional<Renewal> last = Optional.empty();
    private Optional<Renewal> accepted = Optional.empty();
    private boolean isGivenUp;
    private long giveUps;
    private Optional<Long> triedNanos = Optional.empty();

    Lease(String member, CouncilTimes times, LongSupplier nanos) {
        this.member = member;
        this.times = times;
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        this.signNanos = startNanos;
    }

    synchronized void applied(CouncilState now) {
        boolean isSign = epoch(now) != epoch(state) || now.renewals() != state.renewals();
        state = now;
        if (isSign) {
            signNanos = nanos.getAsLong();
        }
    }

    synchronized CouncilState state() {
        return state;
    }

    synchronized boolean isLeased() {
        return state.isWriter(member)
                && accepted.filter(renewal ->
                                renewal.epoch() == epoch(state) && !isPast(renewal.sentNanos(), times.lease()))
                        .isPresent();
    }

    /** The renewal that is to be sent now, if any. */
    synchronized Optional<Renewal> due() {
        if (!state.isWriter(member) || isGivenUp || !isPreviousLeaseOver()) {
            return Optional.empty();
        }
        if (last.filter(renewal -> renewal.epoch() == epoch(state) && !isPast(renewal.sentNanos(), times.renewal()))
                .isPresent()) {
            return Optional.empty();
        }
        last = Optional.of(new Renewal(epoch(state), nanos.getAsLong(), giveUps));
        return last;
    }

    synchronized void accepted(Renewal renewal) {
        if (!isGivenUp && renewal.sinceGiveUps() == giveUps) {
            accepted = Optional.of(renewal);
        }
    }

    /** What was sent has had no answer in its time, so it may be sent again at once. */
    synchronized void unanswered() {
        last = Optional.empty();
        triedNanos = Optional.empty();
    }

    /** From now on it is not leased, whatever answers come. */
    synchronized void giveUp() {
        isGivenUp = true;
        giveUps++;
        accepted = Optional.empty();
        last = Optional.empty();
    }

    synchronized void resume() {
        isGivenUp = false;
    }

    /** The change by which this member takes over, if the write region has been silent for long enough. */
    synchronized Optional<CouncilState.Change> takeover() {
        if (!state.hasBegun() || state.isWriter(member) || !isPast(startNanos, times.grace())) {
            return Optional.empty();
        }
        var charter = state.charter().orElseThrow();
        int place = successors(charter).indexOf(member);
        if (place < 0) {
            return Optional.empty();
        }
        // One that must wait for the end of its predecessor's lease is not silent for that long.
        var silence = state.isSettled() ? times.silence() : times.silence().multipliedBy(2);
        if (!isPast(signNanos, silence.plus(times.stagger().multipliedBy(place)))
                || triedNanos.filter(tried -> !isPast(tried, times.renewal())).isPresent()) {
            return Optional.empty();
        }
        triedNanos = Optional.of(nanos.getAsLong());
        return Optional.of(new CouncilState.Change(charter.withWriter(member), true, state.renewals()));
    }

    private boolean isPreviousLeaseOver() {
        return state.isSettled() || isPast(signNanos, times.silence());
    }

    private static List<String> successors(Charter charter) {
        return charter.members().stream()
                .filter(other -> !other.isWitness())
                .map(Member::name)
                .filter(name -> !name.equals(charter.writeRegion()))
                .filter(name ->
                        charter.strongSet().isEmpty() || charter.strongSet().contains(name))
                .toList();
    }

    private boolean isPast(long sinceNanos, Duration time) {
        return nanos.getAsLong() - sinceNanos >= time.toNanos();
    }

    private static long epoch(CouncilState state) {
        return state.charter().map(Charter::epoch).orElse(0L);
    }
}
