package dev.orrery.sql.run;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonSize;
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
final class Sorter implements RowOrder {
    private static final int SPARE = 1024;
    private static final int ROW_BYTES = 72;

    /** Cutting is worth its time when at least so much is cut off. */
    private static final long SPARE_BYTES = 4L << 20;

    private record Row(List<JsonValue> keys, long documentNumber, long sequence, JsonValue value, long bytes) {}

    private final List<SortKey> keys;
    private final long rowsMax;
    private final List<Row> rows = new ArrayList<>();
    private long sequence;
    private long bytes;
    private long bytesAfterCut;

    Sorter(List<SortKey> keys, long rowsMax) {
        this.keys = keys;
        this.rowsMax = rowsMax;
    }

    @Override
    public void add(JsonValue row, Frame frame, long documentNumber) {
        var values = new ArrayList<JsonValue>(keys.size());
        for (var key : keys) {
            var value = Evaluator.evaluate(key.value(), frame);
            if (key.nearness() && value.isUndefined()) {
                return;
            }
            values.add(value);
        }
        long size = ROW_BYTES + JsonSize.of(row);
        for (var value : values) {
            size += JsonSize.of(value);
        }
        rows.add(new Row(values, documentNumber, sequence++, row, size));
        bytes += size;
        frame.keep(size);
        if (rows.size() > rowsMax && isWorthCutting()) {
            cut(frame);
        }
    }

    /** Sorting now and then is as good as a heap here: it costs the logarithm of the limit for each row. */
    private boolean isWorthCutting() {
        return rows.size() >= 2 * rowsMax + SPARE || bytes >= 2 * bytesAfterCut + SPARE_BYTES;
    }

    private void cut(Frame frame) {
        rows.sort(this::compare);
        var rest = rows.subList((int) rowsMax, rows.size());
        long freed = rest.stream().mapToLong(Row::bytes).sum();
        rest.clear();
        bytes -= freed;
        bytesAfterCut = bytes;
        frame.keep(-freed);
    }

    @Override
    public void forEachRow(RowSink consumer) {
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
