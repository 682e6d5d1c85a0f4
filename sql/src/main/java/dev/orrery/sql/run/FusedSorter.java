package dev.orrery.sql.run;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery.Fusion;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Orders rows by what their ranks in several scores add up to (reciprocal rank fusion).
 *
 * <p>Only rows that are among the best of their range in one of the scores at least are candidates, as with the SDKs for Java
 * and Python: this bounds the memory, and a row that is far back everywhere cannot come out in front. Rows with the same sum
 * come in the order of their rids as texts, which is as good as any and the one that SDKs have.
 */
final class FusedSorter implements RowOrder {
    /** The usual constant of reciprocal rank fusion: the higher, the less the first ranks stand out. */
    private static final double DAMPING = 60;

    private static final int SPARE = 1024;

    private record Row(List<JsonValue> scores, String rid, long documentNumber, JsonValue value, long bytes) {}

    private final Bound rid;
    private final List<SortKey> scores;
    private final List<Double> weights;
    private final int candidatesMax;
    private final List<Row> ofFormerRanges = new ArrayList<>();
    private List<Row> rows = new ArrayList<>();

    /** @param candidatesMax of each score and range; {@link Integer#MAX_VALUE} for all rows */
    FusedSorter(Fusion fusion, List<Double> weights, int candidatesMax) {
        this.scores = fusion.scores();
        this.rid = fusion.rid();
        this.weights = weights;
        this.candidatesMax = candidatesMax;
    }

    @Override
    public void add(JsonValue row, Frame frame, long documentNumber) {
        var values = new ArrayList<JsonValue>(scores.size());
        for (var score : scores) {
            values.add(Evaluator.evaluate(score.value(), frame));
        }
        var ofItem = Evaluator.evaluate(rid, frame) instanceof JsonValue.Str(var text) ? text : "";
        long size = RowOrder.bytes(row, values);
        rows.add(new Row(values, ofItem, documentNumber, row, size));
        frame.workspace().keep(size);
        if (rows.size() >= 2L * candidatesMax * scores.size() + SPARE) {
            keepCandidates(frame);
        }
        if (candidatesMax == Integer.MAX_VALUE && ofFormerRanges.size() + rows.size() > Limits.QUERY_RANKED_ROWS_MAX) {
            throw new FailureException(
                    new Failure.BadRequest("ORDER BY RANK gives at most " + Limits.QUERY_RANKED_ROWS_MAX
                            + " rows. Say with TOP, or with OFFSET" + " and LIMIT, how many you want."));
        }
    }

    @Override
    public void endRange(Frame frame) {
        keepCandidates(frame);
        ofFormerRanges.addAll(rows);
        rows = new ArrayList<>();
    }

    private void keepCandidates(Frame frame) {
        long before = bytes();
        keepCandidates();
        frame.workspace().keep(bytes() - before);
    }

    private long bytes() {
        return rows.stream().mapToLong(Row::bytes).sum();
    }

    private void keepCandidates() {
        Set<Row> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        for (var index = 0; index < scores.size(); index++) {
            var best = rows.stream().filter(hasScore(index)).sorted(bestFirst(index));
            best.limit(candidatesMax).forEach(kept::add);
        }
        rows = new ArrayList<>(kept);
    }

    /** Items without a vector are not found by it, but those without a text are the worst by it. */
    private Predicate<Row> hasScore(int index) {
        return row -> !scores.get(index).nearness() || !row.scores().get(index).isUndefined();
    }

    /**
     * The order of one score; items without it come last, whichever way it goes. Equal ones come as ORDER BY has them in
     * the query for one score that SDKs send: which of them are candidates must not depend on who asks.
     */
    private Comparator<Row> bestFirst(int index) {
        boolean descending = scores.get(index).descending() == weights.get(index) >= 0;
        var best = descending ? JsonOrder.INSTANCE.reversed() : JsonOrder.INSTANCE;
        var ties = Comparator.comparingLong(Row::documentNumber);
        return Comparator.comparing((Row row) -> row.scores().get(index).isUndefined())
                .thenComparing(row -> row.scores().get(index), best)
                .thenComparing(descending && !scores.get(index).nearness() ? ties.reversed() : ties);
    }

    @Override
    public void forEachRow(RowSink consumer) {
        keepCandidates();
        rows.addAll(ofFormerRanges);
        var sums = new IdentityHashMap<Row, Double>();
        for (var index = 0; index < scores.size(); index++) {
            addRanks(index, sums);
        }
        rows.sort(Comparator.comparingDouble((Row row) -> sums.get(row))
                .reversed()
                .thenComparing(Row::rid)
                .thenComparingLong(Row::documentNumber));
        for (var row : rows) {
            if (!consumer.accept(row.value())) {
                return;
            }
        }
    }

    /** Equal scores share a rank, and the next score has the next rank. */
    private void addRanks(int index, Map<Row, Double> sums) {
        rows.sort(bestFirst(index));
        var rank = 0;
        JsonValue last = null;
        for (var row : rows) {
            var score = row.scores().get(index);
            if (!score.equals(last)) {
                rank++;
                last = score;
            }
            sums.merge(row, Math.abs(weights.get(index)) / (DAMPING + rank), Double::sum);
        }
    }
}
