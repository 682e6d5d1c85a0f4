package dev.orrery.engine.resource;

import dev.orrery.engine.budget.Budgets;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.operation.Operation.ReplaceResource;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.OfferDefinition;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** The throughput of databases and containers: a resource of its own for each of them that has any. */
final class Offers {
    private static final Throughput DEFAULT = new Throughput.Manual(Limits.THROUGHPUT_MANUAL_MIN);

    // Small containers have their new ranges by then, and the client need not ask again.
    private static final int GROWTH_WAIT_MILLIS = 3_000;

    private final Catalog catalog;
    private final Growth growth;
    private final Budgets budgets;
    private final InstantSource clock;

    Offers(Catalog catalog, Growth growth, Budgets budgets, InstantSource clock) {
        this.catalog = catalog;
        this.budgets = budgets;
        this.growth = growth;
        this.clock = clock;
    }

    /** What a new container gets: what was asked for, else a share of its database's, else the default. */
    Optional<Throughput> forContainer(Catalog.Edit edit, Rid database, Optional<Throughput> asked) {
        boolean free = budgets.metering().serverless() || find(edit, database).isPresent();
        return forDatabase(asked).or(() -> free ? Optional.empty() : Optional.of(DEFAULT));
    }

    /** What a new database gets: what was asked for, if anything. */
    Optional<Throughput> forDatabase(Optional<Throughput> asked) {
        if (asked.isPresent() && budgets.metering().serverless()) {
            throw new FailureException(new Failure.BadRequest(
                    "Throughput cannot be set in a serverless account; leave it out of the request."));
        }
        return asked;
    }

    /** How many ranges a new container has; one that shares the throughput of its database, as that asks for. */
    int ranges(Catalog.Edit edit, Rid database, Optional<Throughput> own) {
        return own.or(() -> find(edit, database).map(offer -> definition(offer).throughput()))
                .map(Throughput::physicalPartitionsAtFirst)
                .orElse(1);
    }

    void create(Catalog.Edit edit, Resource owner, Throughput throughput) {
        var rid = Rid.offer(edit.drawNumber());
        var definition = OfferDefinition.of(owner.self(), owner.rid().toString(), throughput);
        edit.put(resource(edit, rid, definition));
    }

    void removeFor(Catalog.Edit edit, Rid owner) {
        find(edit, owner).ifPresent(edit::remove);
    }

    Outcome read(Resource offer, Change change) {
        var definition = definition(offer);
        var facts = Facts.ofResource(Optional.of(offer.etag()), Optional.empty())
                .withOffer(new Outcome.Offer(
                        definition.requestUnitsLeast(sharingContainers(definition)),
                        containers(definition).stream().anyMatch(container -> growth.isGrowing(container.rid()))));
        var json = ByteBuffer.wrap(JsonWriter.bytes(presented(offer)));
        return new Outcome(new Answer.Resource(change, json), Bill.METADATA, facts);
    }

    /** The offer with what it gives now. */
    Obj presented(Resource offer) {
        return OfferDefinition.scaled(offer.json(), budgets.current(definition(offer)));
    }

    Outcome replace(ReplaceResource replace) {
        var body = JsonScanner.scan(replace.body()).asObject("An offer");
        var changed = catalog.change(edit -> {
            var current = catalog.resolve(replace.address());
            Preconditions.demand(replace.precondition(), current);
            var definition = definition(current);
            var next = definition.replaceWith(body, replace.migration(), sharingContainers(definition));
            var resource = resource(edit, current.rid(), next);
            edit.put(resource);
            return resource;
        });
        containers(definition(changed)).forEach(budgets::refresh);
        await(grow(definition(changed), container -> true));
        return read(changed, Change.REPLACED);
    }

    /** Goes on with growth that was interrupted by the last stop of the server, or by a disk that took no writes. */
    void resumeGrowth() {
        for (var offer : catalog.list(Optional.empty(), ResourceKind.OFFER)) {
            var definition = definition(offer);
            // Says in the log what goes wrong.
            var _ = grow(definition, container -> !growth.isGrowing(container.rid()));
        }
    }

    private CompletableFuture<Void> grow(OfferDefinition offer, Predicate<Container> which) {
        int wanted = offer.throughput().physicalPartitions();
        return CompletableFuture.allOf(containers(offer).stream()
                .filter(container -> container.ranges().live().size() < wanted)
                .filter(which)
                .map(container -> growth.grow(container.rid(), wanted))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** The container that an offer is for, or those that share it in the database that it is for. */
    private List<Container> containers(OfferDefinition offer) {
        var owner = Rid.parse(offer.resourceRid());
        var own = catalog.findContainer(owner);
        if (own.isPresent()) {
            return List.of(own.get());
        }
        var offers = catalog.list(Optional.empty(), ResourceKind.OFFER);
        return catalog.list(Optional.of(owner), ResourceKind.CONTAINER).stream()
                .filter(container -> find(offers, container.rid()).isEmpty())
                .flatMap(container -> catalog.findContainer(container.rid()).stream())
                .toList();
    }

    private static void await(Future<Void> grown) {
        try {
            grown.get(GROWTH_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException goesOn) {
            // The reply says that the replacement is pending.
        } catch (ExecutionException failed) {
            throw new FailureException(new Failure.Unavailable(
                    "The throughput was changed, but splitting the container's ranges failed; the server's log"
                            + " says why."));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private int sharingContainers(OfferDefinition offer) {
        return catalog.find(Rid.parse(offer.resourceRid()))
                .filter(owner -> owner.kind() == ResourceKind.DATABASE)
                .map(database -> catalog.list(Optional.of(database.rid()), ResourceKind.CONTAINER)
                        .size())
                .orElse(0);
    }

    private Resource resource(Catalog.Edit edit, Rid rid, OfferDefinition definition) {
        long now = clock.instant().getEpochSecond();
        var system =
                new SystemProperties(rid.toString(), "offers/" + rid + "/", StoredItem.etag(edit.lsn(), 0, now), now);
        return new Resource(ResourceKind.OFFER, rid, Optional.empty(), definition.toJson(system));
    }

    private static Optional<Resource> find(Catalog.Edit edit, Rid owner) {
        return find(edit.list(Optional.empty(), ResourceKind.OFFER), owner);
    }

    private static Optional<Resource> find(List<Resource> offers, Rid owner) {
        var wanted = new Str(owner.toString());
        return offers.stream()
                .filter(offer -> offer.json().member("offerResourceId").equals(wanted))
                .findFirst();
    }

    private static OfferDefinition definition(Resource offer) {
        return OfferDefinition.parse(offer.json());
    }
}
