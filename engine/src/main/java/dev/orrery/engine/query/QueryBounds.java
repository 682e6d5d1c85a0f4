package dev.orrery.engine.query;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.sql.run.Checkpoint;
import java.util.function.LongSupplier;

/**
 * Ends a query that takes too long or too much memory, whatever it is doing. What it takes is taken from the memory that all
 * requests share, until it is closed.
 */
public final class QueryBounds implements Checkpoint, AutoCloseable {
    private static final int PASSES_PER_LOOK = 32;
    private static final long STEP_BYTES = 1024 * 1024;

    private final LongSupplier nanos;
    private final long endNanos;
    private final MemoryBudget memory;
    private final long bytesMax;
    private long bytes;
    private long taken;
    private int passed;

    private QueryBounds(LongSupplier nanos, MemoryBudget memory) {
        this.nanos = nanos;
        this.endNanos = nanos.getAsLong() + Limits.QUERY_MILLIS_MAX * 1_000_000L;
        this.memory = memory;
        this.bytesMax = Math.min(Limits.QUERY_MEMORY_BYTES_MAX, memory.bytesOfOneMax());
    }

    public static QueryBounds startingNow(LongSupplier nanos, MemoryBudget memory) {
        return new QueryBounds(nanos, memory);
    }

    @Override
    public void pass() {
        // Looking at a clock takes longer than looking at many an item.
        if (passed++ % PASSES_PER_LOOK == 0 && nanos.getAsLong() > endNanos) {
            throw new FailureException(new Failure.Timeout("The query took longer than "
                    + Limits.QUERY_MILLIS_MAX / 1_000 + " seconds. Narrow it down, for example by a partition key."));
        }
    }

    @Override
    public void work(long steps) {
        pass();
    }

    @Override
    public void keep(long more) {
        bytes += more;
        if (more > 0 && bytes > bytesMax) {
            throw new FailureException(new Failure.BadRequest("The query needs more than "
                    + bytesMax / (1024 * 1024)
                    + " MB of memory for the rows, groups and values that it makes."
                    + " Narrow it down, for example by a filter, TOP, fewer joins, or fewer properties in SELECT."));
        }
        long missing = bytes - Limits.MEMORY_QUERY_BYTES_FREE - taken;
        if (missing > 0) {
            long step = (missing + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
            memory.take(step);
            taken += step;
        }
    }

    @Override
    public void close() {
        memory.giveBack(taken);
        taken = 0;
    }
}
