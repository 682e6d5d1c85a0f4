package dev.orrery.gateway;

import dev.orrery.engine.Database;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Remembers what it was asked and answers what it was told to answer. */
public final class FakeDatabase implements Database {
    public final List<Operation> operations = new ArrayList<>();
    public final List<Caller> callers = new ArrayList<>();
    final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    boolean prompt = true;
    Supplier<CompletionStage<Outcome>> answer =
            () -> CompletableFuture.completedFuture(new Outcome(new Answer.Deleted(), bill(1), Facts.NONE));

    public void answers(Outcome outcome) {
        answer = () -> CompletableFuture.completedFuture(outcome);
    }

    @Override
    public CompletionStage<Outcome> execute(Operation operation, Caller caller) {
        operations.add(operation);
        callers.add(caller);
        return answer.get();
    }

    @Override
    public boolean isPrompt(Operation operation) {
        return prompt;
    }

    @Override
    public Watch watch(Operation.ReadChanges changes, Caller caller, Runnable watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    @Override
    public void close() {}

    private static Bill bill(double requestUnits) {
        return Bill.of(Effort.ITEM_READ, requestUnits);
    }
}
