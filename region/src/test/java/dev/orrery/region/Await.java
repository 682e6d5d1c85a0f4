package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.Supplier;

/** Waiting for what must come. The only limit is a net against hanging, minutes wide, so that no machine is too slow. */
final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));
    private static final int LOOK_AGAIN_MILLIS = 5;

    private Await() {}

    static <T> void value(String what, Supplier<T> actual, T expected) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var now = actual.get();
        while (!now.equals(expected) && System.nanoTime() < deadline) {
            pause(LOOK_AGAIN_MILLIS, "others need the processor");
            now = actual.get();
        }
        assertThat(now).as(what).isEqualTo(expected);
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
