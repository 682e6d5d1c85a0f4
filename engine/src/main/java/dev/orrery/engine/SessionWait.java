package dev.orrery.engine;

import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.model.Limits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A reader whose session is ahead of this copy, which may come up any moment. */
final class SessionWait {
    private final Partitions partitions;
    private final ScheduledExecutorService timer;
    private final Executor workers;
    private final Supplier<CompletionStage<Outcome>> attempt;
    private final Predicate<Outcome> isBehind;
    private final CompletableFuture<Outcome> answer = new CompletableFuture<>();
    private final AtomicInteger calls = new AtomicInteger();

    SessionWait(
            Partitions partitions,
            ScheduledExecutorService timer,
            Executor workers,
            Supplier<CompletionStage<Outcome>> attempt,
            Predicate<Outcome> isBehind) {
        this.partitions = partitions;
        this.timer = timer;
        this.workers = workers;
        this.attempt = attempt;
        this.isBehind = isBehind;
    }

    CompletionStage<Outcome> whenChanged(int container) {
        var watch = partitions.watch(container, () -> workers.execute(this::retry));
        var end =
                timer.schedule(() -> workers.execute(this::giveUp), Limits.SESSION_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        var _ = answer.whenComplete((_, _) -> {
            watch.close();
            end.cancel(false);
        });
        workers.execute(this::retry); // It may have come up before anyone watched.
        return answer;
    }

    private void retry() {
        if (!answer.isDone() && calls.getAndIncrement() == 0) {
            look();
        }
    }

    /** Whoever is called while he looks looks again: what he was called for may have come too late for him. */
    private void look() {
        int heard = calls.get();
        attempt.get().thenAccept(outcome -> {
            if (!isBehind.test(outcome)) {
                answer.complete(outcome);
            } else if (calls.addAndGet(-heard) > 0) {
                workers.execute(this::look);
            }
        });
    }

    private void giveUp() {
        attempt.get().thenAccept(answer::complete);
    }
}
