package dev.orrery.engine.query;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.sql.run.Checkpoint;
import java.util.function.LongSupplier;

/** Ends a query that takes too long or too much memory, whatever it is doing. */
public final class QueryBounds implements Checkpoint {
    private static final int PASSES_PER_LOOK = 32;

    private final LongSupplier nanos;
    private final long endNanos;
    private long bytes;
    private int passed;

    private QueryBounds(LongSupplier nanos) {
        this.nanos = nanos;
        this.endNanos = nanos.getAsLong() + Limits.QUERY_MILLIS_MAX * 1_000_000L;
    }

    public static QueryBounds startingNow(LongSupplier nanos) {
        return new QueryBounds(nanos);
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
    public void keep(long more) {
        bytes += more;
        if (more > 0 && bytes > Limits.QUERY_MEMORY_BYTES_MAX) {
            throw new FailureException(new Failure.BadRequest("The query needs more than "
                    + Limits.QUERY_MEMORY_BYTES_MAX / (1024 * 1024)
                    + " MB of memory for the rows, groups and values that it makes."
                    + " Narrow it down, for example by a filter, TOP, fewer joins, or fewer properties in SELECT."));
        }
    }
}
