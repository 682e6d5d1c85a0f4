package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.replica.RangeId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What was written longer ago than the bound is told, and nothing younger. */
class MilestonesTest {
    private static final RangeId RANGE = new RangeId(1, 0);

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Milestones milestones = new Milestones(nanos::get, Duration.ofSeconds(5));

    private void passes(int millis) {
        nanos.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void nothingIsBeyondTheBoundAtFirst() {
        assertThat(milestones.beyond(RANGE)).isZero();
        milestones.pass(RANGE, 7);
        passes(4_900);
        assertThat(milestones.beyond(RANGE)).isZero();
        assertThat(milestones.beyond(new RangeId(1, 1))).isZero();
    }

    @Test
    void theLastThatIsOldEnoughCounts() {
        milestones.pass(RANGE, 7);
        milestones.pass(RANGE, 9);
        passes(1_000);
        milestones.pass(RANGE, 20);
        passes(4_200);
        assertThat(milestones.beyond(RANGE)).isEqualTo(9);
        passes(1_000);
        assertThat(milestones.beyond(RANGE)).isEqualTo(20);
        passes(100_000);
        assertThat(milestones.beyond(RANGE)).as("it stays so").isEqualTo(20);
    }
}
