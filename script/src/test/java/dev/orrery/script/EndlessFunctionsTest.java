package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.script.Script;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Functions run on the threads of queries: when none of these is left, there still is one to end a function. */
class EndlessFunctionsTest {
    private static final int WORKERS = 2;
    private static final Script LOOP = new Script("1", "loop", "function () { for (;;) {} }");
    private static final Script ONE = new Script("2", "one", "function () { return 1; }");

    @Test
    void moreOfThemThanThereAreWorkersAreEndedAndOthersRunAfterwards() {
        var time = new ScriptTime();
        try (var timer = Executors.newScheduledThreadPool(1);
                var workers = Executors.newFixedThreadPool(WORKERS);
                var endings = Executors.newCachedThreadPool();
                var scripts = new GraalScripts(timer, workers, endings, time)) {
            time.hurry();
            var loops = IntStream.range(0, 3 * WORKERS)
                    .mapToObj(_ -> call(scripts, LOOP, workers))
                    .toList();
            for (var loop : loops) {
                assertThat(loop.handle((_, problem) -> failure(problem)).join()).isInstanceOf(Failure.Timeout.class);
            }
            time.hold();
            assertThat(call(scripts, ONE, workers).join()).isEqualTo(new JsonValue.Num(1));
        }
    }

    private static CompletableFuture<JsonValue> call(GraalScripts scripts, Script function, Executor workers) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (var functions = scripts.functions()) {
                        return functions.call(function, List.of());
                    }
                },
                workers);
    }

    private static Failure failure(Throwable problem) {
        return problem instanceof CompletionException wrapped && wrapped.getCause() instanceof FailureException refused
                ? refused.failure()
                : null;
    }
}
