package dev.orrery.engine.advice;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.observe.Observer;
import dev.orrery.engine.observe.QueryCall;
import dev.orrery.engine.observe.Refusals;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.model.Limits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Notes what clients ask of each container, for the {@link Advisor}. Each request takes the same little time to note,
 * and what is kept has a limit however much is asked; it is gone with the process.
 */
public final class Workload implements Observer {
    private final LongSupplier nanos;
    private final Lookups lookups;
    private final Map<Integer, ContainerNotes> containers = new ConcurrentHashMap<>();

    public Workload(LongSupplier nanos) {
        this.nanos = nanos;
        this.lookups = new Lookups(nanos);
    }

    @Override
    public void read(Container container, ItemKey key, Outcome outcome) {
        notes(container).read(key, outcome);
    }

    @Override
    public void wrote(Container container, ItemKey key, StoredItem before, StoredItem after, Bill bill) {
        // Nobody is charged for what the server itself writes.
        if (container.definition().view().isEmpty()) {
            notes(container).wrote(container.definition(), key, before, after, bill);
        }
    }

    @Override
    public void queried(Container container, QueryCall call) {
        if (isKept(call.pattern())) {
            notes(container).queried(call, patternsMax());
        }
    }

    /** Who writes queries that long by hand needs no advice; a program could fill the memory with them. */
    static boolean isKept(String pattern) {
        return pattern.length() <= Limits.ADVICE_PATTERN_CHARACTERS_MAX;
    }

    /** How many of one container are kept: fewer where there are many containers. */
    private int patternsMax() {
        return Math.clamp(
                Limits.ADVICE_PATTERNS_OF_ALL_MAX / Math.max(1, containers.size()), 1, Limits.ADVICE_PATTERNS_MAX);
    }

    @Override
    public void refused(Container container, String pattern, List<String> index, Refusals refusal) {
        if (isKept(pattern)) {
            notes(container).refused(pattern, index, refusal);
        }
    }

    @Override
    public void scripted(Container container, String pattern) {
        if (isKept(pattern)) {
            notes(container).scripted(pattern);
        }
    }

    private ContainerNotes notes(Container container) {
        Integer number = container.number();
        var known = containers.get(number);
        return known != null
                ? known
                : containers.computeIfAbsent(number, _ -> new ContainerNotes(container, nanos, lookups));
    }

    /** Forgets all containers but some. */
    public void retain(Set<Integer> numbers) {
        containers.keySet().removeIf(number -> {
            boolean gone = !numbers.contains(number);
            if (gone) {
                lookups.forget(number);
            }
            return gone;
        });
    }

    /** What was seen, by the numbers of containers. */
    record Figures(Map<Integer, ContainerNotes.Figures> containers, Map<Lookups.Found, Lookups.Figures> lookups) {
        Figures {
            containers = Map.copyOf(containers);
            lookups = Map.copyOf(lookups);
        }
    }

    Figures figures() {
        var figures = new HashMap<Integer, ContainerNotes.Figures>();
        containers.forEach((number, notes) -> figures.put(number, notes.figures()));
        return new Figures(figures, lookups.figures());
    }
}
