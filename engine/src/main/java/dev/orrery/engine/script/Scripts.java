package dev.orrery.engine.script;

import dev.orrery.engine.budget.Charges;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.Items;
import dev.orrery.engine.item.Router;
import dev.orrery.engine.item.Transaction;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.ExecuteProcedure;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.RangeMoved;
import dev.orrery.engine.query.Feeds;
import dev.orrery.engine.query.Queries;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Arr;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Runs scripts as transactions of one logical partition. */
public final class Scripts {
    private static final String NO_ARGUMENTS = "[]";
    private static final long RETRY_AFTER_MILLIS = 100;

    private final Catalog catalog;
    private final Items items;
    private final Router router;
    private final Queries queries;
    private final Feeds feeds;
    private final ScriptRunner runner;
    private final Executor threads;
    private final LongSupplier nanos;
    private final Turns turns = new Turns();
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
            LongSupplier nanos) {
        this.catalog = catalog;
        this.items = items;
        this.router = router;
        this.queries = queries;
        this.feeds = feeds;
        this.runner = runner;
        this.threads = threads;
        this.nanos = nanos;
    }

    // ---- stored procedures ----

    public CompletionStage<Outcome> execute(Container container, ExecuteProcedure execute, Caller caller) {
        var procedure = script(container, ResourceKind.STORED_PROCEDURE, execute.id());
        var arguments = arguments(execute.arguments());
        var partition = Router.partition(container, execute.partition());
        Router.demandSession(router.route(container, partition.epk()), caller);
        var call = new ScriptCall(
                procedure,
                ScriptCall.Role.PROCEDURE,
                arguments,
                "Execute",
                Optional.of(arguments),
                Optional.empty(),
                execute.logs());
        return transact(container, partition, (transaction, host) -> {
            var result = runner.run(call, host);
            var body = result.response().orElse("\"\"").getBytes(StandardCharsets.UTF_8);
            return new Answer.Executed(body, execute.logs() ? Optional.of(result.log()) : Optional.empty());
        });
    }

    private Script script(Container container, ResourceKind kind, String id) {
        return catalog.find(Optional.of(container.rid()), kind, id)
                .or(() -> Rid.find(id)
                        .flatMap(catalog::find)
                        .filter(resource ->
                                resource.kind() == kind && resource.parent().equals(Optional.of(container.rid()))))
                .map(Script::of)
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

    // ---- transactions ----

    /** What is to be done in a transaction; it may be done again from the start, on a later snapshot. */
    private interface Work {
        Answer run(Transaction transaction, TransactionHost host);
    }

    private CompletionStage<Outcome> transact(Container container, LogicalPartition partition, Work work) {
        if (waiting.incrementAndGet() > Limits.SCRIPTS_WAITING_MAX) {
            waiting.decrementAndGet();
            throw new FailureException(
                    new Failure.Throttled("Too many scripts are waiting to be run.", RETRY_AFTER_MILLIS));
        }
        return turns.take(
                        container.rid(),
                        partition,
                        () -> attempt(container, partition, work, Limits.SCRIPT_ATTEMPTS_MAX))
                .whenComplete((_, _) -> waiting.decrementAndGet());
    }

    private CompletionStage<Outcome> attempt(
            Container container, LogicalPartition partition, Work work, int attemptsLeft) {
        return CompletableFuture.supplyAsync(() -> once(container, partition, work), threads)
                .thenCompose(stage -> stage)
                .handle((outcome, problem) -> {
                    var cause = problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
                    if (cause == null) {
                        return CompletableFuture.completedStage(outcome);
                    }
                    if (!(cause instanceof Transaction.Outdated || cause instanceof RangeMoved)) {
                        return CompletableFuture.<Outcome>failedStage(cause);
                    }
                    return attemptsLeft > 1
                            ? attempt(container, partition, work, attemptsLeft - 1)
                            : CompletableFuture.completedStage(contended(container, partition));
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Outcome> once(Container asked, LogicalPartition partition, Work work) {
        var container = items.current(asked);
        try (var transaction = items.begin(container, partition)) {
            var host = new TransactionHost(transaction, queries, feeds, nanos);
            Answer answer;
            try {
                answer = work.run(transaction, host);
            } catch (FailureException refused) {
                return CompletableFuture.completedStage(
                        Outcome.refused(refused.failure(), charge(host), transaction.facts()));
            }
            return transaction.commit().thenApply(facts -> new Outcome(answer, charge(host), facts));
        }
    }

    private static double charge(TransactionHost host) {
        return Charges.script(host.charge());
    }

    private Outcome contended(Container container, LogicalPartition partition) {
        Facts facts = router.route(items.current(container), partition.epk()).facts();
        return Outcome.refused(
                new Failure.RetryWith("Other writes to the same partition key kept changing what the script had read."
                        + " Nothing of it was stored; try again."),
                Charges.read(0),
                facts);
    }
}
