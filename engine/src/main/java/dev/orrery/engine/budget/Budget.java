package dev.orrery.engine.budget;

import dev.orrery.engine.operation.Caller.Priority;
import dev.orrery.engine.operation.Caller.Spending;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.FailureException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The request units of one physical partition: who may use them now, and who has. */
public class Budget {
    /** For work that nobody pays for by itself. */
    public static final Budget FREE = new Budget(InstantSource.fixed(Instant.EPOCH)) {
        @Override
        void use(double requestUnits) {}
    };

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final InstantSource clock;
    private final RecentUse use = new RecentUse();
    private final Admission unlimited = new Admission(List.of());
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

    /** A request that was let through: to be paid when it is done, or given back when nothing comes of it. */
    public final class Admission {
        private final List<Limiter> limiters;

        private Admission(List<Limiter> limiters) {
            this.limiters = List.copyOf(limiters);
        }

        public void spend(double requestUnits) {
            use(requestUnits);
            limiters.forEach(limiter -> limiter.spend(requestUnits));
        }

        public void release() {
            limiters.forEach(Limiter::release);
        }
    }

    /** Carries out a request, unless it has to wait, and has it paid when it is done. */
    public CompletionStage<Outcome> run(Spending spending, Supplier<CompletionStage<Outcome>> request) {
        var admission = admit(spending);
        try {
            return request.get().whenComplete((outcome, failure) -> {
                if (failure == null) {
                    admission.spend(outcome.charge());
                } else {
                    admission.release();
                }
            });
        } catch (RuntimeException | Error failed) {
            admission.release();
            throw failed;
        }
    }

    /** Lets a request through, or refuses it when it has to wait. */
    public Admission admit(Spending spending) {
        var now = limits;
        if (now.throughput().isEmpty()) {
            return unlimited;
        }
        var throughput = now.throughput().get();
        var bucket = now.bucketOf(spending);
        if (bucket.isPresent()) {
            demandNow(
                    bucket.get().admit(Priority.HIGH),
                    Shortage.BUCKET,
                    "The throughput bucket of the request has used its share of the container's throughput.");
        }
        try {
            demandNow(
                    throughput.admit(spending.priority()),
                    Shortage.THROUGHPUT,
                    "The physical partition has used its throughput.");
        } catch (FailureException refused) {
            bucket.ifPresent(Limiter::release);
            throw refused;
        }
        return new Admission(bucket.map(share -> List.of(throughput, share)).orElseGet(() -> List.of(throughput)));
    }

    private static void demandNow(long waitNanos, Shortage shortage, String why) {
        if (waitNanos > 0) {
            long millis = Math.ceilDiv(waitNanos, NANOS_PER_MILLI);
            throw new FailureException(new Failure.Throttled(
                    shortage, why + " There is room for this request in " + millis + " ms.", millis));
        }
    }

    void use(double requestUnits) {
        use.add(requestUnits, clock.instant().getEpochSecond());
    }

    /** What was used until now. */
    public Usage usage() {
        return use.usage(clock.instant().getEpochSecond());
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
