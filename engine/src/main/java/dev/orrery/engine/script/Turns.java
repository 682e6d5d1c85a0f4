package dev.orrery.engine.script;

import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.model.Rid;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets scripts of one logical partition run one after another. They would be right without it, but each that commits
 * makes all others that run at the same time start again. One that takes long does not keep the others waiting.
 */
final class Turns {
    /** After so long the next may start as well. */
    private static final long MILLIS_MAX = 100;

    private final ScheduledExecutorService timer;
    private final ConcurrentHashMap<Place, Turn> last = new ConcurrentHashMap<>();

    private record Place(Rid container, LogicalPartition partition) {}

    private final class Turn {
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private volatile boolean started;

        /** To be called when it has started and somebody waits for it. */
        @SuppressWarnings("FutureReturnValueIgnored") // It cannot fail, and nobody has to wait for it.
        void endSoon() {
            try {
                timer.schedule(() -> over.complete(null), MILLIS_MAX, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException ending) {
                over.complete(null);
            }
        }
    }

    Turns(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /** Starts work when all that came before it for the same partition is done, or has had its time. */
    @SuppressWarnings("FutureReturnValueIgnored") // What follows tells its own future how it ended.
    <T> CompletionStage<T> take(Rid container, LogicalPartition partition, Supplier<CompletionStage<T>> work) {
        var place = new Place(container, partition);
        var turn = new Turn();
        var result = new CompletableFuture<T>();
        var before = last.put(place, turn);
        if (before == null) {
            start(place, turn, work, result);
        } else {
            before.over.whenComplete((_, _) -> start(place, turn, work, result));
            if (before.started) {
                before.endSoon();
            }
        }
        return result;
    }

    private <T> void start(Place place, Turn turn, Supplier<CompletionStage<T>> work, CompletableFuture<T> result) {
        turn.started = true;
        // Whoever comes after this line sees that the turn has started.
        if (last.get(place) != turn) {
            turn.endSoon();
        }
        try {
            work.get().whenComplete((value, problem) -> finish(place, turn, result, value, problem));
        } catch (RuntimeException problem) {
            finish(place, turn, result, null, problem);
        }
    }

    private <T> void finish(Place place, Turn turn, CompletableFuture<T> result, T value, Throwable problem) {
        last.remove(place, turn);
        turn.over.complete(null);
        if (problem == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(problem);
        }
    }
}
