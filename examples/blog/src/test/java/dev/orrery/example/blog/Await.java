package dev.orrery.example.blog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Waiting for what must come, for as long as a busy machine may need. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
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
            // Looking must not take the time that is needed to get there.
            pause(LOOK_AGAIN_MILLIS
                    + 2 * (int) Duration.ofNanos(System.nanoTime() - start).toMillis());
        }
    }

    static <T> void value(Supplier<T> actual, T wanted) {
        noComplaints(() -> {
            var now = actual.get();
            return now.equals(wanted) ? List.of() : List.of(now + " is not " + wanted);
        });
    }

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
