package dev.orrery.engine.item;

import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.ItemWriter.PreparedWrite;
import dev.orrery.engine.item.ItemWriter.Written;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.observe.Observer;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.ReadItem;
import dev.orrery.engine.operation.Operation.WriteItem;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.partition.Lane;
import dev.orrery.engine.partition.RangeMoved;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.store.Cached;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Point reads and writes of items. */
public final class Items {
    private static final int MOVES_MAX = 8;

    private final Catalog catalog;
    private final Router router;
    private final InstantSource clock;
    private final ItemWriter writer;
    private final Settler settler;
    private final Executor mayBlock;
    private final DiskReads disk;
    private final Prices prices;
    private final Observer observer;

    public Items(
            Catalog catalog,
            Router router,
            Prices prices,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random,
            Executor mayBlock,
            Observer observer) {
        this.catalog = catalog;
        this.router = router;
        this.clock = clock;
        this.writer = new ItemWriter(random, prices, observer);
        this.settler = new Settler(writer, catalog);
        this.prices = prices;
        this.observer = observer;
        this.mayBlock = mayBlock;
        this.disk = new DiskReads(mayBlock, nanos);
    }

    /** Answers at once if it can; waiting for a disk is left to a thread that may. */
    public CompletionStage<Outcome> read(Container container, ReadItem read, Caller caller) {
        var key = key(container, read.container(), read.id(), read.partition());
        var route = router.route(container, key.epk());
        return read(route, key, read.precondition(), caller);
    }

    CompletionStage<Outcome> read(Route route, ItemKey key, Precondition precondition, Caller caller) {
        Router.demandSession(route, caller);
        return route.budget().run(caller.spending(), () -> switch (route.partition()
                .tryGet(key.bytes())) {
            case Cached.Found(var value) ->
                CompletableFuture.completedFuture(answer(route, precondition, key, value, caller));
            case Cached.Absent _ -> CompletableFuture.completedFuture(answer(route, precondition, key, null, caller));
            case Cached.Unknown _ ->
                disk.read(() -> route.partition().get(key.bytes()))
                        .thenApply(value -> answer(route, precondition, key, value, caller));
        });
    }

    private Outcome answer(Route route, Precondition precondition, ItemKey key, byte[] value, Caller caller) {
        var outcome = found(route, precondition, key, value, caller);
        observer.read(route.container(), key, outcome);
        return outcome;
    }

    private Outcome found(Route route, Precondition precondition, ItemKey key, byte[] value, Caller caller) {
        var item = value == null ? null : StoredItem.decode(value);
        var timeToLive = TimeToLive.of(route.container().definition());
        if (item == null || timeToLive.isOver(item, clock.instant().getEpochSecond())) {
            return Outcome.refused(
                    new Failure.NotFound(
                            "Entity with the specified id does not exist in the system. There is no item with" + " id '"
                                    + key.id() + "' in this partition."),
                    prices.read(0, caller),
                    route.facts());
        }
        // The item may be newer than the LSN that the lane has published a moment ago.
        long lsn = Math.max(route.partition().lsn(), item.lsn());
        var facts = route.facts(lsn, Optional.of(item.etag()), Optional.of(item.lsn()));
        boolean known = precondition
                .ifNoneMatch()
                .filter(etag -> ItemWriter.matches(etag, item))
                .isPresent();
        if (known) {
            return new Outcome(new Answer.NotModified(), prices.read(0, caller), facts);
        }
        return new Outcome(
                new Answer.Resource(Outcome.Change.READ, item.json()), prices.read(item.sizeBytes(), caller), facts);
    }

    public CompletionStage<Outcome> write(Container container, WriteItem operation, Caller caller) {
        return write(
                container,
                prepare(container, operation.container(), operation.partition(), operation.write())
                        .with(operation.indexing()),
                caller);
    }

    CompletionStage<Outcome> write(Container container, PreparedWrite prepared, Caller caller) {
        return inLane(container, prepared.partition(), caller, new LaneTask<Written>() {
            @Override
            public Written run(Unit unit, Container current) {
                var written = writer.write(unit, current, prepared);
                written.bill().demandAtMost(caller.spending().chargeMax());
                return written;
            }

            @Override
            public Outcome answer(Route route, Lane.Done<Written> done) {
                return Items.answer(route, done.result(), done.lsn());
            }
        });
    }

    static Outcome answer(Route route, Written written, long lsn) {
        if (written.item() == null) {
            return new Outcome(
                    new Answer.Deleted(), written.bill(), route.factsOfWrite(lsn, Optional.empty(), Optional.of(lsn)));
        }
        return new Outcome(
                new Answer.Resource(written.change(), written.item().json()),
                written.bill(),
                route.factsOfWrite(
                        lsn,
                        Optional.of(written.item().etag()),
                        Optional.of(written.item().lsn())));
    }

    /** Begins what is to change several items of a logical partition at once, or none. */
    public Transaction begin(Container container, LogicalPartition partition) {
        return new Transaction(this, router.route(container, partition.epk()), partition);
    }

    /** The same in the settled copy, where several regions write. */
    public Transaction beginSettled(Container container, LogicalPartition partition) {
        return new Transaction(this, router.settled().route(container, partition.epk()), partition);
    }

    // ---- shared with batches and transactions ----

    ItemWriter writer() {
        return writer;
    }

    /** What settles the writes of several regions. */
    public Settler settler() {
        return settler;
    }

    public Prices prices() {
        return prices;
    }

    /** Reads the body and finds the place of a write; refuses what is wrong with either. */
    PreparedWrite prepare(Container container, Address address, Optional<PartitionKey> partition, ItemWrite write) {
        return switch (write) {
            case ItemWrite.Create create -> prepare(container, partition, write, ItemBody.read(create.body()));
            case ItemWrite.Upsert upsert -> prepare(container, partition, write, ItemBody.read(upsert.body()));
            case ItemWrite.Replace replace -> {
                var prepared = prepare(container, partition, write, ItemBody.read(replace.body()));
                var addressed = key(container, address, replace.id(), partition);
                yield prepared.at(ItemKey.of(prepared.partition(), addressed.id()));
            }
            case ItemWrite.Patch patch -> withoutBody(container, address, partition, write, patch.id());
            case ItemWrite.Delete delete -> withoutBody(container, address, partition, write, delete.id());
        };
    }

    private PreparedWrite withoutBody(
            Container container, Address address, Optional<PartitionKey> partition, ItemWrite write, String id) {
        var key = key(container, address, id, partition);
        return new PreparedWrite(write, key.partition(), key, null, IndexingDirective.DEFAULT);
    }

    private static PreparedWrite prepare(
            Container container, Optional<PartitionKey> given, ItemWrite write, ItemBody body) {
        var named = Router.partition(container, given);
        var inBody = container.definition().partitionKey().extract(body.json());
        if (!inBody.equals(named.key())) {
            throw new FailureException(new Failure.PartitionKeyMismatch("PartitionKey extracted from document doesn't"
                    + " match the one specified in the header. It is " + inBody.header() + " in the item, the request"
                    + " says " + named.key().header()
                    + ". Learn more: https://aka.ms/CosmosDB/sql/errors/wrong-pk-value"));
        }
        return new PreparedWrite(write, named, ItemKey.of(named, body.id()), body, IndexingDirective.DEFAULT);
    }

    ItemKey key(Container container, Address address, String id, Optional<PartitionKey> partition) {
        return router.keyOfRid(container, address, id)
                // Whoever may go to one partition only must not get out of it by the rid of an item elsewhere.
                .filter(key -> partition.isEmpty() || key.partition().key().equals(partition.get()))
                .orElseGet(() -> ItemKey.of(Router.partition(container, partition), id));
    }

    /**
     * Runs work in the lane of a logical partition, wherever that is by the time its turn comes, with the container as it
     * is by then: what a change of its definition starts in the background rests on no later write being the old way.
     */
    <T> CompletionStage<Outcome> inLane(
            Container container, LogicalPartition partition, Caller caller, LaneTask<T> task) {
        var route = router.route(container, partition.epk());
        return route.budget().run(caller.spending(), () -> inLane(route, partition, task, MOVES_MAX));
    }

    private <T> CompletionStage<Outcome> inLane(
            Route route, LogicalPartition partition, LaneTask<T> task, int movesLeft) {
        var container = route.container();
        return route.partition()
                .submit(unit -> task.run(unit, current(container)))
                .handle((done, problem) -> switch (unwrapped(problem)) {
                    case null -> settled(task.answer(route, done));
                    case FailureException refused ->
                        settled(Outcome.refused(refused.failure(), prices.attempt(), route.facts()));
                    case RangeMoved _
                    when movesLeft > 0 ->
                        CompletableFuture.supplyAsync(() -> current(container), mayBlock)
                                .thenCompose(now ->
                                        inLane(router.route(now, partition.epk()), partition, task, movesLeft - 1));
                    case Throwable other ->
                        task.explain(route, other)
                                .map(Items::settled)
                                .orElseGet(() -> CompletableFuture.failedStage(other));
                })
                .thenCompose(stage -> stage);
    }

    private static CompletionStage<Outcome> settled(Outcome outcome) {
        return CompletableFuture.completedStage(outcome);
    }

    private static Throwable unwrapped(Throwable problem) {
        return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
    }

    public Container current(Container container) {
        return catalog.findContainer(container.rid())
                .orElseThrow(() -> new FailureException(
                        new Failure.OwnerNotFound("Container " + container.ownerPath() + " does not exist any more.")));
    }
}
