package dev.orrery.server;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * Gives memory back to the operating system when a server that has had much to do has nothing to do any more. The JVM
 * shrinks its heap only when it collects all of it, and by itself it does that only when the heap is full.
 */
final class HeapTrim {
    static final long LOOK_MILLIS = 15_000;

    /** A heap as small as that is not worth a pause. */
    private static final long COMMITTED_BYTES_MIN = 128L << 20;

    /** So many collections between two looks are no more than what probes and upkeep cause. */
    private static final int QUIET_COLLECTIONS_MAX = 1;

    /** Fewer than that since the last time were no busy time. */
    private static final int BUSY_COLLECTIONS_MIN = 8;

    private final Heap heap;
    private long collections;
    private long collectionsTrimmed;

    /** What can be known of a heap, and done about it. */
    interface Heap {
        /** How often garbage has been collected: hardly ever while nothing happens. */
        long collections();

        long committedBytes();

        void collect();

        static Heap ofProcess() {
            return new Heap() {
                @Override
                public long collections() {
                    return ManagementFactory.getGarbageCollectorMXBeans().stream()
                            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                            .sum();
                }

                @Override
                public long committedBytes() {
                    return Runtime.getRuntime().totalMemory();
                }

                @Override
                public void collect() {
                    System.gc();
                }
            };
        }
    }

    HeapTrim(Heap heap) {
        this.heap = heap;
    }

    /** Collects once after a busy time, at the first look that finds the heap quiet. */
    void look() {
        long now = heap.collections();
        boolean quiet = now - collections <= QUIET_COLLECTIONS_MAX;
        boolean wasBusy = now - collectionsTrimmed >= BUSY_COLLECTIONS_MIN;
        if (quiet && wasBusy && heap.committedBytes() > COMMITTED_BYTES_MIN) {
            heap.collect();
            now = heap.collections();
            collectionsTrimmed = now;
        }
        collections = now;
    }
}
