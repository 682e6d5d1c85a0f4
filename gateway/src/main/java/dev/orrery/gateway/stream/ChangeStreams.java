package dev.orrery.gateway.stream;

import dev.orrery.engine.Database;
import dev.orrery.engine.operation.Caller;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Opens streams of changes, up to a limit at the same time. */
public final class ChangeStreams {
    /** Runs something later, on a thread that must not be kept. */
    @FunctionalInterface
    public interface Timer {
        void after(long millis, Runnable task);
    }

    private final Database database;
    private final Executor workers;
    private final Timer timer;
    private final LongSupplier nanoTime;
    private final MemoryBudget memory;
    private final AtomicInteger open = new AtomicInteger();

    /** @param memory what pieces are counted against until clients have taken them */
    public ChangeStreams(Database database, Executor workers, Timer timer, LongSupplier nanoTime, MemoryBudget memory) {
        this.database = database;
        this.workers = workers;
        this.timer = timer;
        this.nanoTime = nanoTime;
        this.memory = memory;
    }

    /**
     * Opens a stream that has read nothing yet; whoever opens it closes it.
     *
     * @param errorText what a client is sent of a refusal: JSON on one line
     */
    public ChangeStream open(StreamWanted wanted, Caller caller, Function<Failure, byte[]> errorText) {
        if (open.incrementAndGet() > Limits.CHANGE_STREAMS_MAX) {
            open.decrementAndGet();
            throw new FailureException(new Failure.Unavailable("The server sends changes to "
                    + Limits.CHANGE_STREAMS_MAX + " clients already, and to no more at the same time."));
        }
        var terms = wanted.containerRid().map(caller::meaning).orElse(caller);
        var stream = new ChangeStream(this, wanted, terms, errorText);
        try {
            stream.watch();
            return stream;
        } catch (RuntimeException refusal) {
            stream.close();
            throw refusal;
        }
    }

    void closed() {
        open.decrementAndGet();
    }

    Database database() {
        return database;
    }

    Executor workers() {
        return workers;
    }

    Timer timer() {
        return timer;
    }

    MemoryBudget memory() {
        return memory;
    }

    long nanos() {
        return nanoTime.getAsLong();
    }
}
