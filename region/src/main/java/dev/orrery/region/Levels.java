package dev.orrery.region;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.replica.Agreement;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.model.Failure;
import dev.orrery.model.SessionToken;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what the levels of consistency promise over regions.
 *
 * <p>Strong: nobody sees a change before every region has it that answers strong reads. So a write waits for that, and so
 * does a read that has seen something newer. Bounded staleness: a write waits until no region is too far behind it, and until
 * all have what is older than the bound of time.
 */
final class Levels implements Agreement {
    private static final int PATIENCE_SECONDS = 20;

    private final ConsistencyLevel account;
    private final long boundLsns;
    private final Milestones milestones;
    private final Stability stability;
    private final Standing standing;

    /** How a region stands to the others at the moment. */
    interface Standing {
        /** Whether it may be sure that nobody has gone on without it. */
        boolean isInTouch();

        /** Whether it has just come to its account, and does not have yet what the others have. */
        boolean isJoining();

        /** Kept when all regions in reach know the catalog as it is now. */
        CompletionStage<Void> catalogKnown();
    }

    /**
     * Keeps the levels.
     *
     * @param account its level: writes keep it, whatever the one who writes asks for
     * @param boundLsns how many changes a region may be behind at bounded staleness
     * @param milestones how far ranges were when the bound of time began
     */
    Levels(ConsistencyLevel account, long boundLsns, Milestones milestones, Stability stability, Standing standing) {
        this.account = account;
        this.boundLsns = boundLsns;
        this.milestones = milestones;
        this.stability = stability;
        this.standing = standing;
    }

    @Override
    public boolean isCurrent(ConsistencyLevel level) {
        return level.compareTo(ConsistencyLevel.BOUNDED_STALENESS) > 0 || standing.isInTouch();
    }

    @Override
    public CompletionStage<Outcome> settle(
            ConsistencyLevel asked, boolean wasCurrent, int container, boolean isChange, Outcome outcome) {
        if (standing.isJoining()) {
            return CompletableFuture.completedStage(refused(
                    outcome,
                    new Failure.Unavailable(
                            "This region has just joined its account, and is still catching up. Ask another region.")));
        }
        var token = outcome.facts().sessionToken();
        if (token.isEmpty()) {
            return isChange && !(outcome.answer() instanceof Outcome.Answer.Refused)
                    ? standing.catalogKnown().thenApply(_ -> outcome)
                    : CompletableFuture.completedStage(outcome);
        }
        var level = isChange ? account : asked;
        long slack = switch (level) {
            case STRONG -> 0;
            case BOUNDED_STALENESS -> boundLsns;
            case SESSION, CONSISTENT_PREFIX, EVENTUAL -> Long.MAX_VALUE;
        };
        if (slack == Long.MAX_VALUE) {
            return CompletableFuture.completedStage(outcome);
        }
        boolean isBounded = level == ConsistencyLevel.BOUNDED_STALENESS;
        // Both: what was read is all that was acknowledged before it began, and none of it is what others have not
        // taken over.
        if (!isChange && !(wasCurrent && standing.isInTouch())) {
            return CompletableFuture.completedStage(refused(
                    outcome,
                    new Failure.Unavailable("This region has lost touch with the others, and cannot answer at"
                            + " consistency " + level.label() + " meanwhile. Ask another region, or for less.")));
        }
        if (isBounded && !isChange) {
            return CompletableFuture.completedStage(outcome);
        }
        return stable(container, token.get(), slack)
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .handle((_, late) -> late == null ? outcome : refused(outcome, late(isChange)));
    }

    private CompletionStage<Void> stable(int container, String token, long slack) {
        var all = new ArrayList<CompletableFuture<Void>>();
        for (var part : SessionToken.parse(token).parts()) {
            var range = new RangeId(container, Integer.parseInt(part.rangeId()));
            long needed = part.lsn() - slack;
            if (slack > 0) {
                needed = Math.max(needed, milestones.beyond(range));
                milestones.pass(range, part.lsn());
            }
            all.add(stability.await(range, needed).toCompletableFuture());
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private static Failure late(boolean isChange) {
        return new Failure.Timeout(
                isChange
                        ? "The write is kept in this region, but not every other region has confirmed it in time; it"
                                + " will reach them, or be found among the conflicts. Read before you repeat it."
                        : "What was read is not known to every other region yet. Read again.");
    }

    private static Outcome refused(Outcome outcome, Failure failure) {
        return Outcome.refused(failure, outcome.bill(), Outcome.Facts.NONE);
    }
}
