package dev.orrery.example.blog.demo;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Waits for a server that is still putting in order what was loaded: meanwhile it has less time for requests, which would
 * be measured along.
 */
final class Settling {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final Duration LINE = Duration.ofSeconds(10);
    private static final Duration MAX = Duration.ofMinutes(15);

    private Settling() {}

    /** @param backlogBytes asks the server what is left */
    static void await(LongSupplier backlogBytes) {
        long start = System.nanoTime();
        long shown = start - LINE.toNanos();
        long left = backlogBytes.getAsLong();
        while (left > 0) {
            long now = System.nanoTime();
            if (now - start > MAX.toNanos()) {
                System.err.println("go on, though the server has not finished");
                return;
            }
            if (now - shown >= LINE.toNanos()) {
                shown = now;
                System.err.printf(Locale.ROOT, "wait for the server, which has %,d MB to put in order%n", left >> 20);
            }
            Demo.pause(LOOK_AGAIN);
            left = backlogBytes.getAsLong();
        }
    }
}
