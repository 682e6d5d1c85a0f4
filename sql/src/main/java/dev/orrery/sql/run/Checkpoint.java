package dev.orrery.sql.run;

/** Asked at every tuple that a query looks at; throws when the query has had enough. */
@FunctionalInterface
public interface Checkpoint {
    void pass();

    /** Told roughly how many more bytes the query keeps in memory from now on; fewer when negative. */
    default void keep(long bytes) {}
}
