package dev.orrery.engine.partition;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.StoreException;
import dev.orrery.store.WritesStoppedException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a range. Work waits in line and runs piece by piece against the last state; whatever waited while a
 * commit was on its way goes down together in the next one. No answer leaves before its commit is durable.
 *
 * <p>A lane takes a thread only while it has work.
 */
public final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private static final String IN_DOUBT =
            "The write could not be made durable; it may or may not have taken effect. Read before you repeat it. ";

    private static final String STARVED =
            "The server has run out of memory. The write has had no effect; try it again later.";

    /** One piece of work, run against the last state; it refuses by throwing a {@link FailureException}. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Unit unit);
    }

    /** The result of a piece of work, and the LSN from which on everyone can see it. */
    public record Done<T>(T result, long lsn) {}

    private sealed interface Manner {
        /** Gets an LSN if it changes anything. */
        record Change() implements Manner {}

        /** A change that takes over what is settled among several regions that write. */
        record Confirmation() implements Manner {}

        /** Has got an LSN and a second elsewhere. */
        record Given(long lsn, long second) implements Manner {}

        /** Never gets an LSN. */
        record Upkeep() implements Manner {}

        /** Upkeep that goes on while the range is being split. */
        record Note() implements Manner {}

        /** Upkeep with nothing pending while it runs. */
        record Alone() implements Manner {}
    }

    private record Waiting<T>(Work<T> work, Manner manner, CompletableFuture<Done<T>> promise) {
        boolean alone() {
            return manner instanceof Manner.Alone;
        }
    }

    /** Work that has run and waits for its commit: either {@code done} or {@code refusal} is set. */
    private record Settled<T>(CompletableFuture<Done<T>> promise, Done<T> done, Throwable refusal) {
        void tell() {
            if (refusal == null) {
                promise.complete(done);
            } else {
                promise.completeExceptionally(refusal);
            }
        }
    }

    private final PartitionStore store;
    private final Executor threads;
    private final InstantSource clock;
    private final Runnable committed;
    private final WriteRight right;
    private final WriteMemory memory;
    private final LogicalSizes sizes;
    private final long nonce;
    private final DocumentCount documents;
    private final Optional<Front> front;
    private final AtomicInteger draftedWrites = new AtomicInteger();
    private final Queue<Waiting<?>> line = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private volatile boolean retired;
    private volatile boolean broken;
    private volatile FailureException refusal;
    private volatile PartitionState state;
    // Only the thread that drains the line touches these.
    private final Set<ByteKey> lasting = new HashSet<>();
    private Optional<Set<ByteKey>> notes = Optional.empty();
    private long position;
    private long commits;

    /**
     * Goes on where the store stands.
     *
     * @param nonce a number that no other opening of this partition used, for the ids of commits
     * @param committed is told of each change; must be quick
     */
    Lane(
            PartitionStore store,
            long nonce,
            Executor threads,
            InstantSource clock,
            WriteRight right,
            WriteMemory memory,
            Runnable committed) {
        this(
                store,
                nonce,
                threads,
                clock,
                right,
                memory,
                LogicalSizes.Rule.NONE,
                OptionalInt::empty,
                Optional.empty(),
                committed);
    }

    /**
     * The same, where logical partitions may become only so large, and several regions may write.
     *
     * @param slot whose document numbers are drawn; none where only one region draws them
     * @param front what clients of this region write to, if this is it
     */
    Lane(
            PartitionStore store,
            long nonce,
            Executor threads,
            InstantSource clock,
            WriteRight right,
            WriteMemory memory,
            LogicalSizes.Rule sizeRule,
            Supplier<OptionalInt> slot,
            Optional<Front> front,
            Runnable committed) {
        this.store = store;
        this.front = front;
        this.right = right;
        this.memory = memory;
        this.sizes = new LogicalSizes(sizeRule, store);
        this.threads = threads;
        this.clock = clock;
        this.nonce = nonce;
        this.committed = committed;
        this.position = store.lsn();
        this.state = PartitionState.ofStored(store.get(PartitionState.key()));
        this.documents = new DocumentCount(
                Math.max(state.documents(), front.map(Front::firstCount).orElse(0L)), slot);
    }

    WriteMemory memory() {
        return memory;
    }

    LogicalSizes sizes() {
        return sizes;
    }

    /** Everything up to here is committed and can be read. */
    public long lsn() {
        return state.lsn();
    }

    /** What the partition holds as of the last commit. */
    PartitionState state() {
        return state;
    }

    /** A count for a document number; drafts draw theirs while the lane goes on. */
    long drawDocument() {
        return documents.draw();
    }

    /** Whether this is what several regions that write have in common. */
    boolean isSettledCopy() {
        return documents.isOfSettledCopy();
    }

    /** A number that no other write of a draft had since the partition was opened. */
    int drawDraftedWrite() {
        return draftedWrites.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** The time of a change that is made now: never earlier than that of the last one. */
    long nowSecond() {
        return Math.max(clock.instant().getEpochSecond(), state.second());
    }

    /** Puts a change in line; the promise is kept when its commit is durable. */
    <T> CompletableFuture<Done<T>> submit(Work<T> work) {
        return submit(work, new Manner.Change());
    }

    /** Puts a change in line that takes over what is settled. */
    <T> CompletableFuture<Done<T>> submitConfirmation(Work<T> work) {
        return submit(work, new Manner.Confirmation());
    }

    /** Puts a change in line that has happened in another copy of the range, with its LSN and its second. */
    <T> CompletableFuture<Done<T>> submitGiven(long lsn, long second, Work<T> work) {
        return submit(work, new Manner.Given(lsn, second));
    }

    /**
     * Puts work in line that changes nothing a client could see, and so gets no LSN. It fails with {@link RangeBusy} while
     * the range is being split: the log says nothing of it.
     */
    <T> CompletableFuture<Done<T>> submitUpkeep(Work<T> work) {
        return submit(work, new Manner.Upkeep());
    }

    /** Like {@link #submitUpkeep}, for a few rows at a time, which a split keeps in mind one by one. */
    <T> CompletableFuture<Done<T>> submitNote(Work<T> work) {
        return submit(work, new Manner.Note());
    }

    /** Like {@link #submitUpkeep}, but nothing is pending while it runs: everything before it is committed. */
    <T> CompletableFuture<Done<T>> submitAlone(Work<T> work) {
        return submit(work, new Manner.Alone());
    }

    private <T> CompletableFuture<Done<T>> submit(Work<T> work, Manner manner) {
        var promise = new CompletableFuture<Done<T>>();
        line.add(new Waiting<>(work, manner, promise));
        if (waitingCount.getAndIncrement() == 0) {
            threads.execute(this::drain);
        }
        return promise;
    }

    /** From the piece of work that calls this on, everything is sent away: other ranges have taken over. */
    void retire() {
        retired = true;
    }

    /** From the piece of work that calls this on, everything is sent away to find out anew where it belongs. */
    void distrust() {
        broken = true;
    }

    /** A broken lane sends nothing away any more, for the partition cannot be opened anew at present. */
    void refuse(String reason) {
        refusal = unavailable(reason);
    }

    /** From now on only changes and notes are made, and the keys of notes are kept. Only for work that is alone. */
    void beginSplit() {
        notes = Optional.of(new HashSet<>());
    }

    /** The keys of the notes since the split began, or since this was asked last. Only for work that is alone. */
    Set<ByteKey> takeNotes() {
        var taken = notes.orElseThrow();
        notes = Optional.of(new HashSet<>());
        return taken;
    }

    /** The split has failed. Only for work that is alone. */
    void endSplit() {
        notes = Optional.empty();
    }

    /** The last count that was drawn for a document number, stored or not. */
    long documentsDrawn() {
        return documents.last();
    }

    /** True after a commit whose fate is not known: only opening the partition anew tells where it stands. */
    boolean isBroken() {
        return broken;
    }

    private void drain() {
        int taken;
        do {
            taken = runGroup();
        } while (waitingCount.addAndGet(-taken) > 0);
    }

    private int refuseAll() {
        int refused = 0;
        for (var next = line.poll(); next != null; next = line.poll()) {
            next.promise().completeExceptionally(unavailable(STARVED));
            refused++;
        }
        return refused;
    }

    /** Runs what waits, up to the size of a group, and commits it; tells how many pieces it was. */
    private int runGroup() {
        var settled = new ArrayList<Settled<?>>();
        RuntimeException failure;
        try (var hold = memory.hold()) {
            var group = new Group(
                    store,
                    documents,
                    lasting,
                    hold,
                    sizes,
                    state,
                    front.map(Front::firstLsn).orElse(0L),
                    clock.instant().getEpochSecond());
            while (settled.size() < Limits.GROUP_UNITS_MAX && group.bytes() < Limits.GROUP_BYTES_MAX) {
                var next = line.peek();
                if (next == null || (next.alone() && !settled.isEmpty())) {
                    break;
                }
                settled.add(run(next, group));
                line.remove();
                if (next.alone()) {
                    break;
                }
            }
            failure = commit(group);
        } catch (Error starved) { // Memory has ended, and nothing is committed. Those who wait must hear of it.
            LOG.error("A lane ran out of memory; its partition will be opened anew", starved);
            broken = true;
            answer(settled, unavailable(STARVED));
            return settled.size() + refuseAll();
        }
        if (waitingCount.get() > settled.size()) {
            answerElsewhere(settled, failure);
        } else {
            answer(settled, failure);
        }
        return settled.size();
    }

    /** Answering takes time, which those who wait already would have to wait as well. */
    private void answerElsewhere(List<Settled<?>> settled, RuntimeException failure) {
        try {
            threads.execute(() -> answer(settled, failure));
        } catch (RejectedExecutionException | Error ending) { // An Error: there is no memory for another thread.
            answer(settled, failure);
        }
    }

    private static void answer(List<Settled<?>> settled, RuntimeException failure) {
        for (var one : settled) {
            if (failure == null) {
                one.tell();
            } else {
                one.promise().completeExceptionally(failure);
            }
        }
    }

    private <T> Settled<T> run(Waiting<T> waiting, Group group) {
        if (broken && refusal != null) {
            return new Settled<>(waiting.promise(), null, refusal);
        }
        if (retired || broken) {
            return new Settled<>(waiting.promise(), null, new RangeMoved());
        }
        try {
            var unit = begin(waiting.manner(), group);
            var result = waiting.work().run(unit);
            group.accept(unit);
            if (waiting.manner() instanceof Manner.Note) {
                notes.ifPresent(unit::addKeysTo);
            }
            return new Settled<>(
                    waiting.promise(), new Done<>(result, group.state().lsn()), null);
        } catch (Throwable refusal) { // Whatever it is, even an Error: those who wait behind it must get their turn.
            // A refusal waits for the commit as well: it may rest on a change that is only pending.
            return new Settled<>(waiting.promise(), null, refusal);
        }
    }

    private Unit begin(Manner manner, Group group) {
        return switch (manner) {
            case Manner.Change _ -> {
                right.demand();
                if (front.isEmpty()) {
                    yield group.beginChange();
                }
                front.get().demandRoom();
                yield group.beginTentativeChange();
            }
            case Manner.Confirmation _ -> group.beginConfirmation();
            case Manner.Given(long lsn, long second) -> group.beginGivenChange(lsn, second);
            case Manner.Upkeep _ -> {
                if (notes.isPresent()) {
                    throw new RangeBusy();
                }
                yield group.beginUpkeep();
            }
            case Manner.Note _ -> {
                if (notes.isPresent() && notes.get().size() >= Limits.SPLIT_NOTES_MAX) {
                    throw new RangeBusy();
                }
                yield group.beginUpkeep();
            }
            case Manner.Alone _ -> group.beginUpkeep();
        };
    }

    /** Makes the group durable; what went wrong is returned rather than thrown, because every waiter must hear it. */
    private RuntimeException commit(Group group) {
        if (group.isTorn()) {
            broken = true;
            return unavailable(STARVED);
        }
        if (group.isEmpty()) {
            return null;
        }
        try {
            if (group.tentativeWrites() > 0) {
                front.orElseThrow().promiseWrite(group.lastTentativeLsn());
            }
            var id = new CommitId(nonce, ++commits);
            var result = store.commit(new Commit(id, position, position + 1, group.mutations()));
            if (result == CommitResult.UNKNOWN) {
                result = store.resolve(id).orElse(false) ? CommitResult.COMMITTED : CommitResult.UNKNOWN;
            }
            if (result == CommitResult.COMMITTED) {
                boolean changed = group.state().lsn() > state.lsn();
                position++;
                state = group.state();
                sizes.committed(state);
                if (group.tentativeWrites() > 0) {
                    front.orElseThrow().addPending(group.tentativeWrites());
                }
                if (changed) {
                    committed.run();
                }
                return null;
            }
            broken = true;
            return result == CommitResult.FENCED ? new RangeMoved() : unavailable(IN_DOUBT);
        } catch (WritesStoppedException stopped) {
            return unavailable(stopped.getMessage() + ".");
        } catch (RuntimeException | Error failure) { // An Error as well: nobody may wait for ever.
            broken = true;
            LOG.error("A commit failed; its partition will be opened anew", failure);
            return unavailable(failure instanceof StoreException ? IN_DOUBT + failure.getMessage() + "." : IN_DOUBT);
        }
    }

    private static FailureException unavailable(String message) {
        return new FailureException(new Failure.Unavailable(message));
    }
}
