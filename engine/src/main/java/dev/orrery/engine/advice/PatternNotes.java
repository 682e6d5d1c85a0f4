package dev.orrery.engine.advice;

import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.observe.QueryCall;
import dev.orrery.engine.observe.QueryCall.Effects;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.sql.plan.SortPlace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What became of all queries of one pattern in one container. */
final class PatternNotes {
    private static final int SAMPLES_AT_FIRST = 16;

    private final String text;
    private final boolean keyed;
    private final boolean hasFilter;
    private boolean partial;
    private long rangesBegun;
    private long requestsBegun;
    private long firstRangesBegun;
    private Effects effects = Effects.NONE;
    private long rowsSampled;
    private long rowsMax = Long.MAX_VALUE;
    private long itemsThere;
    private int pageRowsMax;
    private List<Order> sort = List.of();
    private Optional<IndexMetrics> indexes = Optional.empty();
    private long sampledNanos;
    private long samples;
    private final FilterNotes filters = new FilterNotes();

    /** A property that a query sorts by. */
    record Order(String path, boolean descending) {
        /** As index metrics spell it. */
        String spelled() {
            return path + (descending ? " DESC" : " ASC");
        }
    }

    PatternNotes(String text, boolean keyed) {
        this.text = text;
        this.keyed = keyed;
        this.hasFilter = text.contains(" WHERE ");
    }

    /** Counts a request; true when this one is to be looked at more closely, with {@link #sample}. */
    synchronized boolean add(QueryCall call, long nanos) {
        // Of what a query covers that names its keys, it asks the partitions that have them.
        boolean begins = call.rangesBegun() > 0;
        rangesBegun += begins && keyed ? call.effects().rangesAsked() : call.rangesBegun();
        requestsBegun += begins ? 1 : 0;
        partial |= call.partial();
        firstRangesBegun += call.firstRangeBegun() ? 1 : 0;
        effects = effects.plus(call.effects());
        itemsThere += call.itemsThere();
        pageRowsMax = call.pageRowsMax();
        boolean counts = keyed ? begins : call.firstRangeBegun();
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

    /** The paths that a query filters or sorts by, and the composite indexes that it needs. */
    record Used(Set<String> paths, Set<String> composites) {
        Used {
            paths = Set.copyOf(paths);
            composites = Set.copyOf(composites);
        }
    }

    /** Keeps what the text alone does not tell, and tells what the query needs an index for. */
    Used sample(QueryCall call, int rowsLookedAt) {
        var metrics = call.indexes().get();
        long wanted = call.rowsMax().getAsLong();
        synchronized (this) {
            indexes = Optional.of(metrics);
            rowsMax = wanted;
            sort = call.sort().stream()
                    .flatMap(key ->
                            key.place().stream().map(place -> new Order(IndexPath.spelled(place), key.descending())))
                    .toList();
            rowsSampled += rowsLookedAt;
        }
        var paths = new LinkedHashSet<String>();
        metrics.utilized().single().forEach(index -> paths.add(index.path()));
        metrics.potential().single().forEach(index -> paths.add(index.path()));
        call.sort().forEach(key -> key.place().ifPresent(place -> paths.add(IndexPath.spelled(place) + "/?")));
        var composites = new LinkedHashSet<String>();
        metrics.utilized().composite().forEach(index -> composites.add(String.join(", ", index.parts())));
        // Without an index of just these, a query that sorts by several is refused, whether it uses it or not.
        if (call.sort().size() > 1) {
            composites.add(spelled(call.sort(), false));
            composites.add(spelled(call.sort(), true));
        }
        return new Used(paths, composites);
    }

    private static String spelled(List<SortPlace> sort, boolean turned) {
        return sort.stream()
                .flatMap(key -> key.place().stream()
                        .map(place -> IndexPath.spelled(place) + (key.descending() == turned ? " ASC" : " DESC")))
                .collect(Collectors.joining(", "));
    }

    synchronized double charge() {
        return effects.charge();
    }

    /**
     * What was seen of a pattern.
     *
     * @param partial whether a call names how partition keys begin only
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
            boolean partial,
            long calls,
            double fanOut,
            Effects effects,
            long rowsSampled,
            long rowsMax,
            int pageRowsMax,
            double itemsThere,
            List<Order> sort,
            Optional<IndexMetrics> indexes,
            FilterNotes.Figures filters) {
        Figures {
            sort = List.copyOf(sort);
        }

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

        /** An SDK that gathers the first few of all partitions is given as many by each. */
        double rowsPerCall() {
            return Math.min(perCall((double) effects.rows()), (double) rowsMax);
        }

        QueryUse use() {
            return new QueryUse(
                    text, keyed, calls, charge(), fanOut, perCall((double) effects.itemsLoaded()), rowsPerCall());
        }
    }

    synchronized Figures figures() {
        // An SDK asks every physical partition on its own, so one of them tells how often it was asked to.
        long calls = keyed || firstRangesBegun == 0 ? requestsBegun : firstRangesBegun;
        return new Figures(
                text,
                keyed,
                partial,
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
