package dev.orrery.sql.run;

/** Asked at every tuple that a query looks at; throws when the query has had enough. */
@FunctionalInterface
public interface Checkpoint {
    /** Lets everything pass. */
    Checkpoint NONE = () -> {};

    void pass();

    /** Told how many more bytes the query takes in memory from now on, or is about to; fewer when negative. */
    default void keep(long bytes) {}

    /**
     * Told of work besides tuples, in steps that each take about as long as looking at a few characters; throws when the
     * query has had enough.
     */
    default void work(long steps) {}

    /** Whether it is to be told of all work, and of sizes that do not depend on what has been looked into before. */
    default boolean countsSteps() {
        return false;
    }
}
