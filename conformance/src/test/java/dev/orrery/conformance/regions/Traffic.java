package dev.orrery.conformance.regions;

import dev.orrery.conformance.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that writes an item and reads it, again and again until it is told to stop, and what came of it. */
abstract class Traffic implements AutoCloseable {
    private final String partition;
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final List<Integer> lost = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    Traffic(String partition) {
        this.partition = partition;
    }

    /** Where it writes, and nobody else does. */
    final String partition() {
        return partition;
    }

    final void wrote(int n) {
        written.set(n);
    }

    final void read() {
        reads.incrementAndGet();
    }

    final void failed(String why) {
        failures.add(why);
    }

    final void missed(int n) {
        lost.add(n);
    }

    /** The number of its last write that was acknowledged; all before it were, too. */
    final int written() {
        return written.get();
    }

    /** What the SDK has given up on, whereupon the client has tried again. */
    final List<String> failures() {
        return List.copyOf(failures);
    }

    /** Which acknowledged writes a read right after them did not find. */
    final List<Integer> lost() {
        return List.copyOf(lost);
    }

    /** Lets it write and read some more. */
    final void awaitMore(int steps) {
        int writes = written.get() + steps;
        int finds = reads.get() + steps;
        Await.until(partition + " goes on", () -> written.get() >= writes && reads.get() >= finds);
    }

    final boolean isGoing() {
        return !closed;
    }

    /** Stops after what is under way. */
    @Override
    public final void close() {
        closed = true;
        stop();
    }

    abstract void stop();
}
