package dev.orrery.server;

import dev.orrery.engine.catalog.Location;
import dev.orrery.gateway.GatewayObserver.Reply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Counts and times the replies to one operation in one place. */
final class OperationMeters {
    /** 1, 2, 5 and so on: few, since Prometheus gets them for each place, operation and status. */
    private static final Duration[] BUCKETS = Stream.iterate(
                    Duration.ofNanos(10_000), decade -> decade.multipliedBy(10))
            .limit(6)
            .flatMap(decade -> Stream.of(decade, decade.multipliedBy(2), decade.multipliedBy(5)))
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter throttled;
    // The timers have buckets too, but so wide ones that a percentile of theirs may be twice what it is.
    private final Latencies latencies = new Latencies();
    private final ConcurrentHashMap<Status, Replies> replies = new ConcurrentHashMap<>();

    private record Status(int status, int substatus) {}

    private record Replies(Timer time, Counter requestUnits) {}

    OperationMeters(MeterRegistry registry, Location location, String operation) {
        this.registry = registry;
        this.tags = Tags.of("database", location.database(), "container", location.container(), "operation", operation);
        this.throttled = Counter.builder("orrery.throttled")
                .description("Requests, and entries of batches, that were refused for now, with 429")
                .tags(tags)
                .register(registry);
    }

    /** Counts a reply, unless no meters are registered for its status. */
    boolean record(Reply reply) {
        var meters = replies.get(status(reply));
        if (meters == null) {
            return false;
        }
        meters.time().record(reply.nanos(), TimeUnit.NANOSECONDS);
        meters.requestUnits().increment(reply.requestCharge());
        latencies.record(reply.nanos());
        if (reply.throttled() > 0) {
            throttled.increment(reply.throttled());
        }
        return true;
    }

    void register(Reply reply) {
        replies.computeIfAbsent(status(reply), this::register);
    }

    private static Status status(Reply reply) {
        return new Status(reply.status(), reply.substatus());
    }

    private Replies register(Status status) {
        var all = tags.and(
                "status", Integer.toString(status.status()),
                "substatus", Integer.toString(status.substatus()));
        return new Replies(
                Timer.builder("orrery.requests")
                        .description("Time from a whole request to its reply")
                        .serviceLevelObjectives(BUCKETS)
                        .tags(all)
                        .register(registry),
                Counter.builder("orrery.request.units")
                        .description("Request units charged")
                        .tags(all)
                        .register(registry));
    }

    void remove() {
        registry.remove(throttled);
        for (var meters : replies.values()) {
            registry.remove(meters.time());
            registry.remove(meters.requestUnits());
        }
    }

    void addTo(Tally tally) {
        tally.addOperation((long) throttled.count(), latencies);
        replies.values()
                .forEach(meters -> tally.addReplies(
                        meters.time().count(), meters.requestUnits().count()));
    }
}
