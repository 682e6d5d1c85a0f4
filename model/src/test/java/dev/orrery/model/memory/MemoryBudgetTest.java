package dev.orrery.model.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The memory that requests share. */
class MemoryBudgetTest {
    private static final long MEGABYTE = 1024L * 1024;
    private static final long FOR_EVER_MILLIS = 1_000_000_000;

    @Test
    void whatIsTakenIsGoneUntilItIsGivenBack() {
        var budget = new MemoryBudget(MEGABYTE, 0);
        assertThat(budget.tryTake(MEGABYTE / 2 + 1)).isTrue();
        assertThat(budget.tryTake(MEGABYTE / 2)).isFalse();
        assertThat(budget.bytesTaken()).isEqualTo(MEGABYTE / 2 + 1);
        budget.giveBack(MEGABYTE / 2 + 1);
        assertThat(budget.tryTake(MEGABYTE)).isTrue();
    }

    @Test
    void whoWaitsGetsWhatOthersGiveBack() {
        var budget = new MemoryBudget(MEGABYTE, FOR_EVER_MILLIS);
        budget.take(MEGABYTE);
        var waiting = CompletableFuture.runAsync(() -> budget.take(MEGABYTE));
        budget.giveBack(MEGABYTE);
        waiting.join();
        assertThat(budget.bytesTaken()).isEqualTo(MEGABYTE);
    }

    @Test
    void whoHasWaitedLongEnoughIsToldToComeAgain() {
        var budget = new MemoryBudget(MEGABYTE, 1);
        budget.take(MEGABYTE);
        assertThatThrownBy(() -> budget.take(1))
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refused -> assertThat(refused.failure())
                                .isInstanceOfSatisfying(
                                        Failure.Throttled.class,
                                        throttled ->
                                                assertThat(throttled.shortage()).isEqualTo(Failure.Shortage.MEMORY)));
        assertThat(budget.bytesTaken()).isEqualTo(MEGABYTE);
    }

    @Test
    void halfOfTheHeapIsForRequests() {
        assertThat(MemoryBudget.ofHeap(256 * MEGABYTE).bytesMax()).isEqualTo(128 * MEGABYTE);
        assertThat(MemoryBudget.ofHeap(1).bytesMax()).isEqualTo(32 * MEGABYTE);
        assertThat(MemoryBudget.unlimited().bytesMax()).isGreaterThan(1L << 40);
    }
}
