package dev.orrery.engine.budget;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.OfferDefinition;
import dev.orrery.model.definition.Throughput.Autoscale;
import dev.orrery.model.definition.Throughput.Manual;
import dev.orrery.model.definition.ThroughputBucket;
import dev.orrery.model.json.JsonValue.Str;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The budgets of all physical partitions, as the offers of their containers and databases say. A change of an offer, or of
 * the number of partitions, counts from the next request on.
 */
public final class Budgets {
    /** A physical partition: of a container, or one that the containers of a database share. */
    private record Place(Rid owner, int number) {}

    private final Catalog catalog;
    private final Metering metering;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private final Map<Place, Budget> budgets = new ConcurrentHashMap<>();
    private final Map<Place, Limiter> limiters = new ConcurrentHashMap<>();
    private final Map<Place, Map<Integer, Limiter>> buckets = new ConcurrentHashMap<>();

    public Budgets(Catalog catalog, Metering metering, LongSupplier nanos, InstantSource clock) {
        this.catalog = catalog;
        this.metering = metering;
        this.nanos = nanos;
        this.clock = clock;
    }

    public Metering metering() {
        return metering;
    }

    public Budget of(Container container, Range range) {
        var place = new Place(container.rid(), range.id());
        var known = budgets.get(place);
        var budget = known != null ? known : budgets.computeIfAbsent(place, _ -> new Budget(clock));
        long version = catalog.version();
        if (!budget.isAsOf(version)) {
            // As it is now: whoever asks may have found the container before its ranges were split.
            var current = catalog.findContainer(container.rid()).orElse(container);
            budget.limit(limits(current, range), version);
        }
        return budget;
    }

    /** Has a change of an offer count from now on, even if nobody asks for a while. */
    public void refresh(Container container) {
        container.ranges().live().forEach(range -> of(container, range));
    }

    private Budget.Limits limits(Container container, Range range) {
        if (!metering.enforced() || metering.serverless()) {
            return Budget.Limits.NONE;
        }
        return own(container)
                .map(offer -> limits(
                        offer,
                        new Place(container.rid(), range.id()),
                        container.ranges().live().size()))
                .or(() -> shared(container).map(offer -> {
                    int partitions = offer.throughput().physicalPartitions();
                    int number = container.ranges().live().indexOf(range) % partitions;
                    return limits(offer, new Place(database(container), number), partitions);
                }))
                .orElse(Budget.Limits.NONE);
    }

    private Budget.Limits limits(OfferDefinition offer, Place place, int partitions) {
        double rate = (double) offer.throughput().requestUnitsMax() / partitions;
        var limiter = limiters.computeIfAbsent(place, _ -> Limiter.ofPartition(nanos, rate));
        limiter.change(rate);
        var shares = new HashMap<Integer, Limiter>();
        for (var bucket : offer.buckets()) {
            double share = rate * bucket.percentMax() / 100;
            var of = buckets.computeIfAbsent(place, _ -> new ConcurrentHashMap<>())
                    .computeIfAbsent(bucket.id(), _ -> Limiter.ofShare(nanos, share));
            of.change(share);
            shares.put(bucket.id(), of);
        }
        var byDefault = offer.buckets().stream()
                .filter(ThroughputBucket::isDefault)
                .map(ThroughputBucket::id)
                .findFirst();
        return new Budget.Limits(Optional.of(limiter), shares, byDefault);
    }

    // ---- offers ----

    private Optional<OfferDefinition> own(Container container) {
        return offer(container.rid());
    }

    private Optional<OfferDefinition> shared(Container container) {
        return offer(database(container));
    }

    private static Rid database(Container container) {
        return container.resource().parent().orElseThrow();
    }

    private Optional<OfferDefinition> offer(Rid owner) {
        var wanted = new Str(owner.toString());
        return catalog.list(Optional.empty(), ResourceKind.OFFER).stream()
                .filter(offer -> offer.json().member("offerResourceId").equals(wanted))
                .map(offer -> OfferDefinition.parse(offer.json()))
                .findFirst();
    }

    // ---- use ----

    /** What an offer gives at present: one that scales by itself has risen to what was used in the last minute. */
    public int current(OfferDefinition offer) {
        return switch (offer.throughput()) {
            case Manual(int requestUnits) -> requestUnits;
            case Autoscale scale -> {
                double used = catalog.containers().stream()
                        .filter(container -> own(container)
                                .or(() -> shared(container))
                                .filter(offer::equals)
                                .isPresent())
                        .mapToDouble(this::peak)
                        .sum();
                yield Math.clamp((long) Math.ceil(used), scale.requestUnitsMin(), scale.requestUnitsMax());
            }
        };
    }

    /** What the busiest partition of a container used in a second, as if all were as busy. */
    private double peak(Container container) {
        var live = container.ranges().live();
        return live.size()
                * live.stream()
                        .mapToDouble(range -> of(container, range).peak())
                        .max()
                        .orElse(0);
    }

    /** Forgets what is gone. */
    public void retain() {
        budgets.keySet().removeIf(place -> catalog.findContainer(place.owner()).isEmpty());
        limiters.keySet().removeIf(place -> catalog.find(place.owner()).isEmpty());
        buckets.keySet().removeIf(place -> catalog.find(place.owner()).isEmpty());
    }
}
