package dev.orrery.engine.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Caller.Priority;
import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;

/** Many clients at one limiter, each with one request at a time, who come back when they are told to. */
class CrowdTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final int SECONDS = 60;

    private final RandomGenerator random = Seed.random();
    private final double rate = List.of(400, 700, 1_000, 2_500, 6_000).get(random.nextInt(5));
    private final int clients = random.nextInt(8, 40);
    // Together they want at least twice of what there is, and wait for a few turns only.
    private final double price = rate / clients * random.nextDouble(0.05, 0.5);
    private final double spread = random.nextDouble(0, 0.9);
    private final long latencyNanos = random.nextLong(MILLI / 10, 5 * MILLI);
    private final long serviceNanos = random.nextLong(MILLI / 10, 20 * MILLI);

    private long nowNanos;
    private final Limiter limiter = Limiter.ofPartition(() -> nowNanos, rate);
    private final double[] used = new double[clients];
    private final List<Paid> paid = new ArrayList<>();

    /** What a client does next; {@code price} is that of a request under way, 0 for one that is to be made. */
    private record Step(long nanos, int client, double price) {}

    private record Paid(long nanos, double requestUnits) {}

    @RepeatedTest(20)
    void getsWhatThereIsAndSharesIt() {
        run();
        double delivered = paid.stream().mapToDouble(Paid::requestUnits).sum();
        assertThat(delivered / SECONDS).as("of %s a second", rate).isBetween(0.95 * rate, 1.05 * rate);
        double mean = delivered / clients;
        for (double one : used) {
            assertThat(one).as("share of one of %d", clients).isBetween(0.5 * mean, 2 * mean);
        }
        assertThat(mostAboveRate())
                .as("more than the rate in any span of time")
                .isLessThanOrEqualTo(rate / 2 + clients * price * (1 + spread));
    }

    private void run() {
        var steps = new PriorityQueue<>(Comparator.comparingLong(Step::nanos));
        for (int client = 0; client < clients; client++) {
            steps.add(new Step(delay(latencyNanos), client, 0));
        }
        while (steps.peek().nanos() < SECONDS * SECOND) {
            var step = steps.poll();
            nowNanos = step.nanos();
            if (step.price() > 0) {
                limiter.spend(step.price());
                used[step.client()] += step.price();
                paid.add(new Paid(nowNanos, step.price()));
                steps.add(new Step(nowNanos + delay(2 * latencyNanos), step.client(), 0));
                continue;
            }
            long wait = limiter.admit(Priority.HIGH);
            steps.add(
                    wait == 0
                            ? new Step(nowNanos + delay(serviceNanos), step.client(), drawPrice())
                            : new Step(
                                    nowNanos + Math.ceilDiv(wait, MILLI) * MILLI + delay(2 * latencyNanos),
                                    step.client(),
                                    0));
        }
    }

    private long delay(long mean) {
        return random.nextLong(mean / 2, mean * 3 / 2);
    }

    private double drawPrice() {
        return price * random.nextDouble(1 - spread, 1 + spread);
    }

    /** The most that was paid within any span of time beyond what the rate gives in it. */
    private double mostAboveRate() {
        double sum = 0;
        double lowest = 0;
        double most = 0;
        for (var one : paid) {
            double given = rate * one.nanos() / SECOND;
            lowest = Math.min(lowest, sum - given);
            sum += one.requestUnits();
            most = Math.max(most, sum - given - lowest);
        }
        return most;
    }
}
