package dev.orrery.region;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What people have done to the links of this region, to rehearse. It acts on everything that leaves for another region. */
public final class Faults {
    private final ScheduledExecutorService timer;
    private final Map<String, Rule> rules = new ConcurrentHashMap<>();

    private sealed interface Rule {
        /** Nothing arrives. */
        record Cut() implements Rule {}

        /** Everything arrives so much later. */
        record Delay(int millis) implements Rule {}

        /** Everything waits until the link is resumed. */
        record Pause(CompletableFuture<Void> end) implements Rule {}
    }

    /** The link to the other region is cut. */
    static final class CutException extends RuntimeException {
        private static final long serialVersionUID = 1;

        CutException(String to) {
            super("The link to " + to + " is cut by 'fault cut'.");
        }
    }

    public Faults(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    public void cut(String to) {
        change(to, new Rule.Cut());
    }

    public void delay(String to, int millis) {
        change(to, millis == 0 ? null : new Rule.Delay(millis));
    }

    public void pause(String to) {
        change(to, new Rule.Pause(new CompletableFuture<>()));
    }

    /** All is as if there had never been a fault. */
    public void heal(String to) {
        change(to, null);
    }

    private void change(String to, Rule rule) {
        var before = rule == null ? rules.remove(to) : rules.put(to, rule);
        if (before instanceof Rule.Pause(var end)) {
            end.complete(null);
        }
    }

    public boolean isCut(String to) {
        return rules.get(to) instanceof Rule.Cut || rules.get(to) instanceof Rule.Pause;
    }

    public long delayMillis(String to) {
        return rules.get(to) instanceof Rule.Delay(int millis) ? millis : 0;
    }

    /** In words, by region; empty when there are none. */
    public Map<String, String> described() {
        var described = new ConcurrentHashMap<String, String>();
        rules.forEach((to, rule) -> described.put(
                to,
                switch (rule) {
                    case Rule.Cut _ -> "cut";
                    case Rule.Delay(int millis) -> "delayed by " + millis + " ms";
                    case Rule.Pause _ -> "paused";
                }));
        return described;
    }

    /** Lets something leave for another region, as the faults of that link allow. */
    public <T> CompletionStage<T> through(String to, Supplier<CompletionStage<T>> sending) {
        return switch (rules.get(to)) {
            case null -> sending.get();
            case Rule.Cut _ -> CompletableFuture.failedStage(new CutException(to));
            case Rule.Delay(int millis) -> after(millis).thenCompose(_ -> sending.get());
            case Rule.Pause(var end) -> end.thenCompose(_ -> sending.get());
        };
    }

    private CompletionStage<Void> after(int millis) {
        var end = new CompletableFuture<Void>();
        var _ = timer.schedule(() -> end.complete(null), millis, TimeUnit.MILLISECONDS);
        return end;
    }
}
