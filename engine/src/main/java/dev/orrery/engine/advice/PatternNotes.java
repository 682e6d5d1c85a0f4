package dev.orrery.engine.advice;

import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.advice.QueryCall.Effects;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What became of all queries of one pattern in one container. */
final class PatternNotes {
    private static final int SAMPLES_AT_FIRST = 16;

    private final String text;
    private final boolean keyed;
    private final boolean hasFilter;
    private long rangesBegun;
    private long firstRangesBegun;
    private Effects effects = Effects.NONE;
    private long rowsSampled;
    private long rowsMax = Long.MAX_VALUE;
    private long itemsThere;
    private int pageRowsMax;
    private Optional<Order> sort = Optional.empty();
    private Optional<IndexMetrics> indexes = Optional.empty();
    private long sampledNanos;
    private long samples;
    private final FilterNotes filters = new FilterNotes();

    /** What a query sorts by first. */
    record Order(String path, boolean descending) {}

    PatternNotes(String text, boolean keyed) {
        this.text = text;
        this.keyed = keyed;
        this.hasFilter = text.contains(" WHERE ");
    }

    /** Counts a request; true when this one is to be looked at more closely, with {@link #sample}. */
    synchronized boolean add(QueryCall call, long nanos) {
        rangesBegun += call.rangesBegun();
        firstRangesBegun += call.firstRangeBegun() ? 1 : 0;
        effects = effects.plus(call.effects());
        itemsThere += call.itemsThere();
        pageRowsMax = call.pageRowsMax();
        boolean counts = keyed ? call.rangesBegun() > 0 : call.firstRangeBegun();
        if (hasFilter) {
            filters.add(call.condition(), counts, call.effects().charge());
        }
        boolean due = samples < SAMPLES_AT_FIRST || nanos - sampledNanos >= Limits.ADVICE_SAMPLE_NANOS;
        if (due) {
            samples++;
            sampledNanos = nanos;
        }
        return due;
    }

    /** Keeps what the text alone does not tell, and tells which paths the query filters or sorts by. */
    Set<String> sample(QueryCall call, int rowsLookedAt) {
        var metrics = call.indexes().get();
        long wanted = call.rowsMax().getAsLong();
        synchronized (this) {
            indexes = Optional.of(metrics);
            rowsMax = wanted;
            sort = call.sort().stream()
                    .findFirst()
                    .flatMap(key -> key.place().map(place -> new Order(IndexPath.spelled(place), key.descending())));
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
     * @param pageRowsMax how many rows of a call come in one answer
     * @param itemsThere how many items were where a call looked for them
     */
    record Figures(
            String text,
            boolean keyed,
            long calls,
            double fanOut,
            Effects effects,
            long rowsSampled,
            long rowsMax,
            int pageRowsMax,
            double itemsThere,
            Optional<Order> sort,
            Optional<IndexMetrics> indexes,
            FilterNotes.Figures filters) {

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
        return new Figures(
                text,
                keyed,
                calls,
                calls == 0 ? 0 : (double) rangesBegun / calls,
                effects,
                rowsSampled,
                rowsMax,
                pageRowsMax,
                calls == 0 ? 0 : (double) itemsThere / calls,
                sort,
                indexes,
                filters.figures());
    }

    synchronized void addKinds(Map<String, Values.Figures> kinds) {
        filters.addKinds(kinds);
    }
}
