package dev.orrery.engine.item;

import dev.orrery.engine.budget.Budget;
import dev.orrery.engine.budget.Budgets;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Outcome.Extent;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.RangeView;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.SessionToken;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the range that a request goes to, and says what is true of every reply from it. */
public class Router {
    private final Partitions partitions;
    private final Budgets budgets;

    public Router(Partitions partitions, Budgets budgets) {
        this.partitions = partitions;
        this.budgets = budgets;
    }

    /**
     * One range of a container, open.
     *
     * @param views of the range for whoever reads more than a single row
     */
    public record Route(
            Container container, Range range, Partition partition, Budget budget, Supplier<RangeView> views) {

        /** What the request that goes this way sees of the range. To be closed. */
        public RangeView view() {
            return views.get();
        }

        /** Facts of a reply that has seen the partition at least as of an LSN. */
        public Facts facts(long lsn, Optional<String> etag, Optional<Long> itemLsn) {
            return Facts.ofRange(
                    new Owner(container.ownerPath(), container.rid().toString()),
                    range.name(),
                    token(lsn),
                    lsn,
                    etag,
                    itemLsn);
        }

        /** The session token of a reply that has seen the partition at least as of an LSN. */
        public String token(long lsn) {
            return partition.front().isPresent()
                    ? partition.front().get().token(range.id())
                    : SessionToken.text(range.id(), partition.epochs().last(), lsn);
        }

        /** Facts of a reply to a write: also what the range holds after it. */
        public Facts factsOfWrite(long lsn, Optional<String> etag, Optional<Long> itemLsn) {
            var state = partition.state();
            return facts(lsn, etag, itemLsn)
                    .withExtent(new Extent(
                            Optional.of(new Usage(state.items(), state.itemBytes(), Optional.empty())),
                            Optional.empty()));
        }

        public Facts facts() {
            return facts(partition.lsnSeen(), Optional.empty(), Optional.empty());
        }
    }

    /** Finds one range as a snapshot shows it, and only that one. */
    public Router seeing(Route frozen) {
        return new Router(partitions, budgets) {
            @Override
            public Route route(Container container, Range range) {
                return range.id() == frozen.range().id() ? frozen : super.route(container, range);
            }
        };
    }

    public Route route(Container container, EffectivePartitionKey epk) {
        return route(container, container.ranges().of(epk));
    }

    public Route route(Container container, Range range) {
        return routed(container, range, partitions.forClients(container.number(), range.id()));
    }

    /** Finds what is settled, where several regions write; elsewhere that is all there is. */
    public Router settled() {
        return new Router(partitions, budgets) {
            @Override
            public Route route(Container container, Range range) {
                return routed(container, range, partitions.resolve(container.number(), range.id()));
            }
        };
    }

    /** All that this process keeps of a range: what clients see, and what is settled if that is kept apart. */
    public List<Route> copies(Container container, Range range) {
        return partitions.writers().isEmpty()
                ? List.of(route(container, range))
                : List.of(route(container, range), settled().route(container, range));
    }

    Route routed(Container container, Range range, Partition partition) {
        return new Route(container, range, partition, budgets.of(container, range), partition::view);
    }

    /** Refuses a reader whose session has seen more than this copy holds. */
    public static void demandSession(Route route, Caller caller) {
        if (route.partition().isIncomplete()) {
            throw new FailureException(new Failure.SessionNotAvailable("This region is still being given its copy of"
                    + " range " + route.range().name() + "; another region can be asked meanwhile."));
        }
        var front = route.partition().front();
        front.ifPresent(seen -> seen.demandComplete(route.range().name()));
        if (caller.session().isEmpty()) {
            return;
        }
        if (front.isPresent()) {
            front.get()
                    .demand(
                            caller.session().get(),
                            route.range().id(),
                            route.range().parents(),
                            route.partition().lsn(),
                            front.get()::lastLsnOf);
            return;
        }
        long wanted = caller.session()
                .get()
                .lsnFor(
                        route.range().id(),
                        route.range().parents(),
                        route.partition().epochs()::lastLsnOf);
        if (wanted > route.partition().lsn()) {
            throw new FailureException(new Failure.SessionNotAvailable("The session has read up to LSN " + wanted
                    + " of range " + route.range().name() + ", which stands at "
                    + route.partition().lsn() + " here."));
        }
    }

    /** The logical partition that a point operation names. */
    public static LogicalPartition partition(Container container, Optional<PartitionKey> given) {
        var definition = container.definition().partitionKey();
        // Clients that know of no partition keys send none, and have all in the one partition without.
        var key = given.map(definition::settled)
                .or(() -> definition.systemKey() ? Optional.of(PartitionKey.EMPTY) : Optional.empty())
                .orElseThrow(() -> new FailureException(new Failure.BadRequest(
                        "The partition key is missing; this operation needs the header that carries it.")));
        definition.requireComplete(key);
        return new LogicalPartition(EffectivePartitionKey.of(key, definition), key);
    }

    /** The key of the item that a rid names, when the container was addressed by rid as well. */
    Optional<ItemKey> keyOfRid(Container container, Address address, String id) {
        if (!address.last().id().equals(container.rid().toString())) {
            return Optional.empty();
        }
        return Rid.find(id)
                .filter(rid -> rid.isDocumentOf(container.rid()))
                .flatMap(rid -> container.ranges().live().stream()
                        .map(range -> route(container, range).partition().get(DocumentKey.encode(rid.documentNumber())))
                        .filter(bytes -> bytes != null)
                        .map(ItemKey::decode)
                        .findFirst());
    }
}
