package dev.orrery.engine.partition;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Refuses what would make a logical partition larger than it may be. While the whole range is smaller than that, nothing has to
 * be known. From then on, each logical partition that grows is measured once, beside the lane, and counted from there on; until it is
 * measured, it may grow.
 */
final class LogicalSizes {
    /** Those that grew last; whichever is forgotten is measured again. */
    private static final int KNOWN_MAX = 50_000;

    /** What all ranges of a database have in common: how large is too large, and who measures. */
    record Rule(long bytesMax, Executor workers) {
        static final Rule NONE = new Rule(Long.MAX_VALUE, Runnable::run);
    }

    /** One logical partition: its bytes, or what has become of them since it is being measured, by LSN. */
    private static final class Size {
        private final Map<Long, Long> grownByLsn = new HashMap<>();
        private boolean isMeasured;
        private long bytes;

        void grow(long lsn, long more) {
            if (isMeasured) {
                bytes += more;
            } else {
                grownByLsn.merge(lsn, more, Long::sum);
            }
        }

        void measured(long atLsn, long found) {
            bytes = found;
            grownByLsn.forEach((lsn, more) -> bytes += lsn > atLsn ? more : 0);
            grownByLsn.clear();
            isMeasured = true;
        }
    }

    private final Rule rule;
    private final PartitionStore store;
    private final Map<ByteKey, Size> sizes = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteKey, Size> eldest) {
            return size() > KNOWN_MAX;
        }
    };
    private List<ByteKey> unmeasured = new ArrayList<>();

    LogicalSizes(Rule rule, PartitionStore store) {
        this.rule = rule;
        this.store = store;
    }

    /** Whether a range with this much in it can have a logical partition that is too large. */
    boolean matter(PartitionState state) {
        return state.itemBytes() > rule.bytesMax();
    }

    /** Refuses to let a logical partition grow by so much beyond what is committed, if that is known to be too much. */
    synchronized void demandRoom(ByteKey itemPrefix, long more) {
        var size = sizes.get(itemPrefix);
        if (size == null) {
            sizes.put(itemPrefix, new Size());
            unmeasured.add(itemPrefix);
        } else if (size.isMeasured && size.bytes + more > rule.bytesMax()) {
            throw new FailureException(new Failure.PartitionFull("Partition key reached maximum size of "
                    + told(rule.bytesMax()) + ". Items with this partition key have " + size.bytes
                    + " bytes together; delete some of them, or choose a partition key with more values."));
        }
    }

    private static String told(long bytes) {
        long megabytes = bytes >> 20;
        return megabytes % 1024 == 0 ? megabytes / 1024 + " GB" : megabytes + " MB";
    }

    /** A unit has been accepted by which logical partitions became larger or smaller. */
    synchronized void grow(long lsn, Map<ByteKey, Long> growth) {
        growth.forEach((itemPrefix, more) -> {
            var size = sizes.get(itemPrefix);
            if (size != null) {
                size.grow(lsn, more);
            }
        });
    }

    /** All that was accepted is committed, so what is to be measured can be found in the store. */
    synchronized void committed(PartitionState state) {
        if (!matter(state)) {
            sizes.clear(); // Nothing was counted of what has been removed since.
            unmeasured.clear();
        } else if (!unmeasured.isEmpty()) {
            var due = unmeasured;
            unmeasured = new ArrayList<>();
            rule.workers().execute(() -> due.forEach(this::measure));
        }
    }

    private void measure(ByteKey itemPrefix) {
        long found = 0;
        long lsn;
        try (var snapshot = store.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(itemPrefix.bytes()), Direction.FORWARD)) {
            lsn = PartitionState.of(snapshot).lsn();
            while (cursor.next()) {
                found += StoredItem.decode(cursor.value()).sizeBytes();
            }
        } catch (RuntimeException closed) { // Whoever opens the range next begins anew.
            forget(itemPrefix);
            return;
        }
        measured(itemPrefix, lsn, found);
    }

    private synchronized void forget(ByteKey itemPrefix) {
        sizes.remove(itemPrefix);
    }

    private synchronized void measured(ByteKey itemPrefix, long lsn, long found) {
        var size = sizes.get(itemPrefix);
        if (size != null) {
            size.measured(lsn, found);
        }
    }
}
