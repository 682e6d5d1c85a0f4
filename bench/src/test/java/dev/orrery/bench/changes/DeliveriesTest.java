package dev.orrery.bench.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.bench.changes.Deliveries.Delay;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.SampleItem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DeliveriesTest {
    private static final long MILLI = 1_000_000;

    @Test
    void delaysBeginWithTheSendingOrWithTheAnswer() throws InterruptedException {
        var deliveries = new Deliveries(70, 3);
        for (int item = 0; item < 3; item++) {
            deliveries.sent(item, item * MILLI);
            deliveries.answered(item, item * MILLI + 2 * MILLI);
        }
        deliveries.arrived(page(70, 71), 5 * MILLI);
        deliveries.arrived(page(72), 13 * MILLI);
        deliveries.awaitAll(Duration.ZERO);
        assertThat(deliveries.sinceSent()).isEqualTo(new Delay(5, 11, 11));
        assertThat(deliveries.sinceAnswered()).isEqualTo(new Delay(3, 9, 9));
    }

    @Test
    void anItemThatArrivesBeforeItsAnswerHasNoDelay() {
        var deliveries = new Deliveries(0, 1);
        deliveries.answered(0, 2 * MILLI);
        deliveries.arrived(page(0), MILLI);
        assertThat(deliveries.sinceAnswered()).isEqualTo(new Delay(0, 0, 0));
    }

    @Test
    void onlyTheFirstArrivalOfAnItemCounts() {
        var deliveries = new Deliveries(0, 2);
        deliveries.arrived(page(0), 1);
        deliveries.arrived(page(0), 2);
        assertThatThrownBy(() -> deliveries.awaitAll(Duration.ZERO))
                .isInstanceOf(BenchException.class)
                .hasMessage("1 of 2 items have not reached the consumer.");
    }

    private static String page(long... numbers) {
        var text = new StringBuilder("{\"_rid\":\"AQ==\",\"Documents\":[");
        for (long number : numbers) {
            text.append(SampleItem.json(SampleItem.id(number))).append(',');
        }
        return text + "],\"_count\":" + numbers.length + "}";
    }
}
