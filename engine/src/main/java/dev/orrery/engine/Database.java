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

    @Override
    void close();
}
