package dev.orrery.engine.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The numbers that are left out between epochs count for nothing. */
class EpochsTest {
    private static final Epochs EPOCHS = Epochs.EMPTY.with(1, 0).with(2, 1_000_000_049L);

    @Test
    void withoutEpochsEveryNumberIsAChange() {
        assertThat(Epochs.EMPTY.changes(3, 10)).isEqualTo(7);
        assertThat(Epochs.EMPTY.changes(10, 3)).isZero();
    }

    @Test
    void aGapIsNotCounted() {
        long last = EPOCHS.all().getLast().restLsn() + 5;
        assertThat(EPOCHS.changes(1_000_000_040L, last)).isEqualTo(9 + 5);
        assertThat(EPOCHS.changes(1_000_000_049L, last)).isEqualTo(5);
        assertThat(EPOCHS.changes(last - 2, last)).isEqualTo(2);
    }

    @Test
    void aTailThatWasLostLiesInTheGap() {
        long last = EPOCHS.all().getLast().restLsn() + 5;
        assertThat(EPOCHS.changes(1_000_000_060L, last)).isEqualTo(5);
    }

    @Test
    void fromTheBeginningAllGapsAreLeftOut() {
        assertThat(EPOCHS.changes(0, EPOCHS.all().getLast().restLsn())).isEqualTo(49);
    }
}
