package dev.orrery.sql.run;

/** Asked at every tuple that a query looks at; throws when the query has had enough. */
@FunctionalInterface
public interface Checkpoint {
    /** Lets everything pass. */
    Checkpoint NONE = () -> {};

    void pass();

    /** Told how many more bytes the query takes in memory from now on, or is about to; fewer when negative. */
    default void keep(long bytes) {}
}
