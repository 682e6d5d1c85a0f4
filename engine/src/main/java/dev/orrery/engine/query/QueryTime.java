package dev.orrery.engine.query;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.sql.run.Checkpoint;
import java.util.function.LongSupplier;

/** Ends a query that takes too long, whatever it is doing. */
public final class QueryTime implements Checkpoint {
    private final LongSupplier nanos;
    private final long endNanos;

    private QueryTime(LongSupplier nanos) {
        this.nanos = nanos;
        this.endNanos = nanos.getAsLong() + Limits.QUERY_MILLIS_MAX * 1_000_000L;
    }

    public static QueryTime startingNow(LongSupplier nanos) {
        return new QueryTime(nanos);
    }

    @Override
    public void pass() {
        if (nanos.getAsLong() > endNanos) {
            throw new FailureException(new Failure.Timeout("The query took longer than "
                    + Limits.QUERY_MILLIS_MAX / 1_000 + " seconds. Narrow it down, for example by a partition key."));
        }
    }
}
