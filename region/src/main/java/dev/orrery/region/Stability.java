package dev.orrery.region;

import dev.orrery.engine.replica.RangeId;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToLongFunction;

/** Up to which LSN all regions have a range that must have it, and who waits for that. */
final class Stability {
    /** Hears of what has become stable. */
    interface Listener {
        void settled(RangeId range);
    }

    /** How far the slowest region has come that counts. */
    private volatile ToLongFunction<RangeId> slowest = range -> 0;

    private volatile Listener listener = range -> {};
    private final Map<RangeId, Long> stable = new ConcurrentHashMap<>();
    private final Map<RangeId, ConcurrentSkipListMap<Long, CompletableFuture<Void>>> waiting =
            new ConcurrentHashMap<>();

    void measureBy(ToLongFunction<RangeId> measure) {
        slowest = measure;
    }

    void listen(Listener other) {
        listener = other;
    }

    long of(RangeId range) {
        return stable.getOrDefault(range, 0L);
    }

    /** A region has told how far it has come with some ranges. */
    void heard(String name, Collection<RangeId> ranges) {
        ranges.forEach(this::measure);
    }

    /** Looks again, since another set of regions counts: who waits for these ranges may do so in another region. */
    void measureAll(Collection<RangeId> ranges) {
        ranges.forEach(this::measure);
    }

    private void measure(RangeId range) {
        raise(range, slowest.applyAsLong(range));
    }

    /** The write region has told, or this one has found out. */
    void raise(RangeId range, long lsn) {
        boolean[] raised = {false};
        stable.compute(range, (same, before) -> {
            raised[0] = before == null || lsn > before;
            return raised[0] ? lsn : before;
        });
        if (raised[0]) {
            var due = waiting.get(range);
            if (due != null) {
                var reached = due.headMap(lsn, true);
                reached.values().forEach(promise -> promise.complete(null));
                reached.clear();
            }
            listener.settled(range);
        }
    }

    /** Kept when an LSN is stable. */
    CompletionStage<Void> await(RangeId range, long lsn) {
        if (of(range) >= lsn) {
            return CompletableFuture.completedStage(null);
        }
        var promise = waiting.computeIfAbsent(range, same -> new ConcurrentSkipListMap<>())
                .computeIfAbsent(lsn, same -> new CompletableFuture<>());
        measure(range);
        if (of(range) >= lsn) { // It may have become so before anyone waited.
            promise.complete(null);
        }
        return promise.copy();
    }

    /** Another region takes the writes, and measures. */
    void restart() {
        stable.clear();
    }
}
