package dev.orrery.council;

import dev.orrery.region.Charter;
import java.util.Optional;

/**
 * What the members of a council agree on, step by step.
 *
 * @param charter the last one; none before the account is founded
 * @param renewals how often the write region has renewed its lease since it became the write region
 * @param isFree whether the lease of the write region before was over when this one was named
 */
record CouncilState(Optional<Charter> charter, long renewals, boolean isFree) {
    static final CouncilState EMPTY = new CouncilState(Optional.empty(), 0, true);

    /** What a member wants to have done. */
    sealed interface Command {}

    /** The first charter; passed over when there is one. */
    record Found(Charter charter) implements Command {}

    /** The write region goes on. */
    record Renew(String member, long epoch) implements Command {}

    /**
     * The next charter.
     *
     * @param isFree whether the proposer knows that the lease of the present write region is over, if no more renewals than
     *     these were accepted
     */
    record Change(Charter next, boolean isFree, long renewals) implements Command {}

    /** What became of a command. Their names are on the wire. */
    enum Verdict {
        ACCEPTED,
        /** Another charter is in force than the command rests on. */
        CHANGED,
        /** The write region has renewed its lease meanwhile. */
        RENEWED
    }

    record Step(Verdict verdict, CouncilState state) {}

    Step after(Command command) {
        return switch (command) {
            case Found found -> charter.isPresent() ? stay(Verdict.ACCEPTED) : go(found.charter(), 0, true);
            case Renew renew -> renewed(renew);
            case Change change -> changed(change);
        };
    }

    private Step renewed(Renew renew) {
        boolean isWriter = charter.filter(now -> now.isVoted()
                        && now.epoch() == renew.epoch()
                        && now.writeRegion().equals(renew.member()))
                .isPresent();
        return isWriter
                ? new Step(Verdict.ACCEPTED, new CouncilState(charter, renewals + 1, isFree))
                : stay(Verdict.CHANGED);
    }

    private Step changed(Change change) {
        var next = change.next();
        // One that is no longer voted on was the last: from there on it changes by hand, without this council.
        if (charter.isEmpty()
                || !charter.get().isVoted()
                || next.version() != charter.get().version() + 1) {
            return stay(Verdict.CHANGED);
        }
        if (next.epoch() == charter.get().epoch()) {
            return go(next, renewals, isFree);
        }
        // A renewal that overtook the proposal has given the write region time that the proposer does not know of.
        return change.isFree() && change.renewals() != renewals ? stay(Verdict.RENEWED) : go(next, 0, change.isFree());
    }

    /** Whether no lease of an earlier write region can still be running, or the present one has waited for its end. */
    boolean isSettled() {
        return isFree || renewals > 0;
    }

    /** Whether there has been a write region that could be lost; the first one may take its time to start. */
    boolean hasBegun() {
        return charter.filter(now -> now.epoch() > 1 || renewals > 0).isPresent();
    }

    boolean isWriter(String member) {
        return charter.filter(now -> now.writeRegion().equals(member)).isPresent();
    }

    private Step stay(Verdict verdict) {
        return new Step(verdict, this);
    }

    private static Step go(Charter charter, long renewals, boolean isFree) {
        return new Step(Verdict.ACCEPTED, new CouncilState(Optional.of(charter), renewals, isFree));
    }
}
