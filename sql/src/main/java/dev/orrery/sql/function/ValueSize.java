package dev.orrery.sql.function;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.sql.memory.Workspace;

/** Keeps a short query from making a value that does not fit into memory, such as REPLACE of every letter by a novel. */
public final class ValueSize {
    /** What a text takes besides its characters, in a list that grows. */
    static final int TEXT_BYTES = 88;

    private static final int CHARACTER_BYTES = 2;

    private ValueSize() {}

    /** Refuses a text of so many characters, or an array of so many elements, before it is made. */
    public static void check(long size) {
        if (size > Limits.QUERY_VALUE_SIZE_MAX) {
            throw new FailureException(new Failure.BadRequest("An expression of the query makes a value larger than "
                    + Limits.QUERY_VALUE_SIZE_MAX + " characters or elements."));
        }
    }

    /** The same for a text that may be longer than all it is made from. */
    public static void check(long characters, Workspace workspace) {
        check(characters);
        // Once while it is put together, and once as it is.
        workspace.build(2 * CHARACTER_BYTES * characters);
    }
}
