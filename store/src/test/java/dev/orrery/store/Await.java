package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what must come from another thread. The only limit is a net against hanging, minutes wide. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));
    private static final int LOOK_AGAIN_MILLIS = 2;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        value(what, condition::getAsBoolean, true);
    }

    public static <T> void value(String what, Supplier<T> actual, T expected) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var now = actual.get();
        while (!now.equals(expected) && System.nanoTime() < deadline) {
            pause();
            now = actual.get();
        }
        assertThat(now).as(what).isEqualTo(expected);
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_AGAIN_MILLIS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
