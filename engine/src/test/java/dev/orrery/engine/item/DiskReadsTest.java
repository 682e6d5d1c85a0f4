package dev.orrery.engine.item;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is not in memory is read in place as long as that is quick. */
class DiskReadsTest {
    private static final byte[] VALUE = {1};

    private long now;
    private final Queue<Runnable> elsewhere = new ArrayDeque<>();
    private final DiskReads reads = new DiskReads(elsewhere::add, () -> now);

    @Test
    void quickReadsAreDoneInPlace() {
        for (int i = 0; i < 1000; i++) {
            assertThat(isInPlace(10)).isTrue();
        }
    }

    @Test
    void oneReadThatWasHeldUpChangesNothing() {
        for (int i = 0; i < 1000; i++) {
            assertThat(isInPlace(i % 100 == 0 ? 50_000 : 5)).isTrue();
        }
    }

    @Test
    void afterTwoSlowReadsTheNextOnesWaitElsewhere() {
        assertThat(isInPlace(10_000)).isTrue();
        assertThat(isInPlace(10_000)).isTrue();
        assertThat(isInPlace(10_000)).isFalse();
    }

    @Test
    void theyComeBackWhenTheyAreQuickAgain() {
        for (int i = 0; i < 100; i++) {
            isInPlace(10_000);
        }
        for (int i = 0; i < 200; i++) {
            isInPlace(10);
        }
        assertThat(isInPlace(10)).isTrue();
    }

    private boolean isInPlace(long micros) {
        var answer = reads.read(() -> {
                    now += TimeUnit.MICROSECONDS.toNanos(micros);
                    return VALUE;
                })
                .toCompletableFuture();
        boolean inPlace = answer.isDone();
        elsewhere.forEach(Runnable::run);
        elsewhere.clear();
        assertThat(answer.join()).isEqualTo(VALUE);
        return inPlace;
    }
}
