package dev.orrery.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what must come. The only limit is a net against hanging, minutes wide, so that no machine is too slow. */
public final class Await {
    public static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));

    private static final int LOOK_AGAIN_MILLIS = 20;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        value(what, condition::getAsBoolean, true);
    }

    public static <T> void value(String what, Supplier<T> actual, T expected) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var now = actual.get();
        while (!now.equals(expected) && System.nanoTime() < deadline) {
            pause(LOOK_AGAIN_MILLIS, "others need the processor");
            now = actual.get();
        }
        assertThat(now).as(what).isEqualTo(expected);
    }

    /** What is there sooner or later. */
    public static <T> T some(String what, Supplier<Optional<T>> actual) {
        var found = new AtomicReference<Optional<T>>();
        until(what, () -> {
            found.set(actual.get());
            return found.get().isPresent();
        });
        return found.get().orElseThrow();
    }

    /** The exit code of a process that must end. */
    public static int end(Process process) {
        try {
            assertThat(process.waitFor(PATIENCE)).as("the process ends").isTrue();
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Does nothing for a while, for a reason that no verdict rests on. */
    public static void pause(long millis, String why) {
        assertThat(why).isNotBlank();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
