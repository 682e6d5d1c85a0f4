package dev.orrery.engine.partition;

import dev.orrery.engine.key.Confirmed;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.SessionToken;
import dev.orrery.model.SessionToken.Part;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * A range as clients of this region see it and write to it, where several regions write: what is settled, and on top of it
 * what was written here and is not settled yet. What it has come to is a vector: up to where it has taken over the settled
 * copy, and up to where it has the writes of each region.
 *
 * <p>What a session is told to have seen is raised before the commit that can be seen, and what may be shown to a session
 * after it, so that no session ever goes back.
 */
public final class Front {
    /** A version of session tokens holds an epoch and how many regions there have been: SDKs merge only equal sets. */
    private static final int REGIONS_PER_EPOCH = WriterSlot.COUNT;

    private final Writers writers;
    private final AtomicLong pending = new AtomicLong();
    private final long firstLsn;
    private final long firstCount;
    private volatile Epochs epochs;
    private volatile Confirmed reached;
    private volatile Confirmed promised;
    private volatile long lastWrite;
    private volatile Optional<Timed> timed = Optional.empty();

    /** A write, and when it was made. */
    private record Timed(long lsn, long sinceNanos) {}

    private Front(
            Writers writers,
            Epochs epochs,
            Confirmed reached,
            long lastWrite,
            long pending,
            long firstLsn,
            long firstCount) {
        this.epochs = epochs;
        this.writers = writers;
        this.reached = reached;
        this.promised = reached;
        this.lastWrite = lastWrite;
        this.pending.set(pending);
        this.firstLsn = firstLsn;
        this.firstCount = firstCount;
    }

    /**
     * Goes on where the store stands.
     *
     * @param settled the settled copy of the range
     */
    static Front open(PartitionStore store, Writers writers, Partition settled) {
        var stored = store.get(Confirmed.key());
        var reached = stored == null
                ? Confirmed.beginning(settled.lsn() <= PartitionState.EMPTY.lsn() && !settled.isIncomplete())
                : Confirmed.decode(stored);
        long count = 0;
        long lastWrite = reached.lsnOf(writers.slot());
        try (var snapshot = store.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(KeySpace.TENTATIVE.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                count++;
                lastWrite = Math.max(lastWrite, Tentative.place(cursor.key()).lsn());
            }
        }
        long known = settled.settledLsnOf(writers.slot());
        long first = known > 0 ? WriterSlot.beyond(known) : WriterSlot.firstLsn(writers.slot());
        // What has writes that are settled and yet is empty has lost them, and maybe more that nobody heard of.
        boolean isAnew = known > 0 && store.get(PartitionState.key()) == null;
        long firstCount = isAnew ? DocumentKey.beyond(settled.state().documents()) : 0;
        return new Front(writers, settled.epochs(), reached, lastWrite, count, first, firstCount);
    }

    public int slot() {
        return writers.slot();
    }

    WriteRight right() {
        return writers.right();
    }

    /** The LSN behind which a range begins that has none yet. */
    long firstLsn() {
        return firstLsn;
    }

    /** The count behind which the document numbers of a range begin that has none yet. */
    long firstCount() {
        return firstCount;
    }

    /** What of the settled copy is there for certain. */
    public Confirmed reached() {
        return reached;
    }

    /** Tells whoever reads from now on that he may have seen more of the settled copy. */
    public void promise(Confirmed more, Epochs known) {
        epochs = known;
        promised = more;
    }

    /** The last LSN of an epoch of the settled copy that was not lost when the next one began. */
    public long lastLsnOf(long epoch) {
        return epochs.lastLsnOf(epoch);
    }

    /** Notes that more of the settled copy is there. */
    public void reach(Confirmed more) {
        reached = more;
    }

    /** Tells whoever reads from now on that he may have seen a write of this region. */
    void promiseWrite(long lsn) {
        lastWrite = Math.max(lastWrite, lsn);
        if (timed.isEmpty()) {
            timed = Optional.of(new Timed(lsn, writers.nanos().getAsLong()));
        }
    }

    /**
     * How long ago the write was made that is timed, which is one at a time, if it is among those up to an LSN that have become
     * what is settled.
     */
    public OptionalLong nanosUntilSettled(long lsn) {
        var write = timed.filter(one -> one.lsn() <= lsn);
        if (write.isEmpty()) {
            return OptionalLong.empty();
        }
        timed = Optional.empty();
        return OptionalLong.of(writers.nanos().getAsLong() - write.get().sinceNanos());
    }

    /** How many writes are kept because they are not settled yet, or not known to enough regions. */
    public long pending() {
        return pending.get();
    }

    void addPending(long writes) {
        pending.addAndGet(writes);
    }

    /** Notes that writes are not kept any more. */
    public void release(long writes) {
        pending.addAndGet(-writes);
    }

    /** Slows down who writes faster than it can be settled, or while it cannot be settled at all. */
    void demandRoom() {
        if (pending.get() >= Limits.TENTATIVE_WRITES_MAX) {
            throw new FailureException(new Failure.Throttled(
                    Failure.Shortage.THROUGHPUT,
                    "This region has " + pending.get()
                            + " writes in this range that wait to be settled, which is as many"
                            + " as it keeps. Try again a little later, or write to another region.",
                    Limits.TENTATIVE_RETRY_MILLIS));
        }
    }

    /** The session token of whoever reads now, or whose write was just answered. */
    public String token(int range) {
        var known = promised;
        var regions = writers.regions().get();
        var lsns = new TreeMap<Integer, Long>();
        for (int number = 0; number < regions.count(); number++) {
            int slot = WriterSlot.of(number);
            lsns.put(number, slot == writers.slot() ? lastWrite : known.lsnOf(slot));
        }
        long version = Math.max(0, known.epoch()) * REGIONS_PER_EPOCH + regions.count();
        return new Part(Integer.toString(range), version, known.lsn(), lsns).toString();
    }

    /**
     * Refuses a session that has seen what is not here yet.
     *
     * @param lsn of the range here
     * @param lastLsns the last LSN of an epoch that was not lost when the next one began
     */
    public void demand(SessionToken session, int range, List<Integer> ancestors, long lsn, LongUnaryOperator lastLsns) {
        var here = reached;
        var present = writers.regions().get().slots();
        for (var part : session.partsOf(range, ancestors)) {
            long settled = Math.min(part.lsn(), lastLsns.applyAsLong(part.version() / REGIONS_PER_EPOCH));
            boolean behind = settled > here.lsn();
            for (var region : part.regionLsns().entrySet()) {
                int slot = WriterSlot.of(region.getKey());
                long known = slot == writers.slot() ? Math.max(lsn, lastWrite) : here.lsnOf(slot);
                // Of a region that was removed nothing can come any more.
                behind |= region.getValue() > known && present.contains(slot);
            }
            if (behind) {
                throw new FailureException(new Failure.SessionNotAvailable("The session has seen " + part
                        + ", which has not all come to this region yet: it is at " + token(range) + "."));
            }
        }
    }

    /** Refuses readers while it is being built. */
    public void demandComplete(String range) {
        if (!reached.isComplete()) {
            throw new FailureException(
                    new Failure.SessionNotAvailable("This region is still taking over what is in range " + range
                            + "; another region can be asked meanwhile."));
        }
    }

    /** Refuses a place in the change feed that another region has given: it counts changes in another order. */
    public void demandOwnPlace(long lsn) {
        if (lsn > 0 && WriterSlot.ofLsn(lsn) != writers.slot()) {
            throw new FailureException(new Failure.SessionNotAvailable("The place to go on from, " + lsn
                    + ", was given by another region, which has the changes in another order. Go on there, or begin"
                    + " anew in this one."));
        }
    }
}
