package dev.orrery.engine.replica;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Outcome;
import java.util.concurrent.CompletionStage;

/** What has to be agreed with other copies before an answer may go. */
public interface Agreement {
    /**
     * Whether a read at a level that begins now can see all that it has to. To be known only when it ends would not do: what it has
     * read may be from a time at which others had gone on without this copy.
     */
    boolean isCurrent(ConsistencyLevel level);

    /**
     * Waits until an answer may be seen.
     *
     * @param wasCurrent whether this copy was current when it began
     * @param container the number of the container that it is about
     * @param isChange whether it was asked to change something
     * @param outcome its facts say how far the ranges had come that it was read from or written to
     */
    CompletionStage<Outcome> settle(
            ConsistencyLevel level, boolean wasCurrent, int container, boolean isChange, Outcome outcome);
}
