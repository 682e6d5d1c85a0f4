package dev.orrery.engine.replica;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Outcome;
import java.util.concurrent.CompletionStage;

/** What has to be agreed with other copies before an answer may go. */
public interface Agreement {
    /**
     * Waits until an answer may be seen.
     *
     * @param container the number of the container that it is about
     * @param isChange whether it was asked to change something
     * @param outcome its facts say how far the ranges had come that it was read from or written to
     */
    CompletionStage<Outcome> settle(ConsistencyLevel level, int container, boolean isChange, Outcome outcome);
}
