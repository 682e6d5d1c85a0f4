package dev.orrery.sql.run;

/**
 * How far a streaming query has come: together with the item that was added last, all that is needed to go on later.
 *
 * @param rows how many rows have come out so far, those that OFFSET has skipped included
 * @param rowsOfItem how many of them came from the item that was added last
 */
public record Position(long rows, long rowsOfItem) {
    public static final Position START = new Position(0, 0);
}
