package dev.orrery.sql.plan;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Fusion;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import dev.orrery.sql.bind.Count;
import dev.orrery.sql.bind.SelectNames;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Source;
import dev.orrery.sql.syntax.SyntaxPrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells an SDK how to run a query over many partitions: the query to send to each of them, and how to put the rows
 * together.
 *
 * <p>The answer has no {@code queryRanges}, which depend on the partitions of the container.
 */
public final class SdkQueryPlan {
    public static final String COMPOSED_AGGREGATES =
            "Compositions of aggregates and other expressions are not allowed in a query over several partitions.";

    private static final long COUNT_MAX = Integer.MAX_VALUE;

    private final SelectQuery query;
    private final List<SortKey> sortKeys;
    private final Map<String, JsonValue> parameters;
    private final Set<PlanFeature> features;
    private final boolean onePartition;

    private SdkQueryPlan(
            SelectQuery query,
            List<SortKey> sortKeys,
            Map<String, JsonValue> parameters,
            Set<PlanFeature> features,
            boolean onePartition) {
        this.query = query;
        this.sortKeys = sortKeys;
        this.parameters = parameters;
        this.features = features;
        this.onePartition = onePartition;
    }

    /**
     * The plan for a query.
     *
     * @param bound the same query, which knows what its ORDER BY means
     */
    public static Obj of(
            SelectQuery query,
            BoundQuery bound,
            Map<String, JsonValue> parameters,
            Set<PlanFeature> features,
            Reach reach) {
        if (!bound.readsItems()) {
            return whole(query);
        }
        try {
            var plan = new SdkQueryPlan(query, bound.sortKeys(), parameters, features, reach == Reach.ONE_PARTITION)
                    .withOneKindOfCount();
            return bound.fusion().map(plan::ranked).orElseGet(() -> envelope(plan.distributed()));
        } catch (FailureException cannotBeSplit) {
            if (reach == Reach.SEVERAL_RANGES) {
                throw cannotBeSplit;
            }
            return all(query, features);
        }
    }

    /** Where the items are that a query can find. */
    public enum Reach {
        /** All of them have the same partition key. */
        ONE_PARTITION,
        /** In one range, because there is only one. */
        ONE_RANGE,
        SEVERAL_RANGES
    }

    /** The plan for a query that is the same wherever it is asked. */
    private static Obj whole(SelectQuery query) {
        return envelope(new PlanInfo(hasSelectValue(query)));
    }

    /**
     * The plan for a query that one range answers as it is, although its rows depend on each other. SDKs must know that they
     * do: the Java SDK keeps plans of queries that leave it nothing to do, and would ask such a query about a few partition
     * keys after the other and string the rows together. Any count would tell; this one changes no result.
     */
    private static Obj all(SelectQuery query, Set<PlanFeature> features) {
        var info = new PlanInfo(hasSelectValue(query));
        if (features.contains(PlanFeature.OFFSET_AND_LIMIT)) {
            info.offset = Optional.of(0L);
            info.limit = Optional.of(COUNT_MAX);
        }
        return envelope(info);
    }

    /** Whether the one row of a query without GROUP BY is made of aggregates and other things. */
    public static boolean composesAggregates(SelectQuery query) {
        return query.groupBy().isEmpty()
                && switch (query.select().projection()) {
                    case Projection.Star _ -> false;
                    case Projection.Value(Expression value) -> isComposed(value);
                    case Projection.Items(var items) -> items.stream().anyMatch(item -> isComposed(item.value()));
                };
    }

    private static boolean isComposed(Expression expression) {
        return PlanRewrite.aggregate(expression).isEmpty() && PlanRewrite.hasAggregate(expression);
    }

    private static boolean hasSelectValue(SelectQuery query) {
        return query.select().projection() instanceof Projection.Value;
    }

    private static Obj envelope(PlanInfo info) {
        return Obj.builder()
                .put("partitionedQueryExecutionInfoVersion", 2)
                .put("queryInfo", info.json())
                .build();
    }

    /** TOP and LIMIT at once are the smaller of the two; SDKs would apply TOP to what OFFSET has left. */
    private SdkQueryPlan withOneKindOfCount() {
        var top = query.select().top();
        if (top.isEmpty() || query.offsetLimit().isEmpty()) {
            return this;
        }
        var limit = Math.min(
                count(top.get(), "TOP"), count(query.offsetLimit().get().limit(), "LIMIT"));
        return new SdkQueryPlan(PlanRewrite.withLimit(query, limit), sortKeys, parameters, features, onePartition);
    }

    private Obj ranked(Fusion fusion) {
        require(PlanFeature.HYBRID_SEARCH);
        var plan = new HybridSearchPlan(query, fusion, parameters);
        if (plan.isWeighted()) {
            require(PlanFeature.WEIGHTED_RANK_FUSION);
        }
        var skip = query.offsetLimit().map(counts -> count(counts.offset(), "OFFSET"));
        var take = query.offsetLimit()
                .map(counts -> count(counts.limit(), "LIMIT"))
                .or(() -> query.select().top().map(top -> count(top, "TOP")));
        return Obj.builder()
                .put("partitionedQueryExecutionInfoVersion", 2)
                .put("hybridSearchQueryInfo", plan.json(skip, take))
                .build();
    }

    private PlanInfo distributed() {
        var counted = DistinctCount.find(query);
        if (counted.isPresent()) {
            return distinctCount(counted.get());
        }
        if (!rowsComeItemByItem(query)) {
            throw refused("The rows of a subquery in FROM depend on more than one item: such a query cannot be run over"
                    + " several partitions.");
        }
        var info = new PlanInfo(hasSelectValue(query));
        var aggregates = aggregates();
        var grouped = !query.groupBy().isEmpty();
        if (query.select().distinct()) {
            require(PlanFeature.DISTINCT);
            info.distinctType = "Unordered";
        }
        if (grouped) {
            require(PlanFeature.GROUP_BY);
            if (query.orderBy().isPresent()) {
                throw refused("ORDER BY together with GROUP BY cannot be run over several partitions.");
            }
            info.groupByExpressions =
                    query.groupBy().stream().map(SyntaxPrinter::print).toList();
        }
        if (grouped || !aggregates.isEmpty()) {
            describe(aggregates, info);
            counts(info, false);
            info.rewritten = Optional.of(grouped ? PlanRewrite.groups(query) : PlanRewrite.aggregates(query));
        } else if (query.orderBy().isPresent()) {
            orderBy(info);
        } else {
            counts(info, !query.select().distinct());
            info.rewritten = withCounts(query, info);
        }
        return info;
    }

    /** Whether each item has the same rows in FROM, whatever other items there are. */
    private static boolean rowsComeItemByItem(SelectQuery query) {
        return switch (query.from().orElseThrow().first().collection()) {
            case Collection.Path _ -> true;
            case Collection.Derived(SelectQuery rows) ->
                rows.select().top().isEmpty()
                        && rows.offsetLimit().isEmpty()
                        && (!rows.select().distinct() || isOfWholeItems(rows))
                        && rows.groupBy().isEmpty()
                        && rows.orderBy().isEmpty()
                        && !PlanRewrite.hasAggregate(rows.select().projection())
                        && (rows.from().isEmpty() || rowsComeItemByItem(rows));
        };
    }

    /** No two of such rows are equal, since no two items have the same {@code _rid}. */
    private static boolean isOfWholeItems(SelectQuery rows) {
        return rows.select().projection() instanceof Projection.Star
                && rows.from()
                        .filter(from -> from.joins().isEmpty()
                                && from.first() instanceof Source.Aliased(Collection.Path(var path), var _, var _)
                                && path instanceof Expression.Name)
                        .isPresent();
    }

    private PlanInfo distinctCount(DistinctCount counted) {
        require(PlanFeature.DISTINCT_COUNT);
        var info = new PlanInfo(hasSelectValue(query));
        info.distinctType = "Unordered";
        info.distinctCountAlias = Optional.of(counted.alias());
        info.rewritten = Optional.of(counted.query());
        return info;
    }

    /** The aggregates of the projection by the name of their property, empty for SELECT VALUE. */
    private List<NamedAggregate> aggregates() {
        var found = new ArrayList<NamedAggregate>();
        switch (query.select().projection()) {
            case Projection.Star _ -> {}
            case Projection.Value(Expression value) ->
                aggregate(value).ifPresent(aggregate -> found.add(new NamedAggregate("", aggregate)));
            case Projection.Items(var items) -> {
                var names = SelectNames.of(items);
                for (var index = 0; index < items.size(); index++) {
                    var name = names.get(index);
                    aggregate(items.get(index).value())
                            .ifPresent(aggregate -> found.add(new NamedAggregate(name, aggregate)));
                }
            }
        }
        return found;
    }

    private record NamedAggregate(String name, Aggregate aggregate) {}

    private Optional<Aggregate> aggregate(Expression expression) {
        if (isComposed(expression)) {
            throw refused(COMPOSED_AGGREGATES);
        }
        return PlanRewrite.aggregate(expression);
    }

    private void describe(List<NamedAggregate> aggregates, PlanInfo info) {
        for (var aggregate : aggregates) {
            switch (aggregate.aggregate()) {
                case COUNTIF -> require(PlanFeature.COUNT_IF);
                case MAKELIST, MAKESET -> require(PlanFeature.LIST_AND_SET_AGGREGATE);
                case AVG, COUNT, MAX, MIN, SUM -> require(PlanFeature.AGGREGATE);
            }
        }
        if (aggregates.size() > 1) {
            require(PlanFeature.MULTIPLE_AGGREGATES);
        }
        if (query.select().projection() instanceof Projection.Items(var items)) {
            if (query.groupBy().isEmpty()) {
                require(PlanFeature.NON_VALUE_AGGREGATE);
            }
            info.groupByAliases = SelectNames.of(items);
            aggregates.forEach(aggregate -> info.aggregateByAlias.put(aggregate.name(), aggregate.aggregate()));
        } else {
            info.aggregates = aggregates.stream()
                    .map(aggregate -> aggregate.aggregate().planName())
                    .toList();
        }
    }

    private void orderBy(PlanInfo info) {
        var items = query.orderBy().orElseThrow().items();
        require(items.size() > 1 ? PlanFeature.MULTIPLE_ORDER_BY : PlanFeature.ORDER_BY);
        info.orderBy = sortKeys.stream()
                .map(key -> key.descending() ? "Descending" : "Ascending")
                .toList();
        if (sortKeys.stream().anyMatch(SortKey::nearness)) {
            require(PlanFeature.NON_STREAMING_ORDER_BY);
            info.nonStreamingOrderBy = true;
        }
        info.orderByExpressions =
                items.stream().map(item -> SyntaxPrinter.print(item.value())).toList();
        if (query.select().distinct()
                && query.select().projection() instanceof Projection.Value(Expression value)
                && items.size() == 1
                && items.getFirst().value().equals(value)) {
            info.distinctType = "Ordered";
        }
        // A sorted query is resumed by a condition and not by a position, so an OFFSET in its text would count twice.
        counts(info, false);
        var rewritten = PlanRewrite.sorted(query)
                .orElseThrow(() -> refused("ORDER BY over a subquery in FROM cannot be run over several partitions."));
        var keptCounts = query.select().distinct() ? PlanRewrite.withoutCounts(rewritten) : rewritten;
        info.rewritten = Optional.of(withCounts(keptCounts, info).orElse(keptCounts));
    }

    /** Puts TOP, OFFSET and LIMIT into the plan, unless the one partition that is asked can do OFFSET and LIMIT itself. */
    private void counts(PlanInfo info, boolean partitionMayCount) {
        query.select().top().ifPresent(top -> {
            require(PlanFeature.TOP);
            info.top = Optional.of(count(top, "TOP"));
        });
        if (query.offsetLimit().isPresent() && !(onePartition && partitionMayCount)) {
            require(PlanFeature.OFFSET_AND_LIMIT);
            info.offset = Optional.of(count(query.offsetLimit().get().offset(), "OFFSET"));
            info.limit = Optional.of(count(query.offsetLimit().get().limit(), "LIMIT"));
        }
    }

    /** The query that gives the first rows that OFFSET and LIMIT over all partitions could need; empty if it is the same. */
    private Optional<SelectQuery> withCounts(SelectQuery rows, PlanInfo info) {
        if (info.distinctType.equals("Unordered") && query.orderBy().isEmpty()) {
            // The first distinct rows of each partition may turn out to be the same ones.
            return info.top.isPresent() || info.limit.isPresent()
                    ? Optional.of(PlanRewrite.withoutCounts(rows))
                    : Optional.empty();
        }
        if (rows.offsetLimit().isPresent() && info.limit.isPresent()) {
            return Optional.of(PlanRewrite.withFirst(rows, info.offset.orElseThrow() + info.limit.get()));
        }
        return Optional.empty();
    }

    private long count(Expression expression, String clause) {
        var value = expression instanceof Expression.Literal(JsonValue constant, var _)
                ? constant
                : parameters.getOrDefault(((Expression.Parameter) expression).name(), JsonValue.UNDEFINED);
        return Count.of(value)
                .filter(count -> count <= COUNT_MAX)
                .orElseThrow(
                        () -> refused("The " + clause + " count must be a whole number from 0 to " + COUNT_MAX + "."));
    }

    private void require(PlanFeature feature) {
        if (!features.contains(feature)) {
            throw refused(
                    "Query contains 1 or more unsupported features. Upgrade your SDK to a version that does support"
                            + " the requested features:\r\nQuery contained " + feature.wireName()
                            + ", which the calling client does not support.");
        }
    }

    private static FailureException refused(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
