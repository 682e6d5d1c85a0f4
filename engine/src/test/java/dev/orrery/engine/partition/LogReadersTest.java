package dev.orrery.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.key.Epochs;
import dev.orrery.model.Limits;
import org.junit.jupiter.api.Test;

class LogReadersTest {
    private final LogReaders readers = new LogReaders();

    @Test
    void aLogWithoutReadersMayBeShortenedAsFarAsItIsOld() {
        assertThat(readers.trimmable(0, 100, Epochs.EMPTY)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theReaderWhoIsFarthestBehindDecides() {
        readers.note("north", 40);
        readers.note("south", 60);
        assertThat(readers.trimmable(0, 100, Epochs.EMPTY)).isEqualTo(40);

        readers.note("north", 80);
        assertThat(readers.trimmable(0, 100, Epochs.EMPTY)).isEqualTo(60);

        readers.dismiss("south");
        assertThat(readers.trimmable(0, 100, Epochs.EMPTY)).isEqualTo(80);
    }

    @Test
    void aReaderWhoIsTooFarBehindIsLetGoOf() {
        readers.note("lost", 10);
        readers.note("late", 20);
        assertThat(readers.trimmable(0, Limits.LOG_KEPT_CHANGES_MAX + 11L, Epochs.EMPTY))
                .isEqualTo(20);
        assertThat(readers.trimmable(0, 30, Epochs.EMPTY)).as("for good").isEqualTo(20);
    }

    @Test
    void whoBeginsAnewIsNotTooFarBehindForWhatIsForgottenAlready() {
        long forgotten = 10L * Limits.LOG_KEPT_CHANGES_MAX;
        readers.note("north", forgotten + 20);
        readers.note("north", 1);
        assertThat(readers.trimmable(forgotten, forgotten + 50, Epochs.EMPTY)).isEqualTo(1);
        assertThat(readers.trimmable(forgotten, forgotten + Limits.LOG_KEPT_CHANGES_MAX + 1, Epochs.EMPTY))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void lsnsThatWereLeftOutBetweenEpochsAreNoChanges() {
        var epochs = Epochs.EMPTY.with(2, 50);
        long first = epochs.all().getFirst().restLsn();
        readers.note("north", 40);
        assertThat(readers.trimmable(0, first + 10, epochs)).isEqualTo(40);
    }
}
