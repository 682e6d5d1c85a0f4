package dev.orrery.sql.bind;

import dev.orrery.sql.function.Aggregate;
import java.util.List;
import java.util.Optional;

/**
 * A query that is ready to run: sources make tuples, the filter keeps some, grouping may fold them, the projection makes
 * one value of each, and then come sorting, DISTINCT and the counts.
 */
public record BoundQuery(
        List<Source> sources,
        Optional<Bound> filter,
        Optional<Grouping> grouping,
        Bound projection,
        boolean distinct,
        List<SortKey> sortKeys,
        Optional<Fusion> fusion,
        Counts counts) {

    public BoundQuery {
        sources = List.copyOf(sources);
        sortKeys = List.copyOf(sortKeys);
    }

    BoundQuery withoutFilter() {
        return new BoundQuery(sources, Optional.empty(), grouping, projection, distinct, sortKeys, fusion, counts);
    }

    /** Fills one slot, any number of times for each filling of the slots before it; never with undefined. */
    public sealed interface Source {
        int slot();

        /** The items of the container; only ever the first source. */
        record Items(int slot) implements Source {}

        /** The rows of a subquery over the items of the container; only ever the first source. */
        record ItemRows(BoundQuery query, int slot) implements Source {}

        /** One value, as in {@code FROM c.address a}. */
        record Single(Bound value, int slot) implements Source {}

        /** The elements of an array, as in {@code JOIN t IN c.tags}. */
        record Elements(Bound array, int slot) implements Source {}

        /** The rows of a subquery over the slots before. */
        record Rows(BoundQuery query, int slot) implements Source {}
    }

    /** Keys and aggregates are computed from the tuples and put into slots, from which the projection reads them. */
    public record Grouping(List<GroupKey> keys, List<AggregateCall> aggregates) {
        public Grouping {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }
    }

    public record GroupKey(Bound value, int slot) {}

    public record AggregateCall(Aggregate aggregate, Bound argument, int slot) {}

    /**
     * What rows are ordered by.
     *
     * @param nearness whether the value says how near vectors are
     * @param needed whether rows without the value are left out
     */
    public record SortKey(Bound value, boolean descending, boolean nearness, boolean needed) {
        public SortKey(Bound value, boolean descending) {
            this(value, descending, false, false);
        }

        /** Whether rows come in descending order of document numbers where this is the first of all keys, and all are equal. */
        public boolean tiesDescend() {
            return descending && !nearness;
        }
    }

    /**
     * ORDER BY RANK: the ranks that a row has by each of some scores add up to its place.
     *
     * @param scores descending if the best is the highest
     * @param weights an array with a number for each score, below 0 to turn it round; all count the same without
     * @param rid the {@code _rid} of the item, by whose letters SDKs order rows with the same place
     * @param needsStatistics whether the scores depend on {@link BoundStatement#STATISTICS}
     */
    public record Fusion(List<SortKey> scores, Optional<Bound> weights, Bound rid, boolean needsStatistics) {
        public Fusion {
            scores = List.copyOf(scores);
        }
    }

    /** TOP, OFFSET and LIMIT: constants or parameters. */
    public record Counts(Optional<Bound> top, Optional<Bound> offset, Optional<Bound> limit) {
        public static final Counts NONE = new Counts(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Whether its rows come from the items of the container, and not from constants or from a query around it. */
    public boolean readsItems() {
        return !sources.isEmpty()
                && switch (sources.getFirst()) {
                    case Source.Items _, Source.ItemRows _ -> true;
                    case Source.Single _, Source.Elements _, Source.Rows _ -> false;
                };
    }
}
