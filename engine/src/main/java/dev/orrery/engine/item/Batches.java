package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.item.ItemWriter.PreparedWrite;
import dev.orrery.engine.item.ItemWriter.Written;
import dev.orrery.engine.item.Router.Route;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.Batch;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.partition.Lane;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.key.PartitionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Several item operations in one request. */
public final class Batches {
    private final Items items;
    private final Router router;

    public Batches(Items items, Router router) {
        this.items = items;
        this.router = router;
    }

    public CompletionStage<Outcome> run(Container container, Batch batch, Caller caller) {
        return batch.atomic() ? atomic(container, batch, caller) : oneByOne(container, batch, caller);
    }

    // ---- all or nothing ----

    /** An operation that found its place: a write, or a read of a key. */
    private sealed interface Step {
        record Read(ItemKey key, Precondition precondition) implements Step {}

        record Write(PreparedWrite write) implements Step {}
    }

    /** Undoes the unit it is thrown in, and tells which operation was to blame. */
    private static final class StepRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient int step;
        private final transient Failure failure;

        StepRefused(int step, Failure failure) {
            super(failure.message(), null, false, false);
            this.step = step;
            this.failure = failure;
        }
    }

    private CompletionStage<Outcome> atomic(Container container, Batch batch, Caller caller) {
        var partition = Router.partition(container, batch.scope().partition());
        if (batch.items().stream().anyMatch(item -> item.action() instanceof BatchAction.Read)) {
            Router.demandSession(router.route(container, partition.epk()), caller); // Nothing to see for a writer.
        }
        batch.items().forEach(item -> demandSamePartition(item.partition(), partition));
        var steps = new ArrayList<Step>();
        for (var item : batch.items()) {
            try {
                steps.add(prepare(container, batch, item.action(), partition));
            } catch (FailureException refused) {
                var facts = router.route(container, partition.epk()).facts();
                return CompletableFuture.completedFuture(
                        rolledBack(batch, new StepRefused(steps.size(), refused.failure()), caller, facts));
            }
        }
        return items.inLane(container, partition, caller, new LaneTask<List<BatchResult>>() {
            @Override
            public List<BatchResult> run(Unit unit, Container current) {
                var results = runAll(unit, current, batch, steps, caller);
                bill(results).demandAtMost(caller.spending().chargeMax());
                return results;
            }

            @Override
            public Outcome answer(Route route, Lane.Done<List<BatchResult>> done) {
                return new Outcome(
                        new Answer.Batch(done.result()),
                        bill(done.result()),
                        route.factsOfWrite(done.lsn(), Optional.empty(), Optional.empty()));
            }

            @Override
            public Optional<Outcome> explain(Route route, Throwable problem) {
                return problem instanceof StepRefused refused
                        ? Optional.of(rolledBack(batch, refused, caller, route.facts()))
                        : Optional.empty();
            }
        });
    }

    private List<BatchResult> runAll(Unit unit, Container container, Batch batch, List<Step> steps, Caller caller) {
        var results = new ArrayList<BatchResult>(steps.size());
        var room = new Room();
        for (int step = 0; step < steps.size(); step++) {
            try {
                var result = run(unit, container, steps.get(step), caller);
                room.demand(batch.items().get(step), result);
                results.add(result);
            } catch (FailureException refused) {
                throw new StepRefused(step, refused.failure());
            }
        }
        return results;
    }

    private BatchResult run(Unit unit, Container container, Step step, Caller caller) {
        return switch (step) {
            case Step.Read(var key, var precondition) ->
                read(ItemWriter.demandPresent(key, ItemRows.find(unit, container, key)), precondition, caller);
            case Step.Write(var write) -> result(items.writer().write(unit, container, write));
        };
    }

    private BatchResult read(StoredItem item, Precondition precondition, Caller caller) {
        boolean known = precondition
                .ifNoneMatch()
                .filter(etag -> ItemWriter.matches(etag, item))
                .isPresent();
        return new BatchResult(
                known ? new Answer.NotModified() : new Answer.Resource(Outcome.Change.READ, item.json()),
                items.prices().read(known ? 0 : item.sizeBytes(), caller),
                Optional.of(item.etag()));
    }

    private static BatchResult result(Written written) {
        return written.item() == null
                ? new BatchResult(new Answer.Deleted(), written.bill(), Optional.empty())
                : new BatchResult(
                        new Answer.Resource(written.change(), written.item().json()),
                        written.bill(),
                        Optional.of(written.item().etag()));
    }

    private Outcome rolledBack(Batch batch, StepRefused refused, Caller caller, Facts facts) {
        var undone = new Failure.FailedDependency("Undone, because another operation of the batch failed.");
        var results = new ArrayList<BatchResult>();
        for (int step = 0; step < batch.items().size(); step++) {
            results.add(
                    step == refused.step
                            ? refused(
                                    refused.failure,
                                    attempt(batch.items().get(step).action(), caller))
                            : refused(undone, Bill.NOTHING));
        }
        return new Outcome(new Answer.Batch(results), bill(results), facts);
    }

    private Bill attempt(BatchAction action, Caller caller) {
        return switch (action) {
            case BatchAction.Read _ -> items.prices().read(0, caller);
            case BatchAction.Write _ -> items.prices().attempt();
        };
    }

    private Step prepare(Container container, Batch batch, BatchAction action, LogicalPartition partition) {
        return switch (action) {
            case BatchAction.Read(var id, var precondition) -> new Step.Read(ItemKey.of(partition, id), precondition);
            case BatchAction.Write(var write, var indexing) ->
                new Step.Write(items.prepare(container, batch.container(), Optional.of(partition.key()), write)
                        .with(indexing));
        };
    }

    private static void demandSamePartition(Optional<PartitionKey> own, LogicalPartition partition) {
        if (own.isPresent() && !own.get().equals(partition.key())) {
            throw new FailureException(new Failure.BadRequest(
                    "One or more operations within the batch request have a different partition key value than the"
                            + " request. All operations of a transactional batch must be in one logical partition."));
        }
    }

    /** The items in an answer: all together have a limit. */
    private static final class Room {
        static final Failure NONE_LEFT = new Failure.TooLarge("The answer to a batch may have "
                + Limits.BATCH_ANSWER_BYTES_MAX + " bytes, and the items before this one leave no room for it.");

        private long left = Limits.BATCH_ANSWER_BYTES_MAX;

        void demand(BatchItem item, BatchResult result) {
            if (!take(item, result)) {
                throw new FailureException(NONE_LEFT);
            }
        }

        boolean take(BatchItem item, BatchResult result) {
            int bytes = result.answer() instanceof Answer.Resource(var change, var json)
                            && (change == Outcome.Change.READ || !item.minimal())
                    ? json.remaining()
                    : 0;
            if (bytes > left) {
                return false;
            }
            left -= bytes;
            return true;
        }
    }

    // ---- each for itself ----

    private CompletionStage<Outcome> oneByOne(Container container, Batch batch, Caller caller) {
        var facts = batch.scope()
                .rangeId()
                .map(name -> router.route(container, container.ranges().resolve(name)));
        CompletionStage<List<BatchResult>> all =
                batch.continueOnError() ? together(container, batch, caller) : inTurn(container, batch, caller);
        return all.thenApply(results -> new Outcome(
                new Answer.Batch(fitting(batch, results)),
                bill(results),
                facts.map(Route::facts).orElse(Facts.NONE)));
    }

    /** What was read and finds no room in the answer is refused, and clients ask for it again; a write is done. */
    private static List<BatchResult> fitting(Batch batch, List<BatchResult> results) {
        var room = new Room();
        var fitting = new ArrayList<BatchResult>(results.size());
        for (int i = 0; i < results.size(); i++) {
            var item = batch.items().get(i);
            var result = results.get(i);
            boolean fits = room.take(item, result);
            fitting.add(
                    fits || item.action() instanceof BatchAction.Write
                            ? result
                            : refused(Room.NONE_LEFT, result.bill()));
        }
        return fitting;
    }

    /** All at once, so that they share commits. */
    private CompletionStage<List<BatchResult>> together(Container container, Batch batch, Caller caller) {
        var writes = new HashMap<ItemKey, CompletionStage<BatchResult>>();
        var stages = batch.items().stream()
                .map(item -> one(container, batch, item, caller, writes).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(stages.toArray(CompletableFuture[]::new))
                .thenApply(done -> stages.stream().map(CompletableFuture::join).toList());
    }

    private CompletionStage<List<BatchResult>> inTurn(Container container, Batch batch, Caller caller) {
        CompletionStage<List<BatchResult>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (var item : batch.items()) {
            all = all.thenCompose(results -> {
                boolean failed = !results.isEmpty() && results.getLast().answer() instanceof Answer.Refused;
                CompletionStage<BatchResult> next = failed
                        ? CompletableFuture.completedFuture(refused(
                                new Failure.FailedDependency("Not tried, because an operation before it failed."),
                                Bill.NOTHING))
                        : one(container, batch, item, caller, new HashMap<>());
                return next.thenApply(result -> {
                    results.add(result);
                    return results;
                });
            });
        }
        return all;
    }

    /**
     * @param writes the last write of each item so far; a lane keeps writes in order, but reads pass it by and have to
     *     wait for the write before them, to see what it did
     */
    private CompletionStage<BatchResult> one(
            Container container,
            Batch batch,
            BatchItem item,
            Caller caller,
            Map<ItemKey, CompletionStage<BatchResult>> writes) {
        try {
            var partition = Router.partition(
                    container, item.partition().or(() -> batch.scope().partition()));
            var route = router.route(container, partition.epk());
            demandInRange(batch, route);
            return switch (prepare(container, batch, item.action(), partition)) {
                case Step.Read read -> {
                    var before = writes.get(read.key());
                    yield before == null
                            ? read(route, read, caller)
                            : before.thenCompose(_ -> read(route, read, caller));
                }
                case Step.Write(var write) -> {
                    var done = items.write(container, write, caller).thenApply(Batches::result);
                    writes.put(write.key(), done);
                    writes.put(write.target(), done);
                    yield done;
                }
            };
        } catch (FailureException refused) {
            return CompletableFuture.completedFuture(refused(refused.failure(), Bill.NOTHING));
        }
    }

    private CompletionStage<BatchResult> read(Route route, Step.Read read, Caller caller) {
        try {
            return items.read(route, read.key(), read.precondition(), caller)
                    .thenApply(outcome -> affordable(outcome, caller));
        } catch (FailureException refused) {
            return CompletableFuture.completedFuture(refused(refused.failure(), Bill.NOTHING));
        }
    }

    /** A client that does not know of a split yet sends operations to a range that has lost them. */
    private static void demandInRange(Batch batch, Route route) {
        if (batch.scope()
                .rangeId()
                .filter(name -> !name.equals(route.range().name()))
                .isPresent()) {
            throw new FailureException(new Failure.PartitionRangeGone("The operation belongs to range "
                    + route.range().name() + ", not " + batch.scope().rangeId().get() + "."));
        }
    }

    private static BatchResult affordable(Outcome outcome, Caller caller) {
        try {
            outcome.bill().demandAtMost(caller.spending().chargeMax());
            return result(outcome);
        } catch (FailureException refused) {
            return refused(refused.failure(), outcome.bill());
        }
    }

    private static BatchResult result(Outcome outcome) {
        return new BatchResult(outcome.answer(), outcome.bill(), outcome.facts().etag());
    }

    private static BatchResult refused(Failure failure, Bill bill) {
        return new BatchResult(new Answer.Refused(failure), bill, Optional.empty());
    }

    private static Bill bill(List<BatchResult> results) {
        return Bill.sum(results.stream().map(BatchResult::bill).toList());
    }
}
