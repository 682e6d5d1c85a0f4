package dev.orrery.store.rocksdb;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts who is inside native code, because closing it under a reader would end the process, not raise an exception.
 *
 * <p>Two counters that only grow cost a reader next to nothing and let {@link #end} be sure: what has left is counted
 * before what has entered, so equal sums mean that nobody was inside in between, and nobody enters afterwards.
 */
final class Lifetime {

    private static final Duration PAUSE = Duration.ofMillis(1);

    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private volatile boolean ended;

    boolean tryEnter() {
        entered.increment();
        if (ended) {
            left.increment();
            return false;
        }
        return true;
    }

    void enter() {
        if (!tryEnter()) {
            throw new IllegalStateException("The store is closed");
        }
    }

    /** For those who are inside already, also when the end has begun. */
    void enterAgain() {
        entered.increment();
    }

    void leave() {
        left.increment();
    }

    /** Lets nobody in any more and waits for those inside; false if they stay too long. */
    boolean end(Duration patience) {
        ended = true;
        for (long waited = 0; waited < patience.toNanos(); waited += PAUSE.toNanos()) {
            long out = left.sum();
            if (out == entered.sum()) {
                return true;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return false;
    }
}
