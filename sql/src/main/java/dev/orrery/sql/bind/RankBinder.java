package dev.orrery.sql.bind;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundQuery.Fusion;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import dev.orrery.sql.function.Builtins;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.QueryErrors;
import dev.orrery.sql.syntax.QueryErrors.Code;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.SortOrder;
import dev.orrery.sql.syntax.SelectQuery.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Binds ORDER BY RANK, and the scores by which ORDER BY can sort. */
final class RankBinder {
    private static final String INNER_TEXT_SCORE = "_FULLTEXTSCORE";
    private static final String INNER_VECTOR_SCORE = "_VECTORSCORE";

    /** Stands in for a missing score where the lowest is the best: items without it come last. */
    private static final Bound WORST = new Bound.Constant(new JsonValue.Num(Double.MAX_VALUE));

    private final QueryBinder queries;
    private final ExpressionBinder expressions;
    private final QueryErrors errors;
    private final ContainerTraits container;

    RankBinder(QueryBinder queries, ExpressionBinder expressions, QueryErrors errors, ContainerTraits container) {
        this.queries = queries;
        this.expressions = expressions;
        this.errors = errors;
        this.container = container;
    }

    Fusion bind(SelectQuery query, Scope scope, boolean outermost) {
        var clause = RankClause.of(query.orderBy().orElseThrow());
        check(query, clause, outermost);
        var keys = new ArrayList<SortKey>();
        var texts = 0;
        for (var score : clause.scores()) {
            if (RankClause.isTextScore(score)) {
                keys.add(new SortKey(textScore((Expression.Call) score, texts++, scope), true));
            } else {
                keys.add(nearness((Expression.Call) score, scope));
            }
        }
        return new Fusion(
                keys,
                clause.weights().map(weights -> expressions.bind(weights, scope)),
                expressions.bind(rid(query), scope),
                texts > 0);
    }

    private void check(SelectQuery query, RankClause clause, boolean outermost) {
        var items = query.orderBy().orElseThrow().items();
        var place = items.getFirst().value();
        if (items.size() > 1 || items.getFirst().order() == SortOrder.ASCENDING) {
            throw refused(place, "ORDER BY RANK takes one scoring function and gives the best scores first.");
        }
        for (var score : clause.scores()) {
            if (!RankClause.isScore(score)) {
                throw refused(score, "Only FullTextScore and VectorDistance, alone or within RRF, can be ranked by.");
            }
        }
        if (clause.fused() && clause.scores().size() < 2) {
            throw refused(place, "RRF needs two scores or more.");
        }
        if (clause.scores().size() > Limits.QUERY_RANKED_SCORES_MAX) {
            throw refused(
                    place,
                    "RRF takes at most " + Limits.QUERY_RANKED_SCORES_MAX + " scores, these are "
                            + clause.scores().size() + ".");
        }
        if (!outermost || !isOverItems(query)) {
            throw refused(place, "ORDER BY RANK is only possible over the items of a container, without JOIN.");
        }
        if (query.select().distinct()
                || !query.groupBy().isEmpty()
                || QueryBinder.hasAggregate(query.select().projection())) {
            throw refused(place, "ORDER BY RANK cannot be combined with DISTINCT, GROUP BY or aggregates.");
        }
    }

    private static Expression rid(SelectQuery query) {
        var item = (Source.Aliased) query.from().orElseThrow().first();
        var name = (Expression.Name) ((Collection.Path) item.collection()).path();
        return new Expression.Property(
                new Expression.Name(item.alias().orElse(name.name()), name.span()), "_rid", name.span());
    }

    private static boolean isOverItems(SelectQuery query) {
        return query.from()
                .filter(from -> from.joins().isEmpty()
                        && from.first() instanceof Source.Aliased(Collection.Path(Expression.Name _), var _, var _))
                .isPresent();
    }

    private FailureException refused(Expression place, String reason) {
        return errors.at(place.span(), Code.ORDER_BY, reason);
    }

    /** The score of a text, from what the statistics of all items say about it. */
    private Bound textScore(Expression.Call score, int number, Scope scope) {
        if (score.arguments().size() < 2
                || !ExpressionBinder.isPath(score.arguments().getFirst())) {
            throw refused(score, "FullTextScore needs the path of a text and one search term or more.");
        }
        var text = score.arguments().getFirst();
        var terms = new ArrayList<Bound>();
        for (var term : score.arguments().subList(1, score.arguments().size())) {
            terms.add(expressions.bind(term, scope));
        }
        var statistics = new Bound.Parameter(queries.parameter(BoundStatement.STATISTICS));
        var ofText = new Bound.Element(
                new Bound.Property(statistics, "fullTextStatistics"), new Bound.Constant(new JsonValue.Num(number)));
        var function = Builtins.find(INNER_TEXT_SCORE)
                .orElseThrow()
                .bind(container, List.of(scope.way(text).map(ItemWay::path)));
        return new Bound.Call(
                function,
                List.of(
                        expressions.bind(text, scope),
                        new Bound.NewArray(terms),
                        new Bound.Property(statistics, "documentCount"),
                        new Bound.Property(ofText, "totalWordCount"),
                        new Bound.Property(ofText, "hitCounts")));
    }

    /** The nearest first: it depends on the function by which vectors are compared whether that is upwards. */
    private SortKey nearness(Expression.Call score, Scope scope) {
        if (!(expressions.bind(score, scope) instanceof Bound.Call call)) {
            throw new IllegalStateException("A call is bound to a call.");
        }
        var function = expressions
                .distanceFunction(score, call.arguments(), scope)
                .orElseThrow(
                        () -> queries.orderBy(score.span(), "The options of VectorDistance must be a constant there."));
        return new SortKey(call, function != DistanceFunction.EUCLIDEAN, true, false);
    }

    /** How ORDER BY sorts by a score, as the queries do by which SDKs rank; empty for anything else. */
    Optional<SortKey> scoreKey(SelectQuery.SortItem item, Scope scope) {
        if (!(item.value() instanceof Expression.Call call)) {
            return Optional.empty();
        }
        if (isNamed(call, INNER_TEXT_SCORE)) {
            return Optional.of(textKey(expressions.bind(call, scope), item.order()));
        }
        return RankClause.isVectorScore(call) ? Optional.of(vectorKey(call, item.order(), scope)) : Optional.empty();
    }

    private static SortKey textKey(Bound score, SortOrder order) {
        return order == SortOrder.DESCENDING
                ? new SortKey(score, true)
                : new SortKey(new Bound.Coalesce(score, WORST), false);
    }

    /**
     * The nearest first whatever the text says; rows without a distance are where undefined is in the order of values. An
     * SDK that ranks can ask for the farthest, and finds only what has a distance.
     */
    private SortKey vectorKey(Expression.Call call, SortOrder order, Scope scope) {
        var key = nearness(call, scope);
        if (!isNamed(call, INNER_VECTOR_SCORE)) {
            return key;
        }
        boolean descending = order == SortOrder.DEFAULT ? key.descending() : order == SortOrder.DESCENDING;
        return new SortKey(key.value(), descending, true, true);
    }

    private static boolean isNamed(Expression.Call call, String function) {
        return call.function().equalsIgnoreCase(function);
    }
}
