package dev.orrery.engine.partition;

import dev.orrery.engine.key.CopyState;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.store.Cached;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.Store;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** One physical partition that is open: reads go to its store, writes into its lane. */
public final class Partition implements AutoCloseable {
    /** One process owns the embedded store; owners with other epochs come with a distributed one. */
    static final long OWNER_EPOCH = 1;

    private final PartitionId id;
    private final PartitionStore store;
    private final Lane lane;
    private final LogReaders readers;
    private final Optional<Front> front;
    private volatile Epochs epochs;
    private volatile long completeFromLsn;
    private volatile boolean released;

    private Partition(
            PartitionId id,
            PartitionStore store,
            Lane lane,
            LogReaders readers,
            Optional<Front> front,
            Epochs epochs,
            long completeFromLsn) {
        this.id = id;
        this.front = front;
        this.readers = readers;
        this.store = store;
        this.lane = lane;
        this.epochs = epochs;
        this.completeFromLsn = completeFromLsn;
    }

    static Partition open(
            Store stores,
            PartitionId id,
            long nonce,
            Executor threads,
            InstantSource clock,
            WriteRight right,
            WriteMemory memory,
            LogicalSizes.Rule sizeRule,
            Supplier<OptionalInt> slot,
            Runnable committed) {
        var store = stores.open(id, OWNER_EPOCH);
        return of(
                id,
                store,
                new Lane(store, nonce, threads, clock, right, memory, sizeRule, slot, Optional.empty(), committed),
                Optional.empty());
    }

    /** What clients of this region write to, on top of the settled copy of the same range. */
    static Partition openFront(
            Store stores,
            PartitionId id,
            Partition settled,
            Writers writers,
            long nonce,
            Executor threads,
            InstantSource clock,
            WriteMemory memory,
            LogicalSizes.Rule sizeRule,
            Runnable committed) {
        var store = stores.open(id, OWNER_EPOCH);
        var front = Front.open(store, writers, settled);
        var slot = OptionalInt.of(writers.slot());
        return of(
                id,
                store,
                new Lane(
                        store,
                        nonce,
                        threads,
                        clock,
                        writers.right(),
                        memory,
                        sizeRule,
                        () -> slot,
                        Optional.of(front),
                        committed),
                Optional.of(front));
    }

    /** One whose lane is there already. */
    static Partition of(PartitionId id, PartitionStore store, Lane lane) {
        return of(id, store, lane, Optional.empty());
    }

    private static Partition of(PartitionId id, PartitionStore store, Lane lane, Optional<Front> front) {
        return new Partition(
                id,
                store,
                lane,
                new LogReaders(),
                front,
                Epochs.ofStored(store.get(Epochs.key())),
                CopyState.decode(store.get(CopyState.key())));
    }

    public PartitionId id() {
        return id;
    }

    /** What is true of it where clients of this region write to it, and several regions write; else empty. */
    public Optional<Front> front() {
        return front;
    }

    /** Up to which LSN the writes of a region are settled in this copy. */
    public long settledLsnOf(int slot) {
        return Frontier.decode(store.get(Frontier.key(slot))).lsn();
    }

    /** Up to where it was copied as a whole: of what came before, the log tells no deletes. */
    public long completeFromLsn() {
        return completeFromLsn;
    }

    /** For whom the log is kept longer than for everybody. */
    public LogReaders readers() {
        return readers;
    }

    public long lsn() {
        return lane.lsn();
    }

    /** Everything up to here may have been seen by whoever has read before he asks. */
    public long lsnSeen() {
        // A commit can be read a moment before its lane says so.
        return Math.max(
                lane.lsn(),
                PartitionState.ofStored(store.get(PartitionState.key())).lsn());
    }

    /** When other regions took over the writes of this range. */
    public Epochs epochs() {
        return epochs;
    }

    /** Begins another epoch, as the copy that takes the writes: behind all numbers that were drawn elsewhere. */
    public void begin(long epoch) {
        var changed = epochs.with(epoch, lane.lsn());
        lane.submitGiven(changed.all().getLast().restLsn(), lane.state().second(), unit -> {
                    unit.put(Epochs.key(), changed.encode());
                    unit.passCount(DocumentKey.beyond(lane.documentsDrawn()));
                    return null;
                })
                .join();
        epochs = changed;
    }

    /** Notes that another epoch has begun; done when that is durable. */
    public void enter(Epochs changed) {
        lane.submitAlone(unit -> {
                    unit.put(Epochs.key(), changed.encode());
                    return null;
                })
                .join();
        epochs = changed;
    }

    /** Whether it is a copy that is still being made: it holds what the range never held at one time. */
    public boolean isIncomplete() {
        return completeFromLsn > lane.lsn();
    }

    /** Notes up to where a copy must have come before anyone may read it. */
    public void beginCopy(long completeLsn) {
        lane.submitAlone(unit -> {
                    unit.put(CopyState.key(), CopyState.encode(completeLsn));
                    return null;
                })
                .join();
        completeFromLsn = completeLsn;
    }

    /** Notes up to where the log of the copy that this one is made from had lost all but the latest changes. */
    public void forget(long lsn, long second) {
        lane.submitAlone(unit -> {
                    unit.forget(lsn, second);
                    return null;
                })
                .join();
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

    /** What one request sees of the range. */
    public RangeView view() {
        return new RangeView(this);
    }

    /** About how much the entries of its indexes take in the store. */
    public long indexBytes() {
        return store.bytes(new KeyRange(KeySpace.INDEX.start(), KeySpace.INDEX.end()));
    }

    /** A unit to be made outside the lane, on what is committed now. */
    public Draft draft() {
        return new Draft(this, lane, store.snapshot(), lane.nowSecond());
    }

    /** Makes a change: it gets an LSN, and those who follow the range are told. */
    public <T> CompletableFuture<Lane.Done<T>> submit(Lane.Work<T> work) {
        return lane.submit(work);
    }

    /** Takes over what is settled; only where clients of this region write to it, and several regions write. */
    public <T> CompletableFuture<Lane.Done<T>> submitConfirmation(Lane.Work<T> work) {
        return lane.submitConfirmation(work);
    }

    /** Makes a change that has happened in another copy of the range, with the LSN and the second that it has there. */
    public <T> CompletableFuture<Lane.Done<T>> submitGiven(long lsn, long second, Lane.Work<T> work) {
        return lane.submitGiven(lsn, second, work);
    }

    /** Does what changes nothing a client could see; fails with {@link RangeBusy} while the range is being split. */
    public <T> CompletableFuture<Lane.Done<T>> submitUpkeep(Lane.Work<T> work) {
        return lane.submitUpkeep(work);
    }

    /** The same for a few rows at a time, also while the range is being split. */
    public <T> CompletableFuture<Lane.Done<T>> submitNote(Lane.Work<T> work) {
        return lane.submitNote(work);
    }

    Lane lane() {
        return lane;
    }

    /** Whether it can be given out: otherwise it has to be opened anew. */
    boolean isUsable() {
        return !released && !lane.isBroken();
    }

    /** Returns when all that was put in line is done; what comes later is sent to where the range is then. */
    void release() {
        released = true;
        try {
            lane.submitAlone(unit -> {
                        lane.retire();
                        return null;
                    })
                    .join();
        } catch (CompletionException _) {
            // It takes nothing any more as it is.
        }
        close();
    }

    @Override
    public void close() {
        store.close();
    }
}
