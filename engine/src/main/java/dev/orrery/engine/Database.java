package dev.orrery.engine;

import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import java.util.concurrent.CompletionStage;

/** The one door to the database. */
public interface Database extends AutoCloseable {

    /**
     * Carries out an operation. Never throws and never completes exceptionally for anything a client did: refusals are
     * outcomes. The stage completes on the thread that finished the work, so whoever continues it must be quick.
     */
    CompletionStage<Outcome> execute(Operation operation, Caller caller);

    /**
     * True when {@link #execute} would not make the calling thread wait or work long, so that an event loop may call it;
     * otherwise the caller should use a thread that may block.
     */
    boolean isPrompt(Operation operation);

    /**
     * Has somebody told of every commit after which reading these changes may give more, until what is returned is
     * closed. The watcher is called on the thread that commits, so it must be quick. Throws a refusal as {@link
     * dev.orrery.model.FailureException}, for the reasons that {@link #execute} would give.
     */
    Watch watch(Operation.ReadChanges changes, Caller caller, Runnable watcher);

    /** Somebody's being told. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    void close();
}
