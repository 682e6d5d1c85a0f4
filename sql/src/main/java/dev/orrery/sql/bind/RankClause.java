package dev.orrery.sql.bind;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.SelectQuery.OrderBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * ORDER BY RANK in its parts: the scores by which items are ranked, and for RRF with weights how much each rank counts.
 *
 * @param fused whether it is RRF, and not one score alone
 */
public record RankClause(List<Expression> scores, Optional<Expression> weights, boolean fused) {
    /** With fewer, rows that are good by all scores but best by none could be missed. */
    private static final int CANDIDATES_MIN = 120;

    private static final String FUSION = "RRF";
    private static final String TEXT_SCORE = "FULLTEXTSCORE";
    private static final Set<String> VECTOR_SCORES = Set.of("VECTORDISTANCE", "_VECTORSCORE");

    public RankClause {
        scores = List.copyOf(scores);
    }

    public static RankClause of(OrderBy orderBy) {
        var value = orderBy.items().getFirst().value();
        if (!(value instanceof Expression.Call call) || !isNamed(call, FUSION)) {
            return new RankClause(List.of(value), Optional.empty(), false);
        }
        var scores = new ArrayList<>(call.arguments());
        var weighted = !scores.isEmpty() && !isScore(scores.getLast());
        return new RankClause(
                weighted ? scores.subList(0, scores.size() - 1) : scores,
                weighted ? Optional.of(scores.getLast()) : Optional.empty(),
                true);
    }

    /** Whether a function has a meaning in ORDER BY RANK only. */
    static boolean isOnlyForRank(Expression.Call call) {
        return isNamed(call, FUSION) || isNamed(call, TEXT_SCORE);
    }

    static boolean isScore(Expression expression) {
        return isTextScore(expression) || isVectorScore(expression);
    }

    public static boolean isTextScore(Expression expression) {
        return expression instanceof Expression.Call call && isNamed(call, TEXT_SCORE);
    }

    static boolean isVectorScore(Expression expression) {
        return expression instanceof Expression.Call call
                && VECTOR_SCORES.contains(call.function().toUpperCase(Locale.ROOT));
    }

    private static boolean isNamed(Expression.Call call, String name) {
        return call.function().equalsIgnoreCase(name);
    }

    /** How many of the best rows by each score it takes to find the first so many rows by all of them: all, if all are wanted. */
    public static int candidates(long rows) {
        if (rows == Long.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        if (rows > Limits.QUERY_RANKED_ROWS_MAX) {
            throw new FailureException(new Failure.BadRequest("ORDER BY RANK gives at most "
                    + Limits.QUERY_RANKED_ROWS_MAX + " rows, those that OFFSET skips included."));
        }
        return Math.max(CANDIDATES_MIN, (int) rows);
    }

    /** The weights that a value stands for, one for each score. */
    public static List<Double> weights(JsonValue value, int scores) {
        var weights = new ArrayList<Double>();
        if (value instanceof JsonValue.Arr(var items)) {
            for (var item : items) {
                if (item instanceof JsonValue.Num(double weight, var _)) {
                    weights.add(weight);
                }
            }
            if (weights.size() == scores && items.size() == scores) {
                return weights;
            }
        }
        throw new FailureException(new Failure.BadRequest(
                "The weights of RRF must be an array with one number for each of its " + scores + " scores."));
    }
}
