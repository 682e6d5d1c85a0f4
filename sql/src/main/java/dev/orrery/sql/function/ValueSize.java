package dev.orrery.sql.function;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;

/** Keeps a short query from making a value that does not fit into memory, such as REPLACE of every letter by a novel. */
public final class ValueSize {
    private ValueSize() {}

    /** Refuses a text of so many characters, or an array of so many elements, before it is made. */
    public static void check(long size) {
        if (size > Limits.QUERY_VALUE_SIZE_MAX) {
            throw new FailureException(new Failure.BadRequest("An expression of the query makes a value larger than "
                    + Limits.QUERY_VALUE_SIZE_MAX + " characters or elements."));
        }
    }
}
