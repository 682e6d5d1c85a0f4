package dev.orrery.engine.partition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Work on many rows, in as few commits as it fits into. */
public final class Bites {
    private Bites() {}

    /** Waits for one commit about all of them, or for two about a half each if that is too much for one, and so on. */
    public static <T> void swallow(List<T> all, Function<List<T>, CompletableFuture<?>> submit) {
        if (all.isEmpty()) {
            return;
        }
        try {
            submit.apply(all).join();
        } catch (CompletionException refused) {
            if (all.size() == 1 || !isTooMuch(refused.getCause())) {
                throw refused;
            }
            swallow(all.subList(0, all.size() / 2), submit);
            swallow(all.subList(all.size() / 2, all.size()), submit);
        }
    }

    /** Whether work was refused because it was too much for one commit. */
    public static boolean isTooMuch(Throwable cause) {
        return cause instanceof FailureException refusal
                && (refusal.failure() instanceof Failure.TooLarge || isWithoutMemory(refusal.failure()));
    }

    private static boolean isWithoutMemory(Failure failure) {
        return failure instanceof Failure.Throttled throttled && throttled.shortage() == Failure.Shortage.MEMORY;
    }
}
