package dev.orrery.model.memory;

import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all requests share: what they take is estimated and counted, never measured, so that the same requests
 * are let in or refused on every machine with the same heap. Whoever finds too little waits for a while, and is then told
 * to come again.
 */
public final class MemoryBudget {
    private static final long BYTES_MIN = 32L * 1024 * 1024;
    private static final long RETRY_AFTER_MILLIS = 200;

    private final long bytesMax;
    private final long waitNanosMax;
    private final AtomicLong bytesTaken = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition givenBack = lock.newCondition();

    /** @param waitMillisMax how long {@link #take} waits until others have given back enough */
    public MemoryBudget(long bytesMax, long waitMillisMax) {
        this.bytesMax = bytesMax;
        this.waitNanosMax = TimeUnit.MILLISECONDS.toNanos(waitMillisMax);
    }

    /** Half of a heap. The other half is for what is not counted: the server itself, small requests, and garbage. */
    public static MemoryBudget ofHeap(long heapBytes) {
        return new MemoryBudget(Math.max(heapBytes / 2, BYTES_MIN), Limits.MEMORY_WAIT_MILLIS_MAX);
    }

    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE, 0);
    }

    /** Takes some if there is enough of it now. */
    public boolean tryTake(long bytes) {
        for (long taken = bytesTaken.get(); bytes <= bytesMax - taken; taken = bytesTaken.get()) {
            if (bytesTaken.compareAndSet(taken, taken + bytes)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes some, and waits for it if need be.
     *
     * @throws FailureException when there was not enough for as long as anybody waits
     */
    public void take(long bytes) {
        if (!tryTake(bytes) && !takeLater(bytes)) {
            throw shortage();
        }
    }

    /** Takes some whether there is enough or not: what must not be refused any more is at least counted. */
    public void takeAnyway(long bytes) {
        bytesTaken.addAndGet(bytes);
    }

    private boolean takeLater(long bytes) {
        lock.lock();
        waiting.incrementAndGet();
        try {
            long leftNanos = waitNanosMax;
            boolean got = tryTake(bytes);
            while (!got && leftNanos > 0) {
                leftNanos = givenBack.awaitNanos(leftNanos);
                got = tryTake(bytes);
            }
            return got;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    /** What to tell whoever got none. */
    public static FailureException shortage() {
        return new FailureException(new Failure.Throttled(
                Shortage.MEMORY,
                "The requests that are under way take all the memory that the server has for them. Try again later.",
                RETRY_AFTER_MILLIS));
    }

    public void giveBack(long bytes) {
        bytesTaken.addAndGet(-bytes);
        // Whoever waits has said so before its last look, so either it saw this or we see it.
        if (waiting.get() > 0) {
            lock.lock();
            try {
                givenBack.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    public long bytesMax() {
        return bytesMax;
    }

    public long bytesTaken() {
        return bytesTaken.get();
    }

    /** How much one request may take: no more than leaves something for others. */
    public long bytesOfOneMax() {
        return bytesMax / 2;
    }
}
