package dev.orrery.server;

import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.operation.Address;
import dev.orrery.gateway.GatewayObserver;
import dev.orrery.model.Limits;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Counts and times replies by container and operation.
 *
 * <p>Clients choose what they ask for, so what does not exist gets no meters of its own: a request for it counts for the
 * database it would be in, or for none, and so does one for what is beyond {@link Limits#METERED_CONTAINERS_MAX}. What is
 * deleted loses its meters.
 */
final class RequestMeters implements GatewayObserver {
    private final MeterRegistry registry;
    private final Function<Address, Location> locate;
    private final Predicate<Location> exists;
    private final ConcurrentHashMap<Location, Map<String, OperationMeters>> locations = new ConcurrentHashMap<>();

    /**
     * Begins with none.
     *
     * @param locate finds the container that an address leads to or into, or its database, whichever there is; quick
     */
    RequestMeters(MeterRegistry registry, Function<Address, Location> locate, Predicate<Location> exists) {
        this.registry = registry;
        this.locate = locate;
        this.exists = exists;
    }

    @Override
    public void answered(Reply reply) {
        var location = metered(locate.apply(reply.about()));
        var operations = locations.get(location);
        var meters = operations == null ? null : operations.get(reply.operation());
        if (meters == null || !meters.record(reply)) {
            register(location, reply).record(reply);
        }
        if (reply.operation().equals("DeleteResource")) {
            forgetDeleted(); // Nobody need ever ask for metrics, and what comes and goes must not add up.
        }
    }

    private Location metered(Location location) {
        return locations.size() < Limits.METERED_CONTAINERS_MAX || locations.containsKey(location)
                ? location
                : Location.ACCOUNT;
    }

    /** In one step with forgetting: a meter that is registered but not listed here would stay for ever. */
    private OperationMeters register(Location location, Reply reply) {
        return locations
                .compute(location, (same, listed) -> {
                    Map<String, OperationMeters> operations = listed == null ? new ConcurrentHashMap<>() : listed;
                    operations
                            .computeIfAbsent(
                                    reply.operation(), operation -> new OperationMeters(registry, location, operation))
                            .register(reply);
                    return operations;
                })
                .get(reply.operation());
    }

    /** Gives up the meters of what has been deleted. */
    void forgetDeleted() {
        for (var location : locations.keySet()) {
            locations.computeIfPresent(location, (same, operations) -> {
                if (exists.test(location)) {
                    return operations;
                }
                operations.values().forEach(OperationMeters::remove);
                return null;
            });
        }
    }

    /** What came of the requests to one container. */
    Tally tally(Location location) {
        var tally = new Tally();
        locations.getOrDefault(location, Map.of()).values().forEach(meters -> meters.addTo(tally));
        return tally;
    }

    /** What came of all requests, by operation. */
    Map<String, Tally> tallies() {
        var tallies = new TreeMap<String, Tally>();
        locations
                .values()
                .forEach(operations -> operations.forEach(
                        (operation, meters) -> meters.addTo(tallies.computeIfAbsent(operation, added -> new Tally()))));
        return tallies;
    }
}
