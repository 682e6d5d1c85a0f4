package dev.orrery.bench.harness;

import java.time.Duration;
import java.util.Optional;

/** Something that takes items one at a time from several clients, each of which waits until its item is durable. */
public interface CreateSystem {
    String name();

    /** Makes the place for the items, with its index. */
    void prepareCreates();

    Creator openCreator();

    /** Processor time so far of all that belongs to the system; absent where nobody tells. */
    Optional<Duration> cpu();

    /** One client. */
    interface Creator extends AutoCloseable {
        void create(long number);

        @Override
        void close();
    }
}
