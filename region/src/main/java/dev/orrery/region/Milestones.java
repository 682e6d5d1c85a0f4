package dev.orrery.region;

import dev.orrery.engine.replica.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/** How far each range was at a time not long ago: one mark for each tenth of a second in which something was written. */
final class Milestones {
    private static final long APART_NANOS = Duration.ofMillis(100).toNanos();

    private final LongSupplier nanos;
    private final long originNanos;
    private final long boundNanos;
    private final Map<RangeId, ConcurrentSkipListMap<Long, Long>> marks = new ConcurrentHashMap<>();

    /** @param bound how long ago is asked for */
    Milestones(LongSupplier nanos, Duration bound) {
        this.nanos = nanos;
        this.originNanos = nanos.getAsLong();
        this.boundNanos = bound.toNanos();
    }

    void pass(RangeId range, long lsn) {
        marks.computeIfAbsent(range, same -> new ConcurrentSkipListMap<>()).merge(now() / APART_NANOS, lsn, Math::max);
    }

    /** The last LSN that is older than the bound, as far as that is remembered; 0 when nothing is. */
    long beyond(RangeId range) {
        var all = marks.get(range);
        if (all == null) {
            return 0;
        }
        // A mark is as old as the last that may have come to it.
        var last = all.floorEntry((now() - boundNanos) / APART_NANOS - 1);
        if (last == null) {
            return 0;
        }
        all.headMap(last.getKey()).clear();
        return last.getValue();
    }

    private long now() {
        return nanos.getAsLong() - originNanos;
    }
}
