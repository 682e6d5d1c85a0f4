package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Waiting for what must come. The only limit is a net against hanging, minutes wide, so that no machine is too slow. */
final class Await {
    static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));

    private static final int LOOK_AGAIN_MILLIS = 50;

    private Await() {}

    /** Waits until there is nothing left to complain about. */
    static void noComplaints(Supplier<List<String>> complaints) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long start = System.nanoTime();
            var left = complaints.get();
            if (left.isEmpty() || System.nanoTime() > deadline) {
                assertThat(left).isEmpty();
                return;
            }
            long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
            pause(LOOK_AGAIN_MILLIS + 2 * took, "looking must not take the time that is needed to get there");
        }
    }

    static <T> void value(Supplier<T> actual, T wanted) {
        noComplaints(() -> {
            var now = actual.get();
            return now.equals(wanted) ? List.of() : List.of(now + " is not " + wanted);
        });
    }

    /** Does nothing for a while, for a reason that no verdict rests on. */
    static void pause(long millis, String why) {
        assertThat(why).isNotBlank();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
