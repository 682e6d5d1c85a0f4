package dev.orrery.bench.changes;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.SampleItem;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * When each of some items was sent, when the server had answered that it is written, and when a consumer had it. Writers
 * and the consumer tell of one item each at a time; results are there after all of their threads have ended.
 */
public final class Deliveries {
    private static final long NEVER = Long.MIN_VALUE;

    /**
     * How long changes took to arrive.
     *
     * @param slowMillis what 99 % do not exceed
     */
    public record Delay(double medianMillis, double slowMillis, double maxMillis) {}

    private final long firstNumber;
    private final long[] sent;
    private final long[] answered;
    private final long[] arrived;
    private final CountDownLatch missing;

    /** Of items with consecutive numbers. */
    public Deliveries(long firstNumber, int count) {
        this.firstNumber = firstNumber;
        this.sent = new long[count];
        this.answered = new long[count];
        this.arrived = new long[count];
        this.missing = new CountDownLatch(count);
        Arrays.fill(arrived, NEVER);
    }

    public int count() {
        return sent.length;
    }

    public long number(int item) {
        return firstNumber + item;
    }

    public void sent(int item, long nanos) {
        sent[item] = nanos;
    }

    public void answered(int item, long nanos) {
        answered[item] = nanos;
    }

    /** All items in a text that a consumer has got. */
    public void arrived(String text, long nanos) {
        for (int at = text.indexOf(SampleItem.START); at >= 0; at = text.indexOf(SampleItem.START, at + 1)) {
            int item = Math.toIntExact(SampleItem.number(text, at + SampleItem.START.length()) - firstNumber);
            if (arrived[item] == NEVER) {
                arrived[item] = nanos;
                missing.countDown();
            }
        }
    }

    public void awaitAll(Duration patience) throws InterruptedException {
        if (!missing.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new BenchException(
                    "%d of %d items have not reached the consumer.".formatted(missing.getCount(), count()));
        }
    }

    public Delay sinceSent() {
        return delay(sent);
    }

    /** A consumer may have an item before its writer has the answer: that is no delay at all. */
    public Delay sinceAnswered() {
        return delay(answered);
    }

    private Delay delay(long[] since) {
        var millis = new double[since.length];
        for (int item = 0; item < millis.length; item++) {
            millis[item] = Math.max(0, arrived[item] - since[item]) / 1e6;
        }
        Arrays.sort(millis);
        return new Delay(millis[millis.length / 2], millis[(int) (millis.length * 0.99)], millis[millis.length - 1]);
    }
}
