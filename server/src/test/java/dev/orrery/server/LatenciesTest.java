package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {
    private static double millis(Latencies latencies, double share) {
        var sum = new Latencies.Sum();
        latencies.addTo(sum);
        return sum.millis(share);
    }

    @ParameterizedTest
    @ValueSource(longs = {4_096, 5_000, 10_239, 10_240, 65_535, 213_106_459, 1_000_000_000, 137_438_953_471L})
    void aLatencyIsKnownToWithinAnEighth(long nanos) {
        var latencies = new Latencies();
        latencies.record(nanos);
        double millis = (double) nanos / TimeUnit.MILLISECONDS.toNanos(1);
        assertThat(millis(latencies, 0.5)).isCloseTo(millis, within(millis / 8));
    }

    @Test
    void percentilesAreThoseOfAllTogether() {
        var quick = new Latencies();
        var slow = new Latencies();
        for (int i = 1; i <= 990; i++) {
            quick.record(TimeUnit.MICROSECONDS.toNanos(i));
        }
        for (int i = 0; i < 10; i++) {
            slow.record(TimeUnit.MILLISECONDS.toNanos(900));
        }
        var both = new Latencies.Sum();
        quick.addTo(both);
        slow.addTo(both);
        assertThat(both.millis(0.5)).isCloseTo(0.5, within(0.02));
        assertThat(both.millis(0.99)).isCloseTo(0.99, within(0.06));
        assertThat(both.millis(0.999)).isCloseTo(900, within(112.0));
    }

    @Test
    void whatIsOutOfBoundsCountsAsIfItWereAtThem() {
        var latencies = new Latencies();
        assertThat(millis(latencies, 0.5)).isZero();
        latencies.record(0);
        latencies.record(-1);
        assertThat(millis(latencies, 0.99)).isBetween(0.0, 0.0041);
        var endless = new Latencies();
        endless.record(Long.MAX_VALUE);
        assertThat(millis(endless, 0.5)).isCloseTo(137_438.95, within(0.01));
    }
}
