package dev.orrery.engine.script;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.item.Items;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.item.Settler;
import dev.orrery.engine.item.Transaction;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.ExecuteProcedure;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.WriteItem;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.RangeMoved;
import dev.orrery.engine.query.Feeds;
import dev.orrery.engine.query.Queries;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.TriggerDefinition;
import dev.orrery.model.definition.TriggerDefinition.Moment;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs scripts as transactions of one logical partition. */
public final class Scripts {
    private static final Logger LOG = LoggerFactory.getLogger(Scripts.class);

    private static final String NO_ARGUMENTS = "[]";
    private static final Pattern SLASHES = Pattern.compile("^/|/$");
    private static final long RETRY_AFTER_MILLIS = 100;
    private static final int MEMORY_SHARE_OF_SCRIPT = 16;

    private final Catalog catalog;
    private final Items items;
    private final Router router;
    private final Queries queries;
    private final Feeds feeds;
    private final ScriptRunner runner;
    private final Executor threads;
    private final LongSupplier nanos;
    private final MemoryBudget memory;
    private final Turns turns;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param threads for scripts alone, so that long ones keep nobody else waiting */
    public Scripts(
            Catalog catalog,
            Items items,
            Router router,
            Queries queries,
            Feeds feeds,
            ScriptRunner runner,
            Executor threads,
            ScheduledExecutorService timer,
            LongSupplier nanos,
            MemoryBudget memory) {
        this.catalog = catalog;
        this.items = items;
        this.router = router;
        this.queries = queries;
        this.feeds = feeds;
        this.runner = runner;
        this.threads = threads;
        this.turns = new Turns(timer);
        this.nanos = nanos;
        this.memory = memory;
    }

    // ---- stored procedures ----

    public CompletionStage<Outcome> execute(Container container, ExecuteProcedure execute, Caller caller) {
        var procedure = Script.of(resolve(container, ResourceKind.STORED_PROCEDURE, execute.id()));
        var arguments = arguments(execute.arguments());
        var partition = Router.partition(container, execute.partition());
        var route = router.route(container, partition.epk());
        Router.demandSession(route, caller);
        var call = new ScriptCall(
                procedure,
                ScriptCall.Role.PROCEDURE,
                arguments,
                "Execute",
                Optional.of(arguments),
                Optional.empty(),
                execute.logs());
        return transact(route, partition, caller, (transaction, host) -> {
            var result = runner.run(call, host);
            var body = result.response().orElse("\"\"").getBytes(StandardCharsets.UTF_8);
            var log = execute.logs() ? Optional.of(result.log()) : Optional.<String>empty();
            return new BatchResult(new Answer.Executed(body, log), scripts(1).plus(host.bill()), Optional.empty());
        });
    }

    private Resource resolve(Container container, ResourceKind kind, String id) {
        return catalog.find(Optional.of(container.rid()), kind, id)
                .or(() -> Rid.find(id)
                        .flatMap(catalog::find)
                        .filter(resource ->
                                resource.kind() == kind && resource.parent().equals(Optional.of(container.rid()))))
                .orElseThrow(() -> new FailureException(new Failure.NotFound(
                        "Resource " + container.ownerPath() + "/" + kind.segment() + "/" + id + " does not exist.")));
    }

    private static String arguments(byte[] body) {
        if (body.length == 0) {
            return NO_ARGUMENTS;
        }
        if (!(JsonReader.parse(body) instanceof Arr)) {
            throw new FailureException(
                    new Failure.BadRequest("The arguments of a stored procedure must be a JSON array."));
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    // ---- triggers ----

    /** A write with the triggers that it names. */
    public CompletionStage<Outcome> write(Container container, WriteItem operation, Caller caller) {
        var before = triggers(container, operation.write(), operation.triggers().before(), Moment.BEFORE);
        var after = triggers(container, operation.write(), operation.triggers().after(), Moment.AFTER);
        var partition = Router.partition(container, operation.partition());
        var route = router.route(container, partition.epk());
        return transact(route, partition, caller, (transaction, host) -> {
            var write = byName(transaction, operation);
            var written = new TriggeredWrite(runner, before, after, write, operation.indexing()).run(transaction, host);
            var bill =
                    scripts(before.size() + after.size()).plus(written.bill()).plus(host.bill());
            return new BatchResult(written.answer(), bill, written.etag());
        });
    }

    private List<TriggeredWrite.Trigger> triggers(
            Container container, ItemWrite write, List<String> names, Moment moment) {
        if (names.size() > Limits.TRIGGERS_OF_WRITE_MAX) {
            throw new FailureException(new Failure.BadRequest("A write may name " + Limits.TRIGGERS_OF_WRITE_MAX
                    + " trigger to run before it and as many to run after it."));
        }
        return names.stream()
                .map(name -> resolve(container, ResourceKind.TRIGGER, name))
                .map(resource -> trigger(resource, write, moment))
                .toList();
    }

    private static TriggeredWrite.Trigger trigger(Resource resource, ItemWrite write, Moment moment) {
        var definition = TriggerDefinition.parse(resource.json());
        if (definition.moment() != moment) {
            throw new FailureException(new Failure.BadRequest("The trigger '" + definition.id() + "' is of the type "
                    + definition.moment().spelling() + " and cannot run as one of the type " + moment.spelling()
                    + "."));
        }
        TriggeredWrite.demandOccasion(write, definition);
        return new TriggeredWrite.Trigger(Script.of(resource), definition);
    }

    /** The same write with the item named by its id, should the client have named it by its rid. */
    private static ItemWrite byName(Transaction transaction, WriteItem operation) {
        if (!operation
                .container()
                .last()
                .id()
                .equals(transaction.container().rid().toString())) {
            return operation.write();
        }
        return switch (operation.write()) {
            case ItemWrite.Create _, ItemWrite.Upsert _ -> operation.write();
            case ItemWrite.Replace replace ->
                new ItemWrite.Replace(id(transaction, replace.id()), replace.body(), replace.precondition());
            case ItemWrite.Patch patch ->
                new ItemWrite.Patch(id(transaction, patch.id()), patch.patch(), patch.precondition());
            case ItemWrite.Delete delete -> new ItemWrite.Delete(id(transaction, delete.id()), delete.precondition());
        };
    }

    private static String id(Transaction transaction, String given) {
        return Rid.find(given).flatMap(transaction::findId).orElse(given);
    }

    // ---- merge procedures ----

    /** What has come of asking the merge procedure of a container. */
    public enum Merge {
        /** It has settled the write. */
        DONE,
        /** There is none, or it failed: nothing has changed. */
        FAILED,
        /** What it had to settle has changed meanwhile: nothing has come of it, and a rule may settle the write now. */
        OUTDATED
    }

    /**
     * Has the merge procedure of a container settle a write of a region that no rule settles. What it does is committed with
     * the note that the write is settled, so it counts once, however often the write is offered.
     *
     * @param slot of the region
     */
    public CompletionStage<Merge> merge(Container container, int slot, Tentative write) {
        var procedure = mergeProcedure(container);
        return procedure.isEmpty()
                ? CompletableFuture.completedStage(Merge.FAILED)
                : CompletableFuture.supplyAsync(
                                () -> withMemory(() -> merge(container, procedure.get(), slot, write)), threads)
                        .thenCompose(stage -> stage)
                        .exceptionallyCompose(problem -> unwrapped(problem) instanceof Transaction.Outdated
                                ? CompletableFuture.completedStage(Merge.OUTDATED)
                                : CompletableFuture.failedStage(problem));
    }

    private static Merge failed(Container container, FailureException problem) {
        LOG.info(
                "The merge procedure of {} has failed, and leaves a conflict to people: {}",
                container.ownerPath(),
                problem.failure().message());
        return Merge.FAILED;
    }

    /** The stored procedure that the policy of a container names by a link, in ids or in rids. */
    private Optional<Resource> mergeProcedure(Container container) {
        var link = container.definition().conflictResolutionPolicy().procedure();
        return catalog.list(Optional.of(container.rid()), ResourceKind.STORED_PROCEDURE).stream()
                .filter(procedure -> isSame(link, catalog.path(procedure)) || isSame(link, procedure.self()))
                .findFirst();
    }

    private static boolean isSame(String link, String other) {
        return SLASHES.matcher(link)
                .replaceAll("")
                .equals(SLASHES.matcher(other).replaceAll(""));
    }

    private CompletionStage<Merge> merge(Container asked, Resource procedure, int slot, Tentative write) {
        var container = items.current(asked);
        try (var transaction = items.beginSettled(container, write.key().partition())) {
            var conflict = transaction.conflict(slot, write);
            if (conflict.isEmpty()) {
                return CompletableFuture.completedStage(Merge.OUTDATED);
            }
            try {
                runner.run(
                        mergeCall(procedure, conflict.get().arguments()),
                        new TransactionHost(transaction, queries, feeds, items.prices(), nanos, Caller.owner()));
            } catch (FailureException failed) {
                return CompletableFuture.completedStage(failed(container, failed));
            }
            return transaction
                    .settle(slot, write)
                    .thenApply(_ -> Merge.DONE)
                    .exceptionallyCompose(problem ->
                            unwrapped(problem) instanceof FailureException refused && Settler.isFinal(refused)
                                    ? CompletableFuture.completedStage(failed(container, refused))
                                    : CompletableFuture.failedStage(problem));
        }
    }

    private static ScriptCall mergeCall(Resource procedure, String arguments) {
        return new ScriptCall(
                Script.of(procedure),
                ScriptCall.Role.PROCEDURE,
                arguments,
                "Execute",
                Optional.of(arguments),
                Optional.empty(),
                false);
    }

    private static Throwable unwrapped(Throwable problem) {
        return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
    }

    /** Says that scripts are likely to run soon. */
    public void expect() {
        runner.expect();
    }

    // ---- transactions ----

    /** What is to be done in a transaction; it may be done again from the start, on a later snapshot. */
    private interface Work {
        BatchResult run(Transaction transaction, TransactionHost host);
    }

    private CompletionStage<Outcome> transact(Route route, LogicalPartition partition, Caller caller, Work work) {
        return route.budget().run(caller.spending(), () -> inTurn(route, partition, caller, work));
    }

    private CompletionStage<Outcome> inTurn(Route route, LogicalPartition partition, Caller caller, Work work) {
        if (waiting.incrementAndGet() > Limits.SCRIPTS_WAITING_MAX) {
            waiting.decrementAndGet();
            throw new FailureException(new Failure.Throttled(
                    Shortage.SCRIPTS, "Too many scripts are waiting to be run.", RETRY_AFTER_MILLIS));
        }
        return turns.take(
                        route.container().rid(),
                        partition,
                        () -> attempt(route.container(), partition, caller, work, Limits.SCRIPT_ATTEMPTS_MAX))
                .whenComplete((_, _) -> waiting.decrementAndGet());
    }

    private Bill scripts(int calls) {
        return items.prices().scriptCalls(calls);
    }

    private CompletionStage<Outcome> attempt(
            Container container, LogicalPartition partition, Caller caller, Work work, int attemptsLeft) {
        return CompletableFuture.supplyAsync(() -> once(container, partition, caller, work), threads)
                .thenCompose(stage -> stage)
                .handle((outcome, problem) -> {
                    var cause = unwrapped(problem);
                    if (cause == null) {
                        return CompletableFuture.completedStage(outcome);
                    }
                    if (!(cause instanceof Transaction.Outdated || cause instanceof RangeMoved)) {
                        return CompletableFuture.<Outcome>failedStage(cause);
                    }
                    return attemptsLeft > 1
                            ? attempt(container, partition, caller, work, attemptsLeft - 1)
                            : CompletableFuture.completedStage(contended(container, partition));
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Outcome> once(Container asked, LogicalPartition partition, Caller caller, Work work) {
        return withMemory(() -> run(asked, partition, caller, work));
    }

    /**
     * What a script will take nobody knows before: each takes the same from what all requests share, until what it has
     * written is stored.
     */
    private <T> CompletionStage<T> withMemory(Supplier<CompletionStage<T>> work) {
        long bytes = Math.min(Limits.MEMORY_SCRIPT_BYTES, memory.bytesMax() / MEMORY_SHARE_OF_SCRIPT);
        memory.take(bytes);
        CompletionStage<T> stage;
        try {
            stage = work.get();
        } catch (Throwable failed) {
            memory.giveBack(bytes);
            throw failed;
        }
        return stage.whenComplete((_, _) -> memory.giveBack(bytes));
    }

    private CompletionStage<Outcome> run(Container asked, LogicalPartition partition, Caller caller, Work work) {
        var container = items.current(asked);
        try (var transaction = items.begin(container, partition)) {
            var host = new TransactionHost(transaction, queries, feeds, items.prices(), nanos, caller);
            BatchResult result;
            try {
                result = work.run(transaction, host);
                result.bill().demandAtMost(caller.spending().chargeMax());
            } catch (FailureException refused) {
                return CompletableFuture.completedStage(
                        Outcome.refused(refused.failure(), scripts(1).plus(host.bill()), transaction.facts()));
            }
            return transaction
                    .commit(result.etag())
                    .thenApply(facts -> new Outcome(result.answer(), result.bill(), facts));
        }
    }

    private Outcome contended(Container container, LogicalPartition partition) {
        Facts facts = router.route(items.current(container), partition.epk()).facts();
        return Outcome.refused(
                new Failure.RetryWith("Other writes to the same partition key kept changing what the script had read."
                        + " Nothing of it was stored; try again."),
                items.prices().attempt(),
                facts);
    }
}
