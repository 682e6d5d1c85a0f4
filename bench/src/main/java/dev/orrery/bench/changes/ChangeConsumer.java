package dev.orrery.bench.changes;

/** Takes what changes in a container from the moment on at which it was made. */
public interface ChangeConsumer extends AutoCloseable {
    /** Takes changes on a thread of its own until it is closed. */
    void start(Deliveries deliveries);

    /** Fails when anything went wrong meanwhile. */
    @Override
    void close();
}
