package dev.orrery.sql.plan;

import static dev.orrery.sql.plan.PlanRewrite.array;
import static dev.orrery.sql.plan.PlanRewrite.call;
import static dev.orrery.sql.plan.PlanRewrite.item;
import static dev.orrery.sql.plan.PlanRewrite.name;
import static dev.orrery.sql.plan.PlanRewrite.number;
import static dev.orrery.sql.plan.PlanRewrite.object;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.bind.BoundQuery.Fusion;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import dev.orrery.sql.bind.RankClause;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.Expression.Member;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Select;
import dev.orrery.sql.syntax.SelectQuery.SortItem;
import dev.orrery.sql.syntax.SelectQuery.SortOrder;
import dev.orrery.sql.syntax.Span;
import dev.orrery.sql.syntax.SyntaxPrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tells an SDK how to run ORDER BY RANK over many partitions: a query for statistics on all items, whose sums it writes
 * into one query for each score, and how to put the ranks of the rows together.
 */
public final class HybridSearchPlan {
    // SDKs replace these by what they have counted.
    private static final String DOCUMENTS = "{documentdb-formattablehybridsearchquery-totaldocumentcount}";
    private static final String WORDS = "{documentdb-formattablehybridsearchquery-totalwordcount-";
    private static final String HITS = "{documentdb-formattablehybridsearchquery-hitcountsarray-";

    // What stands for the score of an item that has none: worse than any.
    private static final double NO_TEXT_SCORE = -1;
    private static final double NO_SCORE = 1.79769e+308;

    private final SelectQuery query;
    private final RankClause clause;
    private final Fusion fusion;
    private final Optional<List<Double>> weights;

    HybridSearchPlan(SelectQuery query, Fusion fusion, Map<String, JsonValue> parameters) {
        this.query = query;
        this.fusion = fusion;
        clause = RankClause.of(query.orderBy().orElseThrow());
        weights = clause.weights()
                .map(value -> RankClause.weights(
                        constant(value, parameters), clause.scores().size()));
    }

    private static JsonValue constant(Expression expression, Map<String, JsonValue> parameters) {
        return switch (expression) {
            case Expression.Literal(var value, var _) -> value;
            case Expression.Parameter(var name, var _) -> parameters.getOrDefault(name, JsonValue.UNDEFINED);
            case Expression.NewArray(var items, var _) ->
                new Arr(items.stream().map(item -> constant(item, parameters)).toList());
            default -> JsonValue.UNDEFINED;
        };
    }

    /** Whether an SDK must know more than that all scores count the same and the highest are the best. */
    boolean isWeighted() {
        return weights.isPresent() || !fusion.scores().stream().allMatch(SortKey::descending);
    }

    /** What has to be known about all items before texts can be scored. */
    public static String statistics(SelectQuery query) {
        var texts = RankClause.of(query.orderBy().orElseThrow()).scores().stream()
                .filter(RankClause::isTextScore)
                .map(score -> statistics((Expression.Call) score))
                .toList();
        var projection = new Projection.Items(List.of(
                item(call("COUNT", List.of(number(1))), "documentCount"), item(array(texts), "fullTextStatistics")));
        return SyntaxPrinter.print(new SelectQuery(
                new Select(false, Optional.empty(), projection),
                query.from(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty()));
    }

    private static Expression statistics(Expression.Call score) {
        var text = score.arguments().getFirst();
        var hits = terms(score).stream()
                .map(term -> call("COUNTIF", List.of(call("FullTextContains", List.of(text, term)))))
                .toList();
        return object(
                new Member("totalWordCount", call("SUM", List.of(call("_FullTextWordCount", List.of(text))))),
                new Member("hitCounts", array(hits)));
    }

    private static List<Expression> terms(Expression.Call score) {
        return score.arguments().subList(1, score.arguments().size());
    }

    /** @param take how many rows are wanted; without it all, which SDKs refuse unless they are told to keep so many */
    Obj json(Optional<Long> skip, Optional<Long> take) {
        var components = components(take.map(rows -> (long) RankClause.candidates(skip.orElse(0L) + rows)));
        return Obj.builder()
                .put("globalStatisticsQuery", statistics(query))
                .put("componentQueryInfos", new Arr(components))
                .put("componentWithoutPayloadQueryInfos", Arr.EMPTY)
                .put("projectionQueryInfo", JsonValue.NULL)
                .put("componentWeights", weightsJson())
                .put("skip", PlanInfo.number(skip))
                .put("take", PlanInfo.number(take))
                // Also where no text is scored: the Java SDK 4.81 stops at a plan that needs none.
                .put("requiresGlobalStatistics", true)
                .build();
    }

    /** A weight below 0 has already turned its score round. SDKs take a number without a point for another type. */
    private Arr weightsJson() {
        return (Arr) JsonReader.parse(weights.orElse(List.of()).stream()
                .map(weight -> Double.toString(Math.abs(weight)))
                .collect(Collectors.joining(",", "[", "]")));
    }

    private List<JsonValue> components(Optional<Long> rows) {
        var scores = scores();
        var all = new ArrayList<Expression>();
        for (var index = 0; index < scores.size(); index++) {
            var worst = new Expression.Literal(new Num(worst(index)), Span.NOWHERE);
            all.add(new Expression.Coalesce(scores.get(index), worst, Span.NOWHERE));
        }
        var components = new ArrayList<JsonValue>();
        long characters = 0;
        for (var index = 0; index < scores.size(); index++) {
            var component = component(scores.get(index), isDescending(index), all, rows);
            characters += ((Str) component.member(PlanInfo.REWRITTEN)).value().length();
            demandShort(characters);
            components.add(component);
        }
        return components;
    }

    /** Each query has all the scores in it, and everything else of the query that was asked. */
    private static void demandShort(long characters) {
        if (characters > Limits.QUERY_PLAN_CHARACTERS_MAX) {
            throw new FailureException(new Failure.BadRequest("The queries that find the best rows by each score would"
                    + " have more than " + Limits.QUERY_PLAN_CHARACTERS_MAX
                    + " characters together. Rank by fewer scores, or by fewer and shorter terms."));
        }
    }

    private List<Expression> scores() {
        var scores = new ArrayList<Expression>();
        var texts = 0;
        for (var score : clause.scores()) {
            var call = (Expression.Call) score;
            scores.add(
                    RankClause.isTextScore(score) ? textScore(call, texts++) : call("_VectorScore", call.arguments()));
        }
        return scores;
    }

    private static Expression textScore(Expression.Call score, int number) {
        return call(
                "_FullTextScore",
                List.of(
                        score.arguments().getFirst(),
                        array(terms(score)),
                        name(DOCUMENTS),
                        name(WORDS + number + "}"),
                        name(HITS + number + "}")));
    }

    private boolean isDescending(int index) {
        boolean turned = weights.filter(all -> all.get(index) < 0).isPresent();
        return fusion.scores().get(index).descending() != turned;
    }

    private double worst(int index) {
        if (!isDescending(index)) {
            return NO_SCORE;
        }
        return RankClause.isTextScore(clause.scores().get(index)) ? NO_TEXT_SCORE : -NO_SCORE;
    }

    private Obj component(Expression score, boolean descending, List<Expression> all, Optional<Long> rows) {
        var info = new PlanInfo(query.select().projection() instanceof Projection.Value);
        var order = new SortItem(score, descending ? SortOrder.DESCENDING : SortOrder.ASCENDING);
        info.top = rows;
        info.orderBy = List.of(descending ? "Descending" : "Ascending");
        info.orderByExpressions = List.of(SyntaxPrinter.print(score));
        info.nonStreamingOrderBy = true;
        info.rewritten = Optional.of(PlanRewrite.scored(query, order, all, rows));
        return info.json();
    }
}
