package dev.orrery.sql.run;

import java.util.Optional;

/**
 * Where a run begins, and how far it goes.
 *
 * @param position how far the runs before it have come
 * @param after the row behind which a run that sorts begins; without it, at the first one
 * @param rowsMax how many rows are wanted, those that OFFSET skips not counted
 * @param presorted whether items come in the order that the query asks for, so that their rows need no sorting
 */
public record RunStart(Position position, Optional<SortPosition> after, long rowsMax, boolean presorted) {
    public static final RunStart FIRST = new RunStart(Position.START, Optional.empty(), Long.MAX_VALUE, false);
}
