package dev.orrery.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long things took, sorted into buckets that are a quarter of a power of two wide: percentiles are known to within an
 * eighth of their size or so, in a kilobyte, and recording is one addition.
 */
final class Latencies {
    // Up to 4 µs all are one; beyond 2^37 ns, which is more than two minutes, so are all.
    private static final int FIRST_POWER = 12;
    private static final int LAST_POWER = 36;
    private static final int PARTS_POWER = 2;
    private static final int PARTS = 1 << PARTS_POWER;
    private static final int BUCKETS = 2 + (LAST_POWER - FIRST_POWER + 1) * PARTS;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    void record(long nanos) {
        counts.incrementAndGet(bucket(nanos));
    }

    private static int bucket(long nanos) {
        if (nanos < 1L << FIRST_POWER) {
            return 0;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        if (power > LAST_POWER) {
            return BUCKETS - 1;
        }
        int part = (int) (nanos >> (power - PARTS_POWER)) & (PARTS - 1);
        return 1 + (power - FIRST_POWER) * PARTS + part;
    }

    /** Where a bucket begins. */
    private static double nanos(int bucket) {
        if (bucket == 0) {
            return 0;
        }
        int power = FIRST_POWER + (bucket - 1) / PARTS;
        int part = (bucket - 1) % PARTS;
        return (double) ((long) (PARTS + part) << (power - PARTS_POWER));
    }

    void addTo(Sum sum) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            sum.counts[bucket] += counts.get(bucket);
        }
    }

    /** Those of several together. Not for use by many threads. */
    static final class Sum {
        private final long[] counts = new long[BUCKETS];

        /**
         * The latency that a share of all stays below; those of a bucket are taken as spread evenly over it. Zero when
         * nothing was timed.
         */
        double millis(double share) {
            long all = 0;
            for (long count : counts) {
                all += count;
            }
            double wanted = all * share;
            double below = 0;
            for (int bucket = 0; bucket < BUCKETS - 1; bucket++) {
                if (counts[bucket] > 0 && below + counts[bucket] >= wanted) {
                    double start = nanos(bucket);
                    double width = nanos(bucket + 1) - start;
                    return inMillis(start + width * (wanted - below) / counts[bucket]);
                }
                below += counts[bucket];
            }
            return all == 0 ? 0 : inMillis(nanos(BUCKETS - 1));
        }

        private static double inMillis(double nanos) {
            return nanos / TimeUnit.MILLISECONDS.toNanos(1);
        }
    }
}
