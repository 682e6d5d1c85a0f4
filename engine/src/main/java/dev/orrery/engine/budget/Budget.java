package dev.orrery.engine.budget;

import dev.orrery.engine.operation.Caller.Priority;
import dev.orrery.engine.operation.Caller.Spending;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.FailureException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The request units of one physical partition: who may use them now, and who has. */
public class Budget {
    /** For work that nobody pays for by itself. */
    public static final Budget FREE = new Budget(InstantSource.system()) {
        @Override
        public void spend(Spending spending, double requestUnits) {}
    };

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final InstantSource clock;
    private final RecentUse use = new RecentUse();
    private volatile Limits limits = Limits.NONE;
    private volatile long asOf = -1;

    /**
     * What a partition may use.
     *
     * @param throughput in all; absent where nothing is limited
     * @param buckets of that for those who name a bucket
     * @param defaultBucket for those who name none
     */
    record Limits(Optional<Limiter> throughput, Map<Integer, Limiter> buckets, Optional<Integer> defaultBucket) {
        static final Limits NONE = new Limits(Optional.empty(), Map.of(), Optional.empty());

        Limits {
            buckets = Map.copyOf(buckets);
        }

        Optional<Limiter> bucketOf(Spending spending) {
            return spending.bucket().or(() -> defaultBucket).map(buckets::get);
        }
    }

    Budget(InstantSource clock) {
        this.clock = clock;
    }

    boolean isAsOf(long version) {
        return asOf == version;
    }

    void limit(Limits changed, long version) {
        limits = changed;
        asOf = version;
    }

    /** Lets a request through, which has to be {@link #spend paid} when it is done; refuses it when it has to wait. */
    public void admit(Spending spending) {
        var now = limits;
        if (now.throughput().isEmpty()) {
            return;
        }
        var bucket = now.bucketOf(spending);
        if (bucket.isPresent()) {
            demandNow(
                    bucket.get().admit(Priority.HIGH),
                    Shortage.BUCKET,
                    "The throughput bucket of the request has used its share of the container's throughput.");
        }
        try {
            demandNow(
                    now.throughput().get().admit(spending.priority()),
                    Shortage.THROUGHPUT,
                    "The physical partition has used its throughput.");
        } catch (FailureException refused) {
            bucket.ifPresent(Limiter::release);
            throw refused;
        }
    }

    private static void demandNow(long waitNanos, Shortage shortage, String why) {
        if (waitNanos > 0) {
            long millis = Math.ceilDiv(waitNanos, NANOS_PER_MILLI);
            throw new FailureException(new Failure.Throttled(
                    shortage, why + " There is room for this request in " + millis + " ms.", millis));
        }
    }

    /** Takes back that a request was let through, because it is not carried out. */
    public void release(Spending spending) {
        var now = limits;
        now.throughput().ifPresent(Limiter::release);
        now.bucketOf(spending).ifPresent(Limiter::release);
    }

    /** Pays for a request that was let through. */
    public void spend(Spending spending, double requestUnits) {
        use.add(requestUnits, clock.instant().getEpochSecond());
        var now = limits;
        if (now.throughput().isPresent()) {
            now.throughput().get().spend(requestUnits);
            now.bucketOf(spending).ifPresent(bucket -> bucket.spend(requestUnits));
        }
    }

    /** The most that was used in one second of the last minute. */
    double peak() {
        return use.peak(clock.instant().getEpochSecond());
    }

    /** All that was used since the server started. */
    public double total() {
        return use.total();
    }
}
