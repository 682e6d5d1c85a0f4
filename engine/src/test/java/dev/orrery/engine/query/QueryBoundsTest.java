package dev.orrery.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

/** What a query takes of the memory that all requests share. */
class QueryBoundsTest {
    private static final long MEGABYTE = 1024L * 1024;

    private final MemoryBudget memory = new MemoryBudget(8 * MEGABYTE, 0);

    @Test
    void aSmallQueryTakesNothing() {
        try (var bounds = bounds()) {
            bounds.keep(Limits.MEMORY_QUERY_BYTES_FREE);
            assertThat(memory.bytesTaken()).isZero();
        }
    }

    @Test
    void whatAQueryKeepsIsGivenBackAtItsEnd() {
        try (var bounds = bounds()) {
            bounds.keep(3 * MEGABYTE);
            bounds.keep(-3 * MEGABYTE);
            bounds.keep(2 * MEGABYTE);
            assertThat(memory.bytesTaken()).isEqualTo(3 * MEGABYTE);
        }
        assertThat(memory.bytesTaken()).isZero();
    }

    @Test
    void queriesThatNeedTooMuchTogetherHaveToWait() {
        try (var one = bounds();
                var other = bounds();
                var third = bounds()) {
            one.keep(4 * MEGABYTE);
            other.keep(4 * MEGABYTE);
            assertThat(failure(() -> third.keep(MEGABYTE)))
                    .isInstanceOfSatisfying(
                            Failure.Throttled.class,
                            throttled -> assertThat(throttled.shortage()).isEqualTo(Failure.Shortage.MEMORY));
        }
        assertThat(memory.bytesTaken()).isZero();
    }

    @Test
    void aQueryThatNeedsTooMuchAloneIsToldSo() {
        try (var bounds = bounds()) {
            bounds.keep(4 * MEGABYTE);
            assertThat(failure(() -> bounds.keep(1)))
                    .isInstanceOf(Failure.BadRequest.class)
                    .extracting(Failure::message)
                    .asString()
                    .contains("4 MB");
        }
    }

    private QueryBounds bounds() {
        return QueryBounds.startingNow(() -> 0, memory);
    }

    private static Failure failure(Runnable work) {
        return catchThrowableOfType(FailureException.class, work::run).failure();
    }
}
