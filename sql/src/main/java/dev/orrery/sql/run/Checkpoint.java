package dev.orrery.sql.run;

/** Asked at every tuple that a query looks at; throws when the query has had enough time. */
@FunctionalInterface
public interface Checkpoint {
    void pass();
}
