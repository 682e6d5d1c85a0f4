package dev.orrery.server.transfer;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Batches that wait for one sender. */
final class Outbox {
    private static final int BATCHES_MAX = 2;
    private static final long LOOK_MILLIS = 100;

    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES_MAX);
    private final StopSignal stop;
    private volatile boolean closed;

    Outbox(StopSignal stop) {
        this.stop = stop;
    }

    /** Whether there was room within a moment. */
    boolean offer(Batch batch) throws InterruptedException {
        return batches.offer(batch, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** No more will come. */
    void close() {
        closed = true;
    }

    /** The next batch, or nothing when there will be none. */
    Optional<Batch> take() throws InterruptedException {
        while (!stop.isGiven()) {
            var batch = batches.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (batch != null) {
                return Optional.of(batch);
            }
            if (closed && batches.isEmpty()) {
                break;
            }
        }
        return Optional.empty();
    }

    boolean isStopping() {
        return stop.isGiven();
    }

    void fail(String reason) {
        stop.give(reason);
    }

    void pause(long millis) throws InterruptedException {
        stop.await(millis);
    }
}
