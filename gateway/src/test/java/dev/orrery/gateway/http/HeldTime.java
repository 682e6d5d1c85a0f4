package dev.orrery.gateway.http;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Time that stands still until a test lets it pass, so that no client is ever too slow by chance. */
final class HeldTime implements LongSupplier {
    private long heldNanos;
    private boolean flows;
    private long flowingSinceNanos;

    /** Any free port, plain HTTP only, and no time passes at all. */
    static HttpServerConfig config() {
        return new HeldTime().loopback();
    }

    /** Any free port, plain HTTP only, and this time. */
    HttpServerConfig loopback() {
        return HttpServerConfig.loopback(InstantSource.system(), this);
    }

    @Override
    public synchronized long getAsLong() {
        return heldNanos + (flows ? System.nanoTime() - flowingSinceNanos : 0);
    }

    synchronized void pass(Duration duration) {
        heldNanos += duration.toNanos();
    }

    /** From now on time passes by itself. */
    synchronized void flow() {
        flows = true;
        flowingSinceNanos = System.nanoTime();
    }
}
