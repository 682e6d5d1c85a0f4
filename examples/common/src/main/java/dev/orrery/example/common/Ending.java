package dev.orrery.example.common;

import java.time.Duration;

/** Cleans up when the program ends, however it does: also when somebody stops it. */
public final class Ending {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static volatile boolean begun;

    private Ending() {}

    /** Whether it is over, and what fails from now on fails for that reason. */
    static boolean hasBegun() {
        return begun;
    }

    public static void add(Runnable cleaning) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> clean(cleaning)));
    }

    private static void clean(Runnable cleaning) {
        begun = true;
        var cleaner = Thread.ofPlatform().daemon().start(cleaning);
        try {
            if (!cleaner.join(PATIENCE)) {
                System.err.println("Gave up after " + PATIENCE.toSeconds() + " s; not all was removed.");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
