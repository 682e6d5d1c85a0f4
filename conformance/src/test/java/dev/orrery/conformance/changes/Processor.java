package dev.orrery.conformance.changes;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.ChangeFeedProcessorState;
import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.changes.Delivery.Write;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One host of the Java SDK's change feed processor, which adds all that it is given to a delivery. */
public final class Processor implements AutoCloseable {
    /** How the SDK divides the work, and what it hands out. */
    public enum Manner {
        /** A lease for each range, by its name. */
        RANGE_LEASES,
        /** A lease for each range, by its bounds. */
        BOUNDS_LEASES,
        /** Leases by bounds, for all versions and deletes. */
        ALL_VERSIONS
    }

    /**
     * How soon a host that says nothing any more loses its leases. The renewal of a lease that meets a checkpoint may put
     * the place before it back: the SDK repeats the renewal with the lease as it was. All since then comes again, and
     * the lag is too large until the next change; so where it matters, nothing is renewed while a test runs.
     */
    public enum Pace {
        CALM(Duration.ofMinutes(5), Duration.ofMinutes(10)),
        /** As calm, and takes what a host before it has not handed back: a checkpoint may stop the SDK from doing so. */
        HEIR(Duration.ofSeconds(100), Duration.ofSeconds(120)),
        BRISK(Duration.ofSeconds(2), Duration.ofSeconds(6));

        private final Duration renewal;
        private final Duration expiration;

        Pace(Duration renewal, Duration expiration) {
            this.renewal = renewal;
            this.expiration = expiration;
        }
    }

    private static final Duration POLL_DELAY = Duration.ofMillis(100);
    private static final Duration ACQUIRE_INTERVAL = Duration.ofMillis(500);
    private static final int PAGE_SIZE = 50;

    private final ChangeFeedProcessor processor;

    private Processor(ChangeFeedProcessor processor) {
        this.processor = processor;
    }

    static Processor start(
            Manner manner, Pace pace, CosmosAsyncDatabase database, String container, String host, Delivery delivery) {
        return start(manner, pace, database.getContainer(container), database.getContainer("leases"), host, delivery);
    }

    public static Processor start(
            Manner manner,
            Pace pace,
            CosmosAsyncContainer followed,
            CosmosAsyncContainer leases,
            String host,
            Delivery delivery) {
        var started = new Processor(build(manner, pace, followed, leases, host, delivery));
        started.processor.start().block(Await.PATIENCE);
        return started;
    }

    private static ChangeFeedProcessor build(
            Manner manner,
            Pace pace,
            CosmosAsyncContainer followed,
            CosmosAsyncContainer leases,
            String host,
            Delivery delivery) {
        var builder = new ChangeFeedProcessorBuilder()
                .hostName(host)
                .feedContainer(followed)
                .leaseContainer(leases)
                .options(options(manner, pace, followed.getId()));
        var handled = switch (manner) {
            case RANGE_LEASES -> builder.handleChanges(items -> delivery.add(host, writes(items)));
            case BOUNDS_LEASES -> builder.handleLatestVersionChanges(items -> delivery.add(host, current(items)));
            case ALL_VERSIONS ->
                builder.handleAllVersionsAndDeletesChanges(items -> delivery.add(host, current(items)));
        };
        return handled.buildChangeFeedProcessor();
    }

    static ChangeFeedProcessorOptions options(Manner manner, Pace pace, String container) {
        var options = new ChangeFeedProcessorOptions()
                .setLeasePrefix(container + "-" + manner)
                .setFeedPollDelay(POLL_DELAY)
                .setLeaseAcquireInterval(ACQUIRE_INTERVAL)
                .setLeaseRenewInterval(pace.renewal)
                .setLeaseExpirationInterval(pace.expiration)
                .setMaxItemCount(PAGE_SIZE);
        // All versions are kept for a while only, so there is no beginning to start from.
        return manner == Manner.ALL_VERSIONS ? options : options.setStartFromBeginning(true);
    }

    private static List<Write> writes(List<JsonNode> items) {
        return items.stream().map(Processor::write).toList();
    }

    private static List<Write> current(List<ChangeFeedProcessorItem> items) {
        return items.stream().map(item -> write(item.getCurrent())).toList();
    }

    private static Write write(JsonNode item) {
        return new Write(item.path("pk").textValue(), item.path("n").intValue());
    }

    public List<ChangeFeedProcessorState> state() {
        return processor.getCurrentState().block(Await.PATIENCE);
    }

    /** How many changes wait for delivery, by the SDK's own estimate. */
    public int lag() {
        return state().stream()
                .mapToInt(ChangeFeedProcessorState::getEstimatedLag)
                .sum();
    }

    /** Which hosts have leases; an empty name stands for leases that none has. */
    public Set<String> owners() {
        return state().stream()
                .map(lease -> lease.getHostName() == null ? "" : lease.getHostName())
                .collect(Collectors.toSet());
    }

    /** The estimate that only leases by range names have. */
    int estimatedLag() {
        return processor.getEstimatedLag().block(Await.PATIENCE).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Hands the leases back. */
    void stop() {
        processor.stop().block(Await.PATIENCE);
    }

    @Override
    public void close() {
        if (processor.isStarted()) {
            stop();
        }
    }
}
