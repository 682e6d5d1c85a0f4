package dev.orrery.engine.partition;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Cached;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** One physical partition that is open: reads go to its store, writes into its lane. */
public final class Partition implements AutoCloseable {
    /** One process owns the embedded store; owners with other epochs come with a distributed one. */
    static final long OWNER_EPOCH = 1;

    private final PartitionId id;
    private final PartitionStore store;
    private final Lane lane;

    private Partition(PartitionId id, PartitionStore store, Lane lane) {
        this.id = id;
        this.store = store;
        this.lane = lane;
    }

    static Partition open(
            Store stores, PartitionId id, long nonce, Executor threads, InstantSource clock, Runnable committed) {
        var store = stores.open(id, OWNER_EPOCH);
        return new Partition(id, store, new Lane(store, nonce, threads, clock, committed));
    }

    public PartitionId id() {
        return id;
    }

    public long lsn() {
        return lane.lsn();
    }

    public PartitionState state() {
        return lane.state();
    }

    /** The last committed value or null; may wait for a disk. */
    public byte[] get(byte[] key) {
        return store.get(key);
    }

    /** What memory knows of a key; never waits. */
    public Cached tryGet(byte[] key) {
        return store.tryGet(key);
    }

    public Snapshot snapshot() {
        return store.snapshot();
    }

    /** A unit to be made outside the lane, on what is committed now. */
    public Draft draft() {
        return new Draft(this, lane, store.snapshot(), lane.nowSecond());
    }

    Partition readFrom(PartitionStore other) {
        return new Partition(id, other, lane);
    }

    /** Makes a change: it gets an LSN, and those who follow the range are told. */
    public <T> CompletableFuture<Lane.Done<T>> submit(Lane.Work<T> work) {
        return lane.submit(work);
    }

    /** Makes a change that has happened in another copy of the range, with the LSN and the second that it has there. */
    public <T> CompletableFuture<Lane.Done<T>> submitGiven(long lsn, long second, Lane.Work<T> work) {
        return lane.submitGiven(lsn, second, work);
    }

    /** Does what changes nothing a client could see. */
    public <T> CompletableFuture<Lane.Done<T>> submitUpkeep(Lane.Work<T> work) {
        return lane.submitUpkeep(work);
    }

    Lane lane() {
        return lane;
    }

    boolean isBroken() {
        return lane.isBroken();
    }

    @Override
    public void close() {
        store.close();
    }
}
