package dev.orrery.engine.advice;

import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.advice.QueryCall.Effects;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.Query.SortPlace;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Condition.Span;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What became of all queries of one pattern in one container. */
final class PatternNotes {
    private static final int SAMPLES_AT_FIRST = 16;

    private final String text;
    private final boolean keyed;
    private long rangesBegun;
    private long firstRangesBegun;
    private Effects effects = Effects.NONE;
    private long rowsSampled;
    private long rowsMax = Long.MAX_VALUE;
    private Optional<String> sort = Optional.empty();
    private Optional<IndexMetrics> indexes = Optional.empty();
    private long sampledNanos;
    private long samples;
    private final Map<List<Step>, Values> values = new HashMap<>();

    PatternNotes(String text, boolean keyed) {
        this.text = text;
        this.keyed = keyed;
    }

    /** Counts a request; true when this one is to be looked at more closely, with {@link #sample}. */
    synchronized boolean add(QueryCall call, long nanos) {
        rangesBegun += call.rangesBegun();
        firstRangesBegun += call.firstRangeBegun() ? 1 : 0;
        effects = effects.plus(call.effects());
        boolean counts = keyed ? call.rangesBegun() > 0 : call.firstRangeBegun();
        for (var part : parts(call.condition())) {
            if (part instanceof Condition.Value(var place, var spans, var _)
                    && spans.size() == 1
                    && spans.getFirst() instanceof Span.Exactly(var value)
                    && isNested(place)) {
                values(place)
                        .ifPresent(
                                known -> known.add(value, counts, call.effects().charge()));
            }
        }
        boolean due = samples < SAMPLES_AT_FIRST || nanos - sampledNanos >= Limits.ADVICE_SAMPLE_NANOS;
        if (due) {
            samples++;
            sampledNanos = nanos;
        }
        return due;
    }

    private static List<Condition> parts(Condition condition) {
        return condition instanceof Condition.All(var parts) ? parts : List.of(condition);
    }

    /** Whether no array leads to a place, as it must be for a partition key. */
    private static boolean isNested(List<Step> place) {
        return place.stream().allMatch(Step.Property.class::isInstance);
    }

    private Optional<Values> values(List<Step> place) {
        return values.size() < Limits.ADVICE_PATHS_MAX || values.containsKey(place)
                ? Optional.of(values.computeIfAbsent(place, _ -> new Values()))
                : Optional.empty();
    }

    /** Keeps what the text alone does not tell, and tells which paths the query filters or sorts by. */
    Set<String> sample(QueryCall call, int rowsLookedAt) {
        var metrics = call.indexes().get();
        long wanted = call.rowsMax().getAsLong();
        synchronized (this) {
            indexes = Optional.of(metrics);
            rowsMax = wanted;
            sort = call.sort().stream().findFirst().flatMap(SortPlace::place).map(IndexPath::spelled);
            rowsSampled += rowsLookedAt;
        }
        var paths = new LinkedHashSet<String>();
        metrics.utilized().single().forEach(index -> paths.add(index.path()));
        metrics.potential().single().forEach(index -> paths.add(index.path()));
        call.sort().forEach(key -> key.place().ifPresent(place -> paths.add(IndexPath.spelled(place) + "/?")));
        return paths;
    }

    synchronized double charge() {
        return effects.charge();
    }

    /**
     * What was seen of a pattern.
     *
     * @param calls how often an application asked, in however many requests
     * @param fanOut how many physical partitions each call went to
     * @param rowsSampled how many rows were looked at for what is looked up afterwards
     * @param rowsMax how many rows a call wants at most
     * @param sort the first property that it sorts by
     * @param values which values properties are asked for, by path
     */
    record Figures(
            String text,
            boolean keyed,
            long calls,
            double fanOut,
            Effects effects,
            long rowsSampled,
            long rowsMax,
            Optional<String> sort,
            Optional<IndexMetrics> indexes,
            Map<String, Values.Figures> values) {

        double perCall(double total) {
            return calls == 0 ? 0 : total / calls;
        }

        /** In words. */
        String average(long total) {
            return Subject.decimal(perCall((double) total));
        }

        double charge() {
            return perCall(effects.charge());
        }

        QueryUse use() {
            return new QueryUse(
                    text, keyed, calls, charge(), fanOut, perCall((double) effects.itemsLoaded()), perCall((double)
                            effects.rows()));
        }
    }

    synchronized Figures figures() {
        // An SDK asks every physical partition on its own, so one of them tells how often it was asked to.
        long calls = keyed || firstRangesBegun == 0 ? rangesBegun : firstRangesBegun;
        var byPath = new HashMap<String, Values.Figures>();
        values.forEach((place, seen) -> byPath.put(IndexPath.spelled(place), seen.figures()));
        return new Figures(
                text,
                keyed,
                calls,
                calls == 0 ? 0 : (double) rangesBegun / calls,
                effects,
                rowsSampled,
                rowsMax,
                sort,
                indexes,
                Map.copyOf(byPath));
    }

    /** The values that equalities of a top-level property ask for. */
    synchronized void addKinds(Map<String, Values.Figures> kinds) {
        values.forEach((place, seen) -> {
            var figures = seen.figures();
            if (place.size() == 1 && place.getFirst() instanceof Step.Property(var name)) {
                kinds.merge(name, figures, PatternNotes::together);
            }
        });
    }

    private static Values.Figures together(Values.Figures one, Values.Figures other) {
        var shares = new HashMap<JsonValue, Values.Share>(one.shares());
        other.shares()
                .forEach((value, share) ->
                        shares.merge(value, share, (known, more) -> known.plus(more.calls(), more.charge())));
        boolean many = one.many() || other.many() || shares.size() > Limits.ADVICE_VALUES_MAX;
        return new Values.Figures(one.calls() + other.calls(), many, shares);
    }
}
