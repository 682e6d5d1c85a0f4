package dev.orrery.server.transfer;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Tells everyone who takes part in an import that it ends early, and why. */
public final class StopSignal {
    private final CountDownLatch given = new CountDownLatch(1);
    private final AtomicReference<String> reason = new AtomicReference<>();

    /** The first reason counts. */
    public void give(String why) {
        reason.compareAndSet(null, why);
        given.countDown();
    }

    boolean isGiven() {
        return given.getCount() == 0;
    }

    Optional<String> reason() {
        return Optional.ofNullable(reason.get());
    }

    /** Waits that long, or until the signal is given. */
    void await(long millis) throws InterruptedException {
        given.await(millis, TimeUnit.MILLISECONDS);
    }
}
