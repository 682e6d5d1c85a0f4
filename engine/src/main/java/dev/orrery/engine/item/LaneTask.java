package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.partition.Lane;
import dev.orrery.engine.partition.Unit;
import java.util.Optional;

/** What a request does in the lane of its range, and what it answers. */
interface LaneTask<T> {
    /**
     * Makes the changes; may be called again when the range has moved meanwhile.
     *
     * @param current the container as it is when the turn has come
     */
    T run(Unit unit, Container current);

    /** The answer once they are durable. */
    Outcome answer(Route route, Lane.Done<T> done);

    /** The answer to a problem of the task's own kind; empty for any other. */
    default Optional<Outcome> explain(Route route, Throwable problem) {
        return Optional.empty();
    }
}
