package dev.orrery.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what must come from elsewhere. The only limit is a net against hanging, minutes wide. */
public final class Await {
    public static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("test.patience.seconds", 300));

    private static final int LOOK_AGAIN_MILLIS = 2;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        value(what, condition::getAsBoolean, true);
    }

    public static <T> void value(String what, Supplier<T> actual, T expected) {
        long begin = System.nanoTime();
        while (true) {
            long start = System.nanoTime();
            var now = actual.get();
            if (now.equals(expected) || start - begin > PATIENCE.toNanos()) {
                assertThat(now).as(what).isEqualTo(expected);
                return;
            }
            long tookMillis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            pause(LOOK_AGAIN_MILLIS + 2 * tookMillis, "looking must not take the time that is needed to get there");
        }
    }

    public static <T> void value(Supplier<T> actual, T expected) {
        value("what comes in the end", actual, expected);
    }

    /** Waits until there is nothing left to complain about. */
    public static void noComplaints(Supplier<List<String>> complaints) {
        value("complaints", complaints, List.of());
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
