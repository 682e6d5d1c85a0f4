package dev.orrery.engine.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Bill.Line;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.model.FailureException;
import dev.orrery.store.Seed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BillTest {
    private final RandomGenerator random = Seed.random();
    private final Prices prices = PriceLists.byDefault();

    @Test
    void theLinesAddUpToTheTotalToTheHundredth() {
        for (int round = 0; round < 1_000; round++) {
            var bill = random.nextBoolean() ? prices.bill(work()) : prices.bill(work(), strong());
            assertThat(total(bill)).isEqualTo(exact(bill));
        }
    }

    @Test
    void aBillForSeveralIsAsHighAsTheirsTogether() {
        for (int round = 0; round < 200; round++) {
            var bills = new ArrayList<Bill>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                bills.add(prices.bill(work()));
            }
            var apart = bills.stream().map(BillTest::exact).reduce(BigDecimal.ZERO, BigDecimal::add);
            var sum = Bill.sum(bills);
            assertThat(total(sum)).isEqualByComparingTo(apart);
            assertThat(exact(sum)).isEqualByComparingTo(apart);
            assertThat(bills.stream().reduce(Bill.NOTHING, Bill::plus).requestUnits())
                    .isEqualTo(sum.requestUnits());
        }
    }

    @Test
    void aStrongerReadCostsMoreAndAWriteDoesNot() {
        var read = new Work().add(Effort.ITEM_READ, 1, 1_000);
        assertThat(prices.bill(read, strong()).requestUnits())
                .isEqualTo(2 * prices.bill(read).requestUnits());
        var write = new Work().add(Effort.ITEM_CREATED, 1, 1_000).add(Effort.TERMS_WRITTEN, 20);
        assertThat(prices.bill(write, strong())).isEqualTo(prices.bill(write));
    }

    @Test
    void moreThanWasToBePaidIsRefusedWithWhatItIsMadeOf() {
        var bill = new Bill(List.of(new Line(Effort.ITEM_READ, 1, 100, 1.25), new Line(Effort.RESULT, 1, 100, 0.5)));
        assertThat(bill.demandAtMost(Optional.empty())).isSameAs(bill);
        assertThat(bill.demandAtMost(Optional.of(1.75))).isSameAs(bill);
        assertThatThrownBy(() -> bill.demandAtMost(Optional.of(1.74)))
                .isInstanceOf(FailureException.class)
                .hasMessageContaining("1.75")
                .hasMessageContaining("1.74")
                .hasMessageContaining("itemsRead 1.25, result 0.5");
    }

    private Work work() {
        var efforts = List.of(Effort.values());
        var work = new Work();
        for (int i = random.nextInt(6); i > 0; i--) {
            work.add(efforts.get(random.nextInt(efforts.size())), random.nextLong(1, 300), random.nextLong(3_000_000));
        }
        return work;
    }

    private static Caller strong() {
        return Caller.owner().on(ConsistencyLevel.STRONG, Optional.empty());
    }

    private static BigDecimal total(Bill bill) {
        return BigDecimal.valueOf(bill.requestUnits()).stripTrailingZeros();
    }

    private static BigDecimal exact(Bill bill) {
        return bill.lines().stream()
                .map(line -> BigDecimal.valueOf(line.requestUnits()))
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .stripTrailingZeros();
    }
}
