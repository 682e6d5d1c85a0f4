package dev.orrery.engine.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Caller.Priority;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** At 400 request units a second unless a test says otherwise; time passes when a test lets it. */
class LimiterTest {
    private static final double RATE = 400;
    private static final double SLACK = RATE / 2;
    private static final double BURST = 3_000;
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private long nowNanos = 42 * SECOND;
    private final Limiter limiter = Limiter.ofPartition(() -> nowNanos, RATE);

    @Test
    void deliversItsRateInTheLongRun() {
        use(SLACK, 1);
        assertThat(usedWithin(100, 3.7)).isBetween(RATE * 100 - 4, RATE * 100 + 4);
    }

    @Test
    void halfASecondIsThereAtOnceAndNoMore() {
        assertThat(usedAtOnce(1)).isBetween(SLACK, SLACK + 1);
        nowNanos += SECOND / 10;
        assertThat(usedAtOnce(1)).isBetween(RATE / 10 - 1, RATE / 10 + 1);
        nowNanos += 3 * SECOND;
        assertThat(usedAtOnce(1)).isBetween(SLACK, SLACK + 2);
    }

    @Test
    void whatADearRequestCostIsOwedByThoseAfterIt() {
        use(1_000, 1_000);
        assertThat(wait(Priority.HIGH)).isEqualTo((long) ((1_000 - SLACK) / RATE * SECOND));
        nowNanos += (long) ((1_000 - SLACK) / RATE * SECOND) - 2 * MILLI;
        assertThat(wait(Priority.HIGH)).isPositive();
        nowNanos += 2 * MILLI;
        assertThat(limiter.admit(Priority.HIGH)).isZero();
    }

    @Test
    void thoseUnderWayAreCountedBeforeTheyArePaid() {
        learn(20);
        int underWay = 0;
        while (limiter.admit(Priority.HIGH) == 0) {
            underWay++;
        }
        assertThat(underWay * 20).isBetween((int) SLACK, (int) SLACK + 20);
        for (int i = 0; i < underWay; i++) {
            limiter.release();
        }
        assertThat(usedAtOnce(20)).as("nothing came of them").isBetween(SLACK, SLACK + 20);
    }

    @Test
    void whatIsPaidIsTheWholePriceWhateverWasExpectedMeanwhile() {
        var delivered = 0.0;
        long began = nowNanos;
        for (int round = 0; round < 1_000; round++) {
            int admitted = 0;
            while (limiter.admit(Priority.HIGH) == 0) {
                admitted++;
            }
            // Let through while cheap ones were expected, and paid while dear ones are.
            for (int i = 0; i < admitted; i++) {
                double cost = i % 2 == round % 2 ? 1 : 300;
                limiter.spend(cost);
                delivered += cost;
            }
            nowNanos += 50 * MILLI;
        }
        // However many were let through last, they owe what they were not expected to cost.
        long owed = wait(Priority.HIGH);
        double seconds = (nowNanos - began + owed) / (double) SECOND;
        assertThat(delivered).isLessThanOrEqualTo(RATE * seconds + SLACK + 1);
    }

    @Test
    void whoHasToWaitIsToldATurnOfTheirOwnAndGetsThroughThen() {
        learn(8);
        usedAtOnce(8);
        long refusedNanos = nowNanos;
        var turns = new ArrayList<Long>();
        for (int caller = 0; caller < 50; caller++) {
            turns.add(nowNanos + wait(Priority.HIGH));
        }
        assertThat(turns).isSorted().doesNotHaveDuplicates();
        for (long turn : turns) {
            nowNanos = Math.ceilDiv(turn, MILLI) * MILLI;
            assertThat(limiter.admit(Priority.HIGH))
                    .as("at %d ms", nowNanos / MILLI)
                    .isZero();
            limiter.spend(8);
        }
        double seconds = (nowNanos - refusedNanos) / (double) SECOND;
        assertThat(seconds).isBetween(49 * 8 / RATE, 51 * 8 / RATE);
    }

    @Test
    void turnsAreApartAlsoWhileNobodyHasPaidYet() {
        learn(8);
        while (limiter.admit(Priority.HIGH) == 0) {
            nowNanos++; // All are under way at once, as the operations of a bulk request are.
        }
        long first = wait(Priority.HIGH);
        for (int caller = 1; caller < 50; caller++) {
            nowNanos++;
            assertThat(wait(Priority.HIGH)).isGreaterThan(first + (long) (caller * 7 / RATE * SECOND));
        }
    }

    @Test
    void aTimerThatWakesUpABitTooEarlyIsForgiven() {
        use(400, 400);
        nowNanos += wait(Priority.HIGH) - MILLI / 2;
        assertThat(limiter.admit(Priority.HIGH)).isZero();
    }

    @Test
    void turnsOfThoseWhoNeverComeBackAreForgotten() {
        learn(10);
        usedAtOnce(10);
        for (int i = 0; i < 10_000; i++) {
            assertThat(wait(Priority.HIGH)).isLessThanOrEqualTo(5 * SECOND + SECOND / 10);
        }
        nowNanos += SECOND;
        usedAtOnce(10);
        assertThat(wait(Priority.HIGH)).isLessThan(SECOND / 10);
    }

    @Test
    void oneDearQueryDoesNotDriveTheTurnsOfReadsApart() {
        learn(1);
        use(5_000, 5_000);
        long first = wait(Priority.HIGH);
        for (int i = 0; i < 99; i++) {
            assertThat(wait(Priority.HIGH) - first).isLessThan(SECOND);
        }
    }

    // ---- priorities ----

    @Test
    void lowPriorityGetsWhatHighPriorityLeaves() {
        var used = race(100, 60, 5);
        assertThat(used.high()).isBetween(0.98 * 250 * 100, 1.02 * 250 * 100);
        assertThat(used.low()).isBetween(0.95 * 150 * 100, 1.03 * 150 * 100);
    }

    @Test
    void lowPriorityWaitsWhileHighPriorityNeedsEverything() {
        var used = race(100, 20, 1);
        assertThat(used.high()).isGreaterThan(0.99 * RATE * 100);
        assertThat(used.low()).isLessThan(0.01 * RATE * 100);
    }

    @Test
    void turnsOfLowPriorityHoldUpNobodyOfHighPriority() {
        learn(5);
        usedAtOnce(5);
        for (int i = 0; i < 100; i++) {
            assertThat(wait(Priority.LOW)).isGreaterThanOrEqualTo(SECOND / 4 - 10 * MILLI);
        }
        assertThat(wait(Priority.HIGH)).isLessThan(50 * MILLI);
    }

    private record Used(double high, double low) {}

    /** High priority tries every so many milliseconds, low priority too; tells what each has used. */
    private Used race(int seconds, int highEveryMillis, int lowEveryMillis) {
        double high = 0;
        double low = 0;
        for (int millis = 0; millis < seconds * 1_000; millis++, nowNanos += MILLI) {
            if (millis % highEveryMillis == 0 && limiter.admit(Priority.HIGH) == 0) {
                limiter.spend(15);
                high += 15;
            }
            if (millis % lowEveryMillis == 0 && limiter.admit(Priority.LOW) == 0) {
                limiter.spend(15);
                low += 15;
            }
        }
        return new Used(high, low);
    }

    // ---- savings ----

    @Test
    void nothingIsSavedInAShortPause() {
        usedAtOnce(1);
        nowNanos += 5 * SECOND;
        assertThat(usedWithin(10, 5)).isBetween(RATE * 10, RATE * 10 + SLACK + 5);
    }

    @Test
    void whatWasNotUsedAfterFiveIdleSecondsIsSaved() {
        usedAtOnce(1);
        nowNanos += 35 * SECOND;
        double saved = 30 * RATE;
        assertThat(usedWithin(60, 5)).isBetween(saved + RATE * 60, saved + RATE * 60 + SLACK + 5);
    }

    @Test
    void noMoreThanFiveMinutesAreSaved() {
        nowNanos += 3_600 * SECOND;
        double saved = 300 * RATE;
        assertThat(usedWithin(100, 5)).isBetween(saved + RATE * 100, saved + RATE * 100 + SLACK + 5);
    }

    @Test
    void savingsAreSpentAtThreeThousandASecond() {
        nowNanos += 3_600 * SECOND;
        assertThat(usedWithin(10, 5)).isBetween(BURST * 10 - 5, BURST * 10 + SLACK + 5);
    }

    @Test
    void whileThereAreSavingsWaitsAreAsShortAsTheyMake() {
        nowNanos += 3_600 * SECOND;
        use(SLACK + 600, SLACK + 600);
        assertThat(wait(Priority.HIGH)).isEqualTo(SECOND / 5);
        use(0, 0);
        // More than there is: savings first, and the rest at the rate.
        nowNanos += SECOND;
        assertThat(limiter.admit(Priority.HIGH)).isZero();
        limiter.spend(1_000_000);
        long wait = wait(Priority.HIGH);
        nowNanos += wait - 2 * MILLI;
        assertThat(wait(Priority.HIGH)).isPositive();
        nowNanos += 2 * MILLI;
        assertThat(limiter.admit(Priority.HIGH)).isZero();
    }

    @Test
    void whoHasThreeThousandOrMoreSavesNothing() {
        limiter.change(5_000);
        nowNanos += 3_600 * SECOND;
        assertThat(usedWithin(10, 5)).isBetween(5_000.0 * 10, 5_000 * 10.5 + 5);
    }

    @Test
    void savingsAreGoneWhenTheRateWasHighInBetween() {
        nowNanos += 3_600 * SECOND;
        limiter.change(10_000);
        limiter.change(RATE);
        assertThat(usedWithin(10, 5)).isBetween(RATE * 10, RATE * 10 + SLACK + 5);
    }

    @Test
    void aShareSavesNothing() {
        var share = Limiter.ofShare(() -> nowNanos, RATE);
        nowNanos += 3_600 * SECOND;
        assertThat(usedWithin(share, 10, 5)).isBetween(RATE * 10, RATE * 10 + SLACK + 5);
    }

    // ---- change ----

    @Test
    void aHigherRateCountsAtOnce() {
        use(600, 600);
        assertThat(wait(Priority.HIGH)).isEqualTo(SECOND);
        limiter.change(4_000);
        assertThat(wait(Priority.HIGH)).isEqualTo(SECOND / 10);
        assertThat(usedWithin(10, 5)).isBetween(4_000.0 * 10 - 405, 4_000 * 10.5);
    }

    @Test
    void aLowerRateCountsAtOnce() {
        limiter.change(4_000);
        nowNanos += SECOND;
        limiter.change(RATE);
        assertThat(usedAtOnce(1)).isBetween(SLACK, SLACK + 1);
        assertThat(usedWithin(10, 5)).isBetween(RATE * 10 - 6, RATE * 10 + 6);
    }

    // ---- using it ----

    /** How long somebody has to wait who does not get through now. */
    private long wait(Priority priority) {
        long nanos = limiter.admit(priority);
        assertThat(nanos).as("has to wait").isPositive();
        return nanos;
    }

    /** Uses that much now, in requests of the same price. */
    private void use(double requestUnits, double each) {
        for (double used = 0; used < requestUnits; used += each) {
            assertThat(limiter.admit(Priority.HIGH)).isZero();
            limiter.spend(each);
        }
    }

    /** Has it expect requests of a price, and waits until the slack is full again. */
    private void learn(double price) {
        for (int i = 0; i < 500; i++) {
            use(price, price);
            nowNanos += SECOND / 5;
        }
        nowNanos += SECOND;
    }

    private double usedAtOnce(double each) {
        double used = 0;
        while (limiter.admit(Priority.HIGH) == 0) {
            limiter.spend(each);
            used += each;
        }
        return used;
    }

    /** What gets through to somebody who tries as often as they can. */
    private double usedWithin(int seconds, double each) {
        return usedWithin(limiter, seconds, each);
    }

    private double usedWithin(Limiter of, int seconds, double each) {
        double used = 0;
        for (long end = nowNanos + seconds * SECOND; nowNanos < end; nowNanos += MILLI / 2) {
            while (of.admit(Priority.HIGH) == 0) {
                of.spend(each);
                used += each;
            }
        }
        return used;
    }
}
