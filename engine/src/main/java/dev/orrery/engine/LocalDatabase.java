package dev.orrery.engine;

import dev.orrery.engine.Upkeep.Job;
import dev.orrery.engine.access.Access;
import dev.orrery.engine.advice.Advice;
import dev.orrery.engine.advice.Advisor;
import dev.orrery.engine.advice.LaterNotes;
import dev.orrery.engine.advice.Workload;
import dev.orrery.engine.budget.Budgets;
import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.expiry.Sweeper;
import dev.orrery.engine.feed.Changes;
import dev.orrery.engine.feed.LogTrim;
import dev.orrery.engine.hub.Fronts;
import dev.orrery.engine.hub.Hub;
import dev.orrery.engine.item.Batches;
import dev.orrery.engine.item.IndexRebuild;
import dev.orrery.engine.item.Items;
import dev.orrery.engine.item.PartitionDeletes;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.ScopeSlices;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.engine.partition.Writers;
import dev.orrery.engine.partition.Writers.Regions;
import dev.orrery.engine.query.Feeds;
import dev.orrery.engine.query.Queries;
import dev.orrery.engine.replica.Agreement;
import dev.orrery.engine.replica.Replica;
import dev.orrery.engine.resource.Census;
import dev.orrery.engine.resource.Growth;
import dev.orrery.engine.resource.Resources;
import dev.orrery.engine.script.ContainerFunctions;
import dev.orrery.engine.script.Scripts;
import dev.orrery.engine.view.Views;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database on a store of this process. */
public final class LocalDatabase implements Database {
    private static final Logger LOG = LoggerFactory.getLogger(LocalDatabase.class);

    private static final Set<ResourceKind> SCRIPTS =
            Set.of(ResourceKind.STORED_PROCEDURE, ResourceKind.TRIGGER, ResourceKind.USER_DEFINED_FUNCTION);

    /** Of what requests may take; a fourth of that is an eighth of the heap. */
    private static final int CATALOG_SHARE = 4;

    private final WriteRight right;
    private final Catalog catalog;
    private final Router router;
    private final Partitions partitions;
    private final Access access;
    private final Resources resources;
    private final Items items;
    private final Batches batches;
    private final PartitionDeletes partitionDeletes;
    private final Feeds feeds;
    private final Changes changes;
    private final Queries queries;
    private final Scripts scripts;
    private final ConsistencyLevel defaultConsistency;
    private final Metering metering;
    private final MemoryBudget memory;
    private final Budgets budgets;
    private final IndexRebuild rebuild;
    private final Views views;
    private final Census census;
    private final Workload workload;
    private final LaterNotes notes;
    private final Advisor advisor;
    private final LogTrim trim;
    private final Upkeep upkeep;
    private final Replica replica;
    private final ScheduledExecutorService timer;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Executor workers;
    private volatile Optional<Agreement> agreement = Optional.empty();

    private LocalDatabase(Surroundings around) {
        right = new WriteRight();
        memory = around.memory();
        catalog = Catalog.open(around.store(), around.random().nextLong(), right, memory.bytesMax() / CATALOG_SHARE);
        partitions = new Partitions(
                around.store(),
                around.laneThreads(),
                around.clock(),
                around.random(),
                right,
                memory,
                around.logicalPartitionBytesMax(),
                around.workers());
        partitions.dropAllBut(catalog.partitions());
        timer = around.timer();
        clock = around.clock();
        nanos = around.nanos();
        workers = around.workers();
        access = new Access(catalog, around.tokenSecrets(), around.clock());
        metering = around.metering();
        budgets = new Budgets(catalog, metering, around.nanos(), around.clock());
        var prices = metering.prices();
        router = new Router(partitions, budgets);
        census = new Census(catalog, partitions);
        var growth = new Growth(catalog, partitions, around.clock(), around.workers(), around.timer());
        rebuild = new IndexRebuild(catalog, router, around.workers());
        workload = new Workload(around.nanos());
        notes = new LaterNotes(workload);
        advisor = new Advisor(catalog, budgets, workload, around.clock().instant());
        items = new Items(
                catalog, router, prices, around.clock(), around.nanos(), around.random(), around.workers(), notes);
        views = new Views(
                catalog, partitions, router.settled(), items, right, around.clock(), around.workers(), memory);
        resources = new Resources(
                catalog,
                partitions,
                census,
                growth,
                budgets,
                rebuild,
                views,
                access,
                around.scripts(),
                around.clock(),
                around.nanos(),
                around.random(),
                memory);
        batches = new Batches(items, router);
        partitionDeletes = new PartitionDeletes(items, router);
        feeds = new Feeds(router, prices, around.clock(), around.nanos(), memory);
        changes = new Changes(router, prices, around.clock(), around.nanos(), around.changeRetention(), memory);
        queries = new Queries(
                router,
                prices,
                around.clock(),
                around.nanos(),
                around.random(),
                new ContainerFunctions(catalog, around.scripts()),
                notes,
                memory);
        scripts = new Scripts(
                catalog,
                items,
                router,
                queries,
                feeds,
                around.scripts(),
                around.scriptThreads(),
                around.timer(),
                around.nanos(),
                memory);
        defaultConsistency = around.defaultConsistency();
        if (catalog.containers().stream().anyMatch(this::hasScripts)) {
            scripts.expect();
        }
        resources.resume();
        views.resume();
        replica = new Replica(catalog, partitions, right, this::later, this::takeUpWriting);
        var sweeper = new Sweeper(catalog, router, right, around.clock());
        trim = new LogTrim(catalog, router, around.clock(), around.changeRetention(), right);
        upkeep = new Upkeep(around.timer());
        upkeep.every(
                Limits.SWEEP_MILLIS,
                List.of(
                        new Job("Going on with what was interrupted", () -> resumeOn(around.store())),
                        new Job("Removing expired items", sweeper::sweep),
                        new Job("Forgetting budgets", budgets::retain),
                        new Job("Forgetting what was asked of containers that are gone", this::retainWorkload),
                        new Job("Indexing anew", rebuild::startDue),
                        new Job("Keeping views", this::keepViews)));
        upkeep.every(
                Limits.ADVICE_NOTE_MILLIS,
                List.of(new Job("Noting what was asked", () -> workers.execute(notes::catchUp))));
        upkeep.every(Limits.TRIM_MILLIS, List.of(new Job("Shortening logs", trim::trim)));
    }

    /** What a disk that failed has interrupted goes on when it takes writes again. */
    private void resumeOn(Store store) {
        if (right.isHeld() && store.condition().stopped().isEmpty()) {
            resources.resume();
        }
    }

    /** The region that takes the writes keeps the views; the others are told of them as of any container. */
    private void keepViews() {
        if (right.isHeld()) {
            views.startDue();
        }
    }

    private void takeUpWriting() {
        resources.resume();
        views.startDue();
    }

    private void later(Runnable work) {
        var _ = timer.schedule(work, Growth.DROP_DELAY_SECONDS, TimeUnit.SECONDS);
    }

    /** This copy of the data, for whoever keeps several in step. */
    public Replica replica() {
        return replica;
    }

    /**
     * Has clients write in all regions of the account, and in this one once it may.
     *
     * @param slot of this region
     * @param isJoined whether it has all that the others had when it came to them
     */
    public Fronts writeInAllRegions(int slot, BooleanSupplier isJoined, Supplier<Regions> regions) {
        var here = new WriteRight();
        here.withdraw("This region has not joined its account yet.");
        var writers = new Writers(slot, here, isJoined, regions, nanos);
        partitions.writeInAllRegions(writers);
        return new Fronts(catalog, partitions, replica, writers, workers);
    }

    /** Settles what regions have written, when this one is the hub. */
    public Hub hub() {
        return new Hub(catalog, partitions, replica, scripts, items.settler(), clock);
    }

    /** Items may be written in more regions than databases, containers and the rest. */
    private WriteRight rightFor(Operation operation) {
        return isAboutResources(operation)
                ? right
                : partitions.writers().map(Writers::right).orElse(right);
    }

    /** What has to be agreed with other regions before an answer may go. */
    public void agreeBy(Agreement other) {
        agreement = Optional.of(other);
    }

    private void retainWorkload() {
        workload.retain(catalog.containers().stream().map(Container::number).collect(Collectors.toSet()));
    }

    private boolean hasScripts(Container container) {
        return SCRIPTS.stream()
                .anyMatch(kind ->
                        !catalog.list(Optional.of(container.rid()), kind).isEmpty());
    }

    public static LocalDatabase open(Surroundings around) {
        return new LocalDatabase(around);
    }

    @Override
    public CompletionStage<Outcome> execute(Operation operation, Caller caller) {
        try {
            long bytes = bytesFor(operation);
            if (bytes == 0) {
                return settled(operation, caller);
            }
            takeMemory(bytes, operation);
            return executeAndGiveBack(bytes, operation, caller);
        } catch (RuntimeException problem) {
            return CompletableFuture.completedFuture(refused(problem));
        }
    }

    private CompletionStage<Outcome> executeAndGiveBack(long bytes, Operation operation, Caller caller) {
        CompletionStage<Outcome> begun;
        try {
            begun = settled(operation, caller);
        } catch (Throwable problem) { // even an Error: what is taken must be given back
            memory.giveBack(bytes);
            throw problem;
        }
        return begun.whenComplete((_, _) -> memory.giveBack(bytes));
    }

    /** Only who keeps nobody waiting may wait. */
    private void takeMemory(long bytes, Operation operation) {
        if (!isPrompt(operation)) {
            memory.take(bytes);
        } else if (!memory.tryTake(bytes)) {
            throw MemoryBudget.shortage();
        }
    }

    /** How much memory an operation takes to read and prepare what was sent with it, 0 where that is little. */
    private long bytesFor(Operation operation) {
        long sent = switch (operation) {
            case Operation.WriteItem write -> bytesOf(write.write());
            case Operation.ExecuteProcedure execute -> execute.arguments().length;
            case Operation.Batch batch -> bytesOf(batch);
            case Operation.CreateResource create -> create.body().length;
            case Operation.ReplaceResource replace -> replace.body().length;
            case Operation.QueryItems query -> query.query().body().length;
            case Operation.PlanQuery plan -> plan.query().body().length;
            case Operation.QueryResources query -> query.query().body().length;
            case Operation.ReadItem _,
                    Operation.ReadResource _,
                    Operation.DeleteResource _,
                    Operation.ListResources _,
                    Operation.ReadRanges _,
                    Operation.ReadProgress _,
                    Operation.DeletePartition _,
                    Operation.ListItems _,
                    Operation.ReadChanges _ -> 0;
        };
        return sent <= Limits.MEMORY_BODY_BYTES_FREE
                ? 0
                : Math.min(sent * Limits.MEMORY_PER_BODY_BYTE, memory.bytesOfOneMax());
    }

    private static long bytesOf(Operation.Batch batch) {
        long bytes = 0;
        for (var item : batch.items()) {
            bytes += item.action() instanceof Operation.BatchAction.Write write ? bytesOf(write.write()) : 0;
        }
        return bytes;
    }

    private static long bytesOf(Operation.ItemWrite write) {
        return switch (write) {
            case Operation.ItemWrite.Create create -> create.body().length;
            case Operation.ItemWrite.Upsert upsert -> upsert.body().length;
            case Operation.ItemWrite.Replace replace -> replace.body().length;
            case Operation.ItemWrite.Patch _, Operation.ItemWrite.Delete _ -> 0;
        };
    }

    /** Runs it, waits for what the caller's session has seen elsewhere, and for what other regions must have first. */
    private CompletionStage<Outcome> settled(Operation operation, Caller caller) {
        var others = agreement;
        if (others.isEmpty()) {
            return awaited(operation, caller);
        }
        var level = caller.consistency().orElse(defaultConsistency);
        boolean wasCurrent = others.get().isCurrent(level);
        return awaited(operation, caller)
                .thenCompose(outcome ->
                        others.get().settle(level, wasCurrent, about(operation), isChange(operation), outcome));
    }

    private CompletionStage<Outcome> awaited(Operation operation, Caller caller) {
        var begun = attempt(operation, caller);
        if (caller.session().isPresent() || !right.isHeld()) {
            begun = begun.thenCompose(outcome -> isBehind(outcome)
                    ? new SessionWait(
                                    partitions,
                                    timer,
                                    workers,
                                    () -> attempt(operation, caller),
                                    LocalDatabase::isBehind)
                            .whenChanged(about(operation))
                    : CompletableFuture.completedStage(outcome));
        }
        return begun;
    }

    private CompletionStage<Outcome> attempt(Operation operation, Caller caller) {
        try {
            return run(operation, caller).exceptionally(LocalDatabase::refused);
        } catch (RuntimeException problem) {
            return CompletableFuture.completedStage(refused(problem));
        }
    }

    private static boolean isBehind(Outcome outcome) {
        return outcome.answer() instanceof Answer.Refused(Failure.SessionNotAvailable _);
    }

    /** The number of the container that an operation is about, 0 when there is none. */
    private int about(Operation operation) {
        try {
            return catalog.resolveContainer(operation.about()).number();
        } catch (FailureException _) {
            return 0;
        }
    }

    private CompletionStage<Outcome> run(Operation operation, Caller asking) {
        access.demand(asking, operation);
        if (isChange(operation)) {
            rightFor(operation).demand();
        }
        var caller = atConsistency(asking);
        if (isAboutResources(operation)) {
            Bill.METADATA.demandAtMost(caller.spending().chargeMax());
        }
        return switch (operation) {
            case Operation.CreateResource create -> following(resources.create(create));
            case Operation.ReadResource read -> done(resources.read(read));
            case Operation.ReplaceResource replace -> done(resources.replace(replace));
            case Operation.DeleteResource delete -> following(resources.delete(delete));
            case Operation.ListResources list -> done(resources.list(list));
            case Operation.QueryResources query -> done(resources.query(query));
            case Operation.ReadRanges ranges -> done(resources.readRanges(ranges));
            case Operation.ReadProgress progress -> done(progress(progress, caller));
            case Operation.ReadItem read ->
                affordable(items.read(container(read.container(), caller), read, caller), caller);
            case Operation.WriteItem write ->
                write.triggers().equals(Triggers.NONE)
                        ? items.write(writable(write.container(), caller), write, caller)
                        : scripts.write(writable(write.container(), caller), write, caller);
            case Operation.ExecuteProcedure execute ->
                scripts.execute(writable(execute.container(), caller), execute, caller);
            case Operation.DeletePartition delete ->
                partitionDeletes.run(writable(delete.container(), caller), delete, caller);
            case Operation.Batch batch ->
                batches.run(
                        batch.isReading() ? container(batch.container(), caller) : writable(batch.container(), caller),
                        batch,
                        caller);
            case Operation.ListItems list ->
                affordable(done(feeds.list(container(list.container(), caller), list, caller)), caller);
            case Operation.ReadChanges read ->
                affordable(done(changes.read(container(read.container(), caller), read, caller)), caller);
            case Operation.QueryItems query ->
                affordable(done(queries.run(container(query.container(), caller), query, caller)), caller);
            case Operation.PlanQuery plan -> done(queries.plan(container(plan.container(), caller), plan));
        };
    }

    @Override
    public Watch watch(Operation.ReadChanges changes, Caller caller, Runnable watcher) {
        access.demand(caller, changes);
        int number = container(changes.container(), caller).number();
        return partitions.watch(number, watcher)::close;
    }

    /** The caller with what the level it asks for promises: a weak one has no sessions. */
    private Caller atConsistency(Caller caller) {
        var level = caller.consistency().orElse(defaultConsistency);
        if (level.compareTo(defaultConsistency) < 0) {
            throw new FailureException(new Failure.BadRequest("The request asks for consistency " + level.label()
                    + ", which is stronger than the account's default, " + defaultConsistency.label() + "."));
        }
        var settled = caller.on(level, metering.chargeMax());
        return level.compareTo(ConsistencyLevel.SESSION) > 0 ? settled.withoutSession() : settled;
    }

    /** Only what has no effect may be refused after it is done. */
    private static CompletionStage<Outcome> affordable(CompletionStage<Outcome> read, Caller caller) {
        var most = caller.spending().chargeMax();
        return most.isEmpty()
                ? read
                : read.thenApply(outcome -> {
                    try {
                        outcome.bill().demandAtMost(most);
                        return outcome;
                    } catch (FailureException refused) {
                        return Outcome.refused(refused.failure(), outcome.bill(), outcome.facts());
                    }
                });
    }

    private static boolean isChange(Operation operation) {
        return switch (operation) {
            case Operation.Batch batch -> !batch.isReading();
            case Operation.CreateResource _,
                    Operation.ReplaceResource _,
                    Operation.DeleteResource _,
                    Operation.WriteItem _,
                    Operation.ExecuteProcedure _,
                    Operation.DeletePartition _ -> true;
            case Operation.ReadItem _,
                    Operation.ReadResource _,
                    Operation.ListResources _,
                    Operation.QueryResources _,
                    Operation.ReadRanges _,
                    Operation.ReadProgress _,
                    Operation.ListItems _,
                    Operation.ReadChanges _,
                    Operation.QueryItems _,
                    Operation.PlanQuery _ -> false;
        };
    }

    private static boolean isAboutResources(Operation operation) {
        return switch (operation) {
            case Operation.ReadResource read -> !read.address().isAccount();
            case Operation.CreateResource _,
                    Operation.ReplaceResource _,
                    Operation.DeleteResource _,
                    Operation.ListResources _,
                    Operation.QueryResources _,
                    Operation.ReadRanges _,
                    Operation.ReadProgress _,
                    Operation.PlanQuery _ -> true;
            case Operation.ReadItem _,
                    Operation.WriteItem _,
                    Operation.ExecuteProcedure _,
                    Operation.DeletePartition _,
                    Operation.Batch _,
                    Operation.ListItems _,
                    Operation.ReadChanges _,
                    Operation.QueryItems _ -> false;
        };
    }

    /** What was created or deleted may be a view. */
    private CompletionStage<Outcome> following(Outcome outcome) {
        views.startDue();
        return done(outcome);
    }

    private static CompletionStage<Outcome> done(Outcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    /** The container that an item operation names, if it is the one that the client means. */
    private Container container(Address address, Caller caller) {
        var container = catalog.resolveContainer(address);
        var meant = caller.intended().containerRid();
        if (meant.isPresent() && !meant.get().equals(container.rid().toString())) {
            throw new FailureException(new Failure.IntendedContainerMismatch("Container " + address
                    + " has been deleted and created again: its rid is " + container.rid() + ", not " + meant.get()
                    + "."));
        }
        caller.intended().range().ifPresent(range -> container.ranges().resolve(range));
        return container;
    }

    /** What replies from a range, or about the account, say of it whatever they answer. */
    private Outcome progress(Operation.ReadProgress progress, Caller caller) {
        if (progress.place().isAccount()) {
            return new Outcome(new Answer.Progress(), Bill.NOTHING, Facts.ofAccount(catalog.version() + 1));
        }
        try (var covered = ScopeSlices.covering(router, container(progress.place(), caller), progress.scope())) {
            return new Outcome(new Answer.Progress(), Bill.NOTHING, covered.facts());
        }
    }

    /** The same, unless only the server itself may write to it. */
    private Container writable(Address address, Caller caller) {
        var container = container(address, caller);
        container.definition().view().ifPresent(view -> {
            throw new FailureException(new Failure.Forbidden("Container " + address + " is a view of '"
                    + view.sourceId().orElseThrow() + "' and follows it; write to that one instead."));
        });
        return container;
    }

    private static Outcome refused(Throwable problem) {
        var cause = problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
        if (cause instanceof FailureException refusal) {
            boolean unheard = refusal.failure() instanceof Failure.Throttled;
            return Outcome.refused(refusal.failure(), unheard ? Bill.NOTHING : Bill.METADATA, Facts.NONE);
        }
        if (cause instanceof StoreException unable) {
            LOG.error("The store could not do what was asked", unable);
            return Outcome.refused(new Failure.Unavailable(unable.getMessage() + "."), Bill.NOTHING, Facts.NONE);
        }
        if (cause instanceof OutOfMemoryError ended) {
            // Whatever was being changed was given up as a whole, by the lane or the catalog.
            LOG.error("There was no memory for an operation", ended);
            return Outcome.refused(MemoryBudget.shortage().failure(), Bill.NOTHING, Facts.NONE);
        }
        LOG.error("An operation failed in a way it should not", cause);
        return Outcome.refused(
                new Failure.Internal("The operation failed because of a fault in the server, which is in its log."),
                Bill.NOTHING,
                Facts.NONE);
    }

    @Override
    public boolean isPrompt(Operation operation) {
        return switch (operation) {
            case Operation.ReadItem _ -> true;
            case Operation.WriteItem write -> bytesOf(write.write()) <= Limits.PROMPT_BYTES_MAX;
            // Scripts run on threads of their own.
            case Operation.ExecuteProcedure execute -> execute.arguments().length <= Limits.PROMPT_BYTES_MAX;
            case Operation.ReadResource read -> !read.quota();
            case Operation.ReadRanges _, Operation.ReadProgress _ -> true;
            case Operation.ReadChanges read -> isIdle(read);
            case Operation.QueryItems query -> isAboutOneItem(query);
            case Operation.CreateResource _,
                    Operation.ReplaceResource _,
                    Operation.DeleteResource _,
                    Operation.ListResources _,
                    Operation.QueryResources _,
                    Operation.DeletePartition _,
                    Operation.Batch _,
                    Operation.ListItems _,
                    Operation.PlanQuery _ -> false;
        };
    }

    /** Such a query takes no longer than a read of the item, and to change the thread for it would take as long again. */
    private boolean isAboutOneItem(Operation.QueryItems query) {
        try {
            return queries.isPrompt(catalog.resolveContainer(query.container()), query);
        } catch (FailureException refused) {
            return false; // To be said in its turn.
        }
    }

    /** Whoever polls gets the same answer over and over; it takes no more than a look at what is in memory. */
    private boolean isIdle(Operation.ReadChanges read) {
        try {
            return changes.isIdle(catalog.resolveContainer(read.container()), read);
        } catch (FailureException refused) {
            return false; // To be said in its turn.
        }
    }

    /** How far each view is behind its source. */
    public List<Views.Lag> viewLags() {
        return views.lags();
    }

    /** The container that an address leads to or into, or its database, whichever of them there is. Quick. */
    public Location locate(Address address) {
        return catalog.locate(address);
    }

    public boolean has(Location location) {
        return catalog.has(location);
    }

    /** What all containers hold. */
    public List<Census.Figures> census() {
        return census.take();
    }

    /** What all physical partitions hold and use. */
    public List<Census.RangeFigures> ranges() {
        return census.ranges(budgets);
    }

    /** How what was asked since the start could be had for less. */
    public Advice advice() {
        notes.catchUp();
        return advisor.advise();
    }

    /** Takes the notes for the advisor now, which otherwise happens from time to time. */
    void noteWorkload() {
        notes.catchUp();
    }

    /** Closes all ranges; each is opened again when somebody asks for it. */
    void releaseRanges() {
        catalog.partitions().forEach(partitions::release);
    }

    /** Shortens the logs now, which otherwise happens from time to time. */
    void trimLogs() {
        trim.trim();
    }

    /** Begins nothing of its own any more; what clients have asked for goes on. */
    public void stop() {
        upkeep.stop();
        rebuild.stop();
        views.stop();
    }

    /** Nothing may be under way any more. */
    @Override
    public void close() {
        stop();
        rebuild.close();
        views.close();
        partitions.close();
        catalog.close();
    }
}
