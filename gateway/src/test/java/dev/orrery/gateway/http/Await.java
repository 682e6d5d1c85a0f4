package dev.orrery.gateway.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what happens on another thread, for as long as a busy machine may need. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Await() {}

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        var deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            Thread.sleep(5);
        }
    }
}
