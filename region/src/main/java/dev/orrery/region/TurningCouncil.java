package dev.orrery.region;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The council of an account whose regions come and go: it votes while the charter says so, and turns into one by hand, and
 * back, when the charter does.
 *
 * <p>Only the write region makes the turn to votes. It gives up its right to write before it tells the others, so none of them
 * can have voted for another one while it still writes by hand. The turn to a charter by hand is the last that the votes decide.
 */
public final class TurningCouncil implements Council {
    private final Kinds kinds;
    private final Consumer<Charter> keep;
    private final Executor executor;
    private final List<Consumer<Charter>> watchers = new CopyOnWriteArrayList<>();
    private volatile Council current;
    private volatile boolean isVoted;
    /** How often it has turned: what a council of before tells comes too late. */
    private final AtomicInteger turns = new AtomicInteger();

    private volatile boolean closed;

    /** The two kinds of councils. */
    public interface Kinds {
        /**
         * One whose members vote.
         *
         * @param isFounder whether the members of the charter begin the votes, or this one joins those who vote
         */
        Council byVotes(Charter charter, boolean isFounder);

        /** One that makes a charter durable before it is in force. */
        Council byHand(Charter charter);

        /** Forgets what was voted on before. */
        void forgetVotes();
    }

    /**
     * Opens the council as a charter says.
     *
     * @param keep makes a charter durable
     * @param executor runs a task at once, on a thread of its own
     */
    public TurningCouncil(Charter charter, boolean isFounder, Kinds kinds, Consumer<Charter> keep, Executor executor) {
        this.kinds = kinds;
        this.keep = keep;
        this.executor = executor;
        keep.accept(charter);
        open(charter, isFounder);
    }

    private void open(Charter charter, boolean isFounder) {
        isVoted = charter.isVoted();
        if (!isVoted) {
            kinds.forgetVotes();
        }
        int turn = turns.incrementAndGet();
        current = isVoted ? kinds.byVotes(charter, isFounder) : kinds.byHand(charter);
        current.watch(told -> heard(turn, told));
    }

    private void heard(int turn, Charter told) {
        if (turn != turns.get()) {
            return;
        }
        if (told.isVoted() == isVoted) {
            if (isVoted) {
                keep.accept(told); // A council by hand has kept it before it told of it.
            }
            watchers.forEach(watcher -> watcher.accept(told));
        } else {
            // Whoever tells of it cannot be closed by the thread that it tells it with.
            executor.execute(() -> turnFrom(turn, told));
        }
    }

    /** The votes have decided to end. */
    private synchronized void turnFrom(int turn, Charter told) {
        if (!closed && turn == turns.get()) {
            turn(told);
        }
    }

    private synchronized boolean turnToLater(Charter told) {
        if (closed || told.isVoted() == isVoted || !told.isLaterThan(current.charter())) {
            return false;
        }
        turn(told);
        return true;
    }

    private void turn(Charter told) {
        current.close();
        keep.accept(told);
        open(told, true);
        watchers.forEach(watcher -> watcher.accept(told));
    }

    @Override
    public Charter charter() {
        return current.charter();
    }

    @Override
    public CompletionStage<Charter> change(Charter next) {
        if (isVoted || !next.isVoted()) {
            return current.change(next);
        }
        return turnToLater(next)
                ? CompletableFuture.completedStage(next)
                : CompletableFuture.failedStage(new CharterChangedException("Charter " + next.version()
                        + " comes too late: " + charter().version() + " is in force."));
    }

    @Override
    public boolean adopt(Charter other) {
        if (!other.isLaterThan(charter())) {
            return false;
        }
        return other.isVoted() == isVoted ? current.adopt(other) : turnToLater(other);
    }

    @Override
    public void watch(Consumer<Charter> watcher) {
        watchers.add(watcher);
    }

    @Override
    public boolean isLeased() {
        return current.isLeased();
    }

    @Override
    public synchronized void close() {
        closed = true;
        current.close();
    }
}
