package dev.orrery.engine.partition;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Snapshot;

/**
 * A unit that is made outside the lane, on a snapshot. Nothing of it is stored: the lane does the same again on the last
 * state, once it is sure that this comes to the same. Document numbers and etags that a draft gives out are final.
 */
public final class Draft implements Ground, AutoCloseable {
    /** Sets the sequences of drafts apart from those of units, which count from 0: an etag is made of both. */
    private static final int DRAFTED = 0x8000_0000;

    private final Partition partition;
    private final Lane lane;
    private final Snapshot snapshot;
    private WriteMemory.Hold memory;
    private long lookedAtMost;
    private final long lsn;
    private final Unit unit;

    Draft(Partition partition, Lane lane, Snapshot snapshot, long nowSecond) {
        this.memory = lane.memory().hold();
        this.partition = partition;
        this.lane = lane;
        this.snapshot = snapshot;
        var state = PartitionState.of(snapshot);
        this.lsn = state.lsn();
        this.unit = Unit.ofChange(this, lsn, nowSecond, state);
    }

    public Unit unit() {
        return unit;
    }

    /** What the draft rests on: everything up to here, and nothing after. */
    public long lsn() {
        return lsn;
    }

    /** The range as the snapshot shows it: the draft's own changes are not there, but nor is what it has removed. */
    public RangeView view() {
        return new RangeView(partition, new SnapshotWithout(snapshot, unit.removedDocuments()));
    }

    @Override
    public byte[] get(ByteKey key) {
        return snapshot.get(key.bytes());
    }

    @Override
    public long drawDocument() {
        return lane.drawDocument();
    }

    @Override
    public void passDocument(long count) {
        throw new IllegalStateException("what comes from elsewhere is no draft");
    }

    @Override
    public int sequence(int write) {
        return DRAFTED | lane.drawDraftedWrite();
    }

    /** What it takes to find the index entries of one version is free again before those of the next are found. */
    @Override
    public void takeMemory(long bytes) {
        if (bytes > lookedAtMost) {
            memory.take(bytes - lookedAtMost);
            lookedAtMost = bytes;
        }
    }

    /** Takes memory for a version that waits to be stored. */
    public void keepMemory(long bytes) {
        memory.take(bytes);
    }

    /** Leaves what it has taken to whoever stores it; it is given back when that is run. */
    public Runnable handMemoryOver() {
        var taken = memory;
        memory = lane.memory().hold();
        lookedAtMost = 0;
        return taken::close;
    }

    @Override
    public boolean isDraft() {
        return true;
    }

    @Override
    public boolean isSettledCopy() {
        return lane.isSettledCopy();
    }

    @Override
    public LogicalSizes sizes() {
        return lane.sizes();
    }

    @Override
    public boolean isChangedSince(long lsn, byte[] itemPrefix) {
        throw new IllegalStateException("only the lane knows");
    }

    @Override
    public void close() {
        memory.close();
        snapshot.close();
    }
}
