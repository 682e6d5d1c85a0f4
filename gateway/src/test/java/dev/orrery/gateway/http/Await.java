package dev.orrery.gateway.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what must come from another thread. The only limit is a net against hanging, minutes wide. */
final class Await {
    static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));

    private static final int LOOK_AGAIN_MILLIS = 5;

    private Await() {}

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        var deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            pause(LOOK_AGAIN_MILLIS, "others need the processor");
        }
    }

    /** Does nothing for a while, for a reason that no verdict rests on. */
    static void pause(long millis, String why) throws InterruptedException {
        assert !why.isBlank();
        Thread.sleep(millis);
    }
}
