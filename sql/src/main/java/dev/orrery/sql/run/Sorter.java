package dev.orrery.sql.run;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects rows and gives them back in order, or only the first so many of them.
 *
 * <p>Rows with equal keys come in the order of document numbers, ascending or descending as the first key is: SDKs resume
 * a sorted query by skipping the document numbers that they have passed. They do not resume a search for the nearest.
 */
final class Sorter {
    private static final int SPARE = 1024;

    private record Row(List<JsonValue> keys, long documentNumber, long sequence, JsonValue value) {}

    private final List<SortKey> keys;
    private final long rowsMax;
    private final List<Row> rows = new ArrayList<>();
    private long sequence;

    Sorter(List<SortKey> keys, long rowsMax) {
        this.keys = keys;
        this.rowsMax = rowsMax;
    }

    void add(JsonValue row, Frame frame, long documentNumber) {
        var values = new ArrayList<JsonValue>(keys.size());
        for (var key : keys) {
            var value = Evaluator.evaluate(key.value(), frame);
            if (key.nearness() && value.isUndefined()) {
                return;
            }
            values.add(value);
        }
        rows.add(new Row(values, documentNumber, sequence++, row));
        // Sorting now and then is as good as a heap here: it costs the logarithm of the limit for each row.
        if (rowsMax < Integer.MAX_VALUE && rows.size() >= 2 * rowsMax + SPARE) {
            rows.sort(this::compare);
            rows.subList((int) rowsMax, rows.size()).clear();
        }
    }

    void forEachRow(RowSink consumer) {
        rows.sort(this::compare);
        for (var row : rows) {
            if (!consumer.accept(row.value())) {
                return;
            }
        }
    }

    private int compare(Row left, Row right) {
        for (var index = 0; index < keys.size(); index++) {
            var order = JsonOrder.INSTANCE.compare(
                    left.keys().get(index), right.keys().get(index));
            if (order != 0) {
                return keys.get(index).descending() ? -Integer.signum(order) : order;
            }
        }
        var order = Long.compare(left.documentNumber(), right.documentNumber());
        if (order != 0) {
            var first = keys.getFirst();
            return first.descending() && !first.nearness() ? -order : order;
        }
        return Long.compare(left.sequence(), right.sequence());
    }
}
