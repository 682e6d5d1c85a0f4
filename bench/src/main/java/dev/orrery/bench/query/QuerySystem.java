package dev.orrery.bench.query;

import java.util.Optional;

/** Something that holds the items and answers questions about them. */
interface QuerySystem extends AutoCloseable {
    String name();

    void load(int items) throws InterruptedException;

    /**
     * Asks once and reads the whole answer.
     *
     * @return how many rows came, or of a count the count; empty when the system does not know this kind of query
     */
    Optional<Long> ask(QueryCase question) throws InterruptedException;

    @Override
    void close();
}
