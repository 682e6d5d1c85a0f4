package dev.orrery.conformance.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting for what must come, for as long as a busy machine may need. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int LOOK_AGAIN_MILLIS = 20;

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean met = condition.getAsBoolean();
        while (!met && System.nanoTime() < deadline) {
            pause(LOOK_AGAIN_MILLIS);
            met = condition.getAsBoolean();
        }
        assertThat(met).as(what).isTrue();
    }

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
