package dev.orrery.engine.script;

import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.model.Rid;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Lets scripts of one logical partition run one after another. They would be right without it, but each that commits
 * makes all others that run at the same time start again.
 */
final class Turns {
    private final ConcurrentHashMap<Place, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    private record Place(Rid container, LogicalPartition partition) {}

    /** Starts work when all that came before it for the same partition is done. */
    @SuppressWarnings("FutureReturnValueIgnored") // What follows tells its own future how it ended.
    <T> CompletionStage<T> take(Rid container, LogicalPartition partition, Supplier<CompletionStage<T>> work) {
        var key = new Place(container, partition);
        var turn = new CompletableFuture<T>();
        var before = last.put(key, turn);
        if (before == null) {
            start(key, turn, work);
        } else {
            before.whenComplete((_, _) -> start(key, turn, work));
        }
        return turn;
    }

    private <T> void start(Place key, CompletableFuture<T> turn, Supplier<CompletionStage<T>> work) {
        try {
            work.get().whenComplete((result, problem) -> finish(key, turn, result, problem));
        } catch (RuntimeException problem) {
            finish(key, turn, null, problem);
        }
    }

    private <T> void finish(Place key, CompletableFuture<T> turn, T result, Throwable problem) {
        last.remove(key, turn);
        if (problem == null) {
            turn.complete(result);
        } else {
            turn.completeExceptionally(problem);
        }
    }
}
