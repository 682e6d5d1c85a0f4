package dev.orrery.engine.advice;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.observe.QueryCall;
import dev.orrery.engine.observe.Refusals;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.ContainerDefinition;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** What clients asked of one container. */
final class ContainerNotes {
    private final int container;
    private final LongSupplier nanos;
    private final Lookups lookups;
    private final LongAdder reads = new LongAdder();
    private final DoubleAdder readCharge = new DoubleAdder();
    private final LongAdder readsSampled = new LongAdder();
    private final Map<PatternKey, PatternNotes> patterns = new ConcurrentHashMap<>();
    private final Set<String> pathsUsed = ConcurrentHashMap.newKeySet();
    private final Set<String> compositesUsed = ConcurrentHashMap.newKeySet();
    private final Set<String> scripted = ConcurrentHashMap.newKeySet();
    private final Map<Wanted, Refusals> refusals = new ConcurrentHashMap<>();
    private final LongAdder evictedCalls = new LongAdder();
    private final DoubleAdder evictedCharge = new DoubleAdder();
    private final WriteNotes writes = new WriteNotes();
    private final HotKeys hot = new HotKeys();
    private final Set<String> keyProperties;
    private final Turns readTurns;
    private final Turns writeTurns;
    private final Turns rewriteTurns;
    private final Turns queryTurns;
    private volatile Optional<String> kindProperty = Optional.empty();

    /** The same text asks for other things when it names the partition keys that it is about. */
    private record PatternKey(String text, boolean keyed) {}

    ContainerNotes(Container container, LongSupplier nanos, Lookups lookups) {
        this.container = container.number();
        this.keyProperties = container.definition().partitionKey().paths().stream()
                .filter(path -> path.names().size() == 1)
                .map(path -> path.names().getFirst())
                .collect(Collectors.toUnmodifiableSet());
        this.nanos = nanos;
        this.lookups = lookups;
        this.readTurns = new Turns(nanos, Limits.ADVICE_READ_NANOS);
        this.writeTurns = new Turns(nanos, Limits.ADVICE_WRITE_NANOS);
        this.rewriteTurns = new Turns(nanos, Limits.ADVICE_WRITE_NANOS);
        this.queryTurns = new Turns(nanos, Limits.ADVICE_SAMPLE_NANOS);
    }

    void read(ItemKey key, Outcome outcome) {
        double charge = outcome.charge();
        reads.increment();
        readCharge.add(charge);
        var item = outcome.answer() instanceof Answer.Resource(var _, var json)
                ? Optional.of(json)
                : Optional.<ByteBuffer>empty();
        lookups.read(container, key.id(), item);
        boolean next = readTurns.isNext();
        if (next) {
            hot.add(key.partitionKey(), charge * Turns.EVERY);
        }
        if ((next || readTurns.isAtFirst()) && item.isPresent() && readTurns.isDue()) {
            readsSampled.add(lookups.remember(container, "", Optional.of(key.id()), List.of(item.get()), kindProperty));
        }
    }

    void wrote(ContainerDefinition definition, ItemKey key, StoredItem before, StoredItem after, Bill bill) {
        writes.add(before, after, bill);
        boolean next = writeTurns.isNext();
        if (next) {
            hot.add(key.partitionKey(), bill.requestUnits() * Turns.EVERY);
            if (after != null && writeTurns.isDue()) {
                writes.sample(definition, key, after, bill);
            }
        }
        if (before != null && after != null && (next || rewriteTurns.isAtFirst()) && rewriteTurns.isDue()) {
            writes.compare(before, after, bill);
        }
    }

    void queried(QueryCall call, int patternsMax) {
        var notes = notes(new PatternKey(call.pattern(), call.keyed()), patternsMax);
        if (!refusals.isEmpty()) {
            refusals.keySet().removeIf(wanted -> wanted.text().equals(call.pattern()));
        }
        if (queryTurns.isNext()) {
            call.partition().ifPresent(key -> hot.add(key, call.effects().charge() * Turns.EVERY));
        }
        call.id()
                .ifPresent(
                        id -> lookups.read(container, id, call.rows().stream().findFirst()));
        if (notes.add(call, nanos.getAsLong())) {
            int looked = lookups.remember(container, call.pattern(), call.id(), call.rows(), kindProperty);
            var used = notes.sample(call, looked);
            if (pathsUsed.size() < Limits.ADVICE_PATHS_MAX) {
                pathsUsed.addAll(used.paths());
            }
            if (compositesUsed.size() < Limits.ADVICE_PATHS_MAX) {
                compositesUsed.addAll(used.composites());
            }
            if (queryTurns.isDue()) {
                kindProperty = findKindProperty();
            }
        }
    }

    void refused(String pattern, List<String> index, Refusals refusal) {
        var wanted = new Wanted(pattern, index);
        if (refusals.size() < Limits.ADVICE_PATTERNS_MAX || refusals.containsKey(wanted)) {
            refusals.merge(wanted, refusal, Refusals::plus);
        }
    }

    /** A script asked; what it costs is the script's. */
    void scripted(String pattern) {
        if (scripted.size() < Limits.ADVICE_PATTERNS_MAX) {
            scripted.add(pattern);
        }
    }

    private PatternNotes notes(PatternKey key, int patternsMax) {
        var known = patterns.get(key);
        if (known != null) {
            return known;
        }
        for (int beyond = patterns.size() - patternsMax; beyond >= 0; beyond--) {
            patterns.entrySet().stream()
                    .min(Comparator.comparingDouble(entry -> entry.getValue().charge()))
                    .ifPresent(least -> {
                        if (patterns.remove(least.getKey(), least.getValue())) {
                            var figures = least.getValue().figures();
                            evictedCalls.add(figures.calls());
                            evictedCharge.add(figures.effects().charge());
                        }
                    });
        }
        return patterns.computeIfAbsent(key, one -> new PatternNotes(one.text(), one.keyed()));
    }

    /**
     * The property that tells kinds of items apart, as queries ask for the same few values of it again and again. Whoever
     * names the partition key says where, not of which kind.
     */
    private Optional<String> findKindProperty() {
        var kinds = new HashMap<String, Values.Figures>();
        patterns.values().forEach(pattern -> pattern.addKinds(kinds));
        return kinds.entrySet().stream()
                .filter(kind -> kind.getValue().isKind() && !keyProperties.contains(kind.getKey()))
                .max(Comparator.comparingLong(kind -> kind.getValue().calls()))
                .map(Map.Entry::getKey);
    }

    /**
     * The index that a query wants.
     *
     * @param index the path that it takes, or the parts of a composite index
     */
    record Wanted(String text, List<String> index) {
        Wanted {
            index = List.copyOf(index);
        }
    }

    /** All queries that were cheaper than those that are kept. */
    record Evicted(long calls, double charge) {}

    /**
     * What was seen.
     *
     * @param kindProperty the property that tells kinds of items apart
     * @param readsSampled how many reads were looked at for what is looked up afterwards
     * @param scripted the patterns of what scripts ask for
     * @param refusals by what was wanted
     * @param evicted queries whose patterns are not kept
     * @param pathsUsed what queries filter and sort by, as indexing policies spell it
     * @param compositesUsed the composite indexes that they need, as {@code /a ASC, /b DESC}
     */
    record Figures(
            long reads,
            double readCharge,
            long readsSampled,
            List<PatternNotes.Figures> patterns,
            Set<String> scripted,
            Map<Wanted, Refusals> refusals,
            Evicted evicted,
            Set<String> pathsUsed,
            Set<String> compositesUsed,
            Optional<String> kindProperty,
            WriteNotes.Figures writes,
            List<HotKeys.Hot> hot) {
        Figures {
            patterns = List.copyOf(patterns);
            scripted = Set.copyOf(scripted);
            refusals = Map.copyOf(refusals);
            pathsUsed = Set.copyOf(pathsUsed);
            compositesUsed = Set.copyOf(compositesUsed);
            hot = List.copyOf(hot);
        }

        double charge() {
            return readCharge
                    + writes.charge()
                    + evicted.charge()
                    + patterns.stream()
                            .mapToDouble(pattern -> pattern.effects().charge())
                            .sum();
        }

        long requests() {
            return reads + writes.writes() + queryCalls();
        }

        long queryCalls() {
            return evicted.calls()
                    + patterns.stream().mapToLong(PatternNotes.Figures::calls).sum();
        }
    }

    Figures figures() {
        return new Figures(
                reads.sum(),
                readCharge.sum(),
                readsSampled.sum(),
                patterns.values().stream().map(PatternNotes::figures).toList(),
                scripted,
                refusals,
                new Evicted(evictedCalls.sum(), evictedCharge.sum()),
                pathsUsed,
                compositesUsed,
                findKindProperty(),
                writes.figures(),
                hot.figures());
    }
}
