package dev.orrery.engine.partition;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Snapshot;

/**
 * What one request sees of a range: all of it as of one moment, which is when it looks for the first time. What the answer
 * says of the range, its session token first, is taken from the view, so that it fits the rows that were seen. For one
 * thread.
 */
public final class RangeView implements AutoCloseable {
    private final Partition partition;
    private Snapshot snapshot;
    private PartitionState state;

    RangeView(Partition partition) {
        this.partition = partition;
    }

    /** A view of a moment that was chosen already. */
    RangeView(Partition partition, Snapshot snapshot) {
        this.partition = partition;
        this.snapshot = snapshot;
    }

    /** The rows. They can be read until the view is closed. */
    public Snapshot snapshot() {
        if (snapshot == null) {
            snapshot = partition.snapshot();
        }
        return snapshot;
    }

    /** The value, or null when there is none. */
    public byte[] get(byte[] key) {
        return snapshot().get(key);
    }

    public PartitionState state() {
        if (state == null) {
            state = PartitionState.of(snapshot());
        }
        return state;
    }

    /** About how many items there are, without looking. */
    public long itemsRoughly() {
        return state == null ? partition.state().items() : state.items();
    }

    /** Every change up to here is seen, and none after it. Who has not looked may have seen as much as anybody else. */
    public long lsn() {
        return snapshot == null ? partition.lsnSeen() : state().lsn();
    }

    @Override
    public void close() {
        if (snapshot != null) {
            snapshot.close();
        }
    }
}
