package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.model.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a region answers at a level, as it stands to the others when a read begins and when it ends. */
class LevelsTest {
    private static final int CONTAINER = 7;

    private final Stability stability = new Stability();
    private boolean isInTouch = true;

    private final Levels levels = new Levels(
            ConsistencyLevel.STRONG,
            100,
            new Milestones(() -> 0, Duration.ofSeconds(5)),
            stability,
            new Levels.Standing() {
                @Override
                public boolean isInTouch() {
                    return isInTouch;
                }

                @Override
                public boolean isJoining() {
                    return false;
                }

                @Override
                public CompletionStage<Void> catalogKnown() {
                    return CompletableFuture.completedStage(null);
                }
            });

    /** A read that has seen the fifth change of a range, between two moments. */
    private CompletionStage<Outcome> read(ConsistencyLevel level, boolean isInTouchBefore, boolean isInTouchAfter) {
        isInTouch = isInTouchBefore;
        boolean wasCurrent = levels.isCurrent(level);
        isInTouch = isInTouchAfter;
        var facts =
                Facts.ofRange(new Owner("dbs/d/colls/c", "rid"), "0", "0:-1#5", 5, Optional.empty(), Optional.empty());
        return levels.settle(
                level, wasCurrent, CONTAINER, false, new Outcome(new Answer.Progress(), Bill.NOTHING, facts));
    }

    private static boolean isAnswered(CompletionStage<Outcome> outcome) {
        return outcome.toCompletableFuture().getNow(null) instanceof Outcome(Answer.Progress _, var _, var _);
    }

    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, false", "false, true, false", "false, false, false"})
    void aStrongReadNeedsTouchWhenItBeginsAndWhenItEnds(boolean before, boolean after, boolean isAnswered) {
        stability.raise(new RangeId(CONTAINER, 0), 5);
        var outcome = read(ConsistencyLevel.STRONG, before, after);
        assertThat(isAnswered(outcome)).isEqualTo(isAnswered);
        if (!isAnswered) {
            assertThat(outcome.toCompletableFuture().join().answer())
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.failure()).isInstanceOf(Failure.Unavailable.class));
        }
    }

    @Test
    void aStrongReadWaitsUntilAllHaveWhatItSaw() {
        stability.raise(new RangeId(CONTAINER, 0), 4);
        var outcome = read(ConsistencyLevel.STRONG, true, true);
        assertThat(isAnswered(outcome)).isFalse();
        stability.raise(new RangeId(CONTAINER, 0), 5);
        assertThat(isAnswered(outcome)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "CONSISTENT_PREFIX", "EVENTUAL"})
    void otherLevelsAskNobody(ConsistencyLevel level) {
        assertThat(isAnswered(read(level, false, false))).isTrue();
    }
}
