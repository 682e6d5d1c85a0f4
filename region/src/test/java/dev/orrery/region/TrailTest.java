package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.replica.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** For how long a region has lacked something is told from where the ranges were. */
class TrailTest {
    private static final RangeId ONE = new RangeId(1, 0);
    private static final RangeId OTHER = new RangeId(1, 1);

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Trail trail = new Trail(nanos::get);

    private void passes(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private double behind(long lsn) {
        return trail.secondsBehind(range -> lsn, range -> true);
    }

    @Test
    void whoHasEverythingIsNotBehind() {
        assertThat(behind(0)).isZero();
        trail.note(Map.of(ONE, 7L));
        passes(3);
        assertThat(behind(7)).isZero();
    }

    @Test
    void theOldestThatIsLackedCounts() {
        trail.note(Map.of(ONE, 7L));
        passes(3);
        trail.note(Map.of(ONE, 9L));
        passes(2);
        assertThat(behind(6)).isEqualTo(5);
        assertThat(behind(8)).isEqualTo(2);
    }

    @Test
    void whatStandsStillIsNotedOnce() {
        trail.note(Map.of(ONE, 7L));
        passes(3);
        trail.note(Map.of(ONE, 7L));
        assertThat(behind(6)).isEqualTo(3);
    }

    @Test
    void nobodyLacksARangeThatIsGone() {
        trail.note(Map.of(ONE, 7L, OTHER, 4L));
        passes(1);
        assertThat(trail.secondsBehind(range -> range.equals(ONE) ? 7 : 0, range -> !range.equals(OTHER)))
                .isZero();
    }

    @Test
    void howeverLongItLastsTheBeginningIsKept() {
        for (long lsn = 1; lsn <= 100_000; lsn++) {
            trail.note(Map.of(ONE, lsn));
            passes(1);
        }
        assertThat(behind(0)).isEqualTo(100_000);
        assertThat(behind(99_999)).isEqualTo(1);
    }
}
