package dev.orrery.engine.hub;

import dev.orrery.engine.key.LogKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What is known of the writes of this region to a range; all of it can be found out anew. */
final class FrontState {
    private static final int UNSAFE_MAX = 1_000;
    private static final LogKey START = new LogKey(0, 0);

    private final AtomicInteger due = new AtomicInteger();
    private final Deque<Settled> unsafe = new ArrayDeque<>();
    private Optional<Settled> verdict = Optional.empty();
    private LogKey offered = START;
    private LogKey letGo = START;
    private boolean isStalled;

    /** True for the one who has to work now; others have told him that there is more. */
    boolean begin() {
        return due.getAndIncrement() == 0;
    }

    /** True if there is no more. */
    boolean end(int seen) {
        return due.addAndGet(-seen) == 0;
    }

    int due() {
        return due.get();
    }

    /** Behind which write the next offer begins. */
    synchronized LogKey offered() {
        return offered;
    }

    /** Has everything offered again that is still kept. */
    synchronized void offerAnew() {
        offered = START;
        letGo = START;
        verdict = Optional.empty();
        unsafe.clear();
    }

    /** Notes whether the hub could not settle all that it was offered last. */
    synchronized void stall(boolean stalled) {
        isStalled = stalled;
    }

    synchronized boolean isStalled() {
        return isStalled;
    }

    synchronized void hear(Settled settled) {
        verdict = Optional.of(settled);
        offered = settled.upTo();
        if (unsafe.size() >= UNSAFE_MAX) {
            unsafe.removeLast(); // The new one tells of its writes as well, only later.
        }
        unsafe.add(settled);
    }

    synchronized Optional<Settled> verdict() {
        return verdict;
    }

    /** Up to which write items have been let go of. */
    synchronized LogKey letGo() {
        return letGo;
    }

    synchronized void haveLetGo(LogKey upTo) {
        letGo = upTo;
    }

    /** The oldest verdict whose writes are still kept. */
    synchronized Optional<Settled> oldestUnsafe() {
        return Optional.ofNullable(unsafe.peek());
    }

    synchronized void isSafe(Settled settled) {
        unsafe.remove(settled);
    }
}
