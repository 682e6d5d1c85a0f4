package dev.orrery.engine.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class RecentUseTest {
    private static final long NOW = 1_800_000_000;

    private final RecentUse use = new RecentUse();

    @Test
    void thePeakIsTheBusiestSecondOfTheLastMinute() {
        use.add(5, NOW);
        use.add(7, NOW);
        use.add(9, NOW + 1);
        assertThat(use.peak(NOW + 1)).isEqualTo(12);
        assertThat(use.peak(NOW + 59)).isEqualTo(12);
        assertThat(use.peak(NOW + 60)).isEqualTo(9);
        assertThat(use.peak(NOW + 61)).isZero();
        assertThat(use.total()).isEqualTo(21);
    }

    @Test
    void aLongPauseLeavesNothing() {
        use.add(5, NOW);
        assertThat(use.peak(NOW + 1_000_000)).isZero();
        use.add(3, NOW + 1_000_000);
        assertThat(use.peak(NOW + 1_000_000)).isEqualTo(3);
    }

    @Test
    void aClockThatGoesBackLosesNothing() {
        use.add(5, NOW);
        use.add(6, NOW - 30);
        assertThat(use.peak(NOW - 30)).isEqualTo(11);
        assertThat(use.peak(NOW)).isEqualTo(11);
    }

    @Test
    void eachMinuteOfTheLastHourIsKeptTheOldestFirst() {
        use.add(1, NOW);
        use.add(2, NOW + 59);
        use.add(4, NOW + 60);
        var minutes = use.usage(NOW + 60).minutes();
        assertThat(minutes).hasSize(Usage.MINUTES).endsWith(0.0, 3.0, 4.0);
        assertThat(use.usage(NOW + 59 * 60).minutes()).startsWith(3.0, 4.0, 0.0);
        assertThat(use.usage(NOW + 60 * 60).minutes()).startsWith(4.0, 0.0);
        assertThat(use.usage(NOW + 200 * 60).minutes()).isEqualTo(Collections.nCopies(Usage.MINUTES, 0.0));
    }
}
