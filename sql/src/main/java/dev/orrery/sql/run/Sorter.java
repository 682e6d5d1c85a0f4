package dev.orrery.sql.run;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects rows and gives them back in order, or only the first so many of them.
 *
 * <p>Rows with equal keys come in the order of document numbers, ascending or descending as the first key is: SDKs resume
 * a sorted query by skipping the document numbers that they have passed. They do not resume a search for the nearest.
 */
final class Sorter implements RowOrder {
    private static final int SPARE = 1024;

    /** Cutting is worth its time when at least so much is cut off. */
    private static final long SPARE_BYTES = 4L << 20;

    private record Row(List<JsonValue> keys, long documentNumber, long sequence, JsonValue value, long bytes) {}

    private final List<SortKey> keys;
    private final Optional<SortPosition> after;
    private final long rowsMax;
    private final List<Row> rows = new ArrayList<>();
    private long sequence;
    private long bytes;
    private long bytesAfterCut;
    private long tiesDropped;
    private Optional<SortPosition> position = Optional.empty();

    /** @param after the row behind which the first one comes */
    Sorter(List<SortKey> keys, Optional<SortPosition> after, long rowsMax) {
        this.keys = keys;
        this.after = after;
        this.rowsMax = rowsMax;
    }

    @Override
    public void add(JsonValue row, Frame frame, long documentNumber) {
        var values = new ArrayList<JsonValue>(keys.size());
        for (var key : keys) {
            var value = Evaluator.evaluate(key.value(), frame);
            if (key.needed() && value.isUndefined()) {
                return;
            }
            frame.workspace().unfold(value);
            values.add(value);
        }
        if (after.isPresent() && isPassed(after.get(), values, documentNumber)) {
            return;
        }
        long size = RowOrder.bytes(row, values);
        rows.add(new Row(values, documentNumber, sequence++, row, size));
        bytes += size;
        frame.workspace().keep(size);
        if (rows.size() > rowsMax && isWorthCutting()) {
            cut(frame);
        }
    }

    private boolean isPassed(SortPosition passed, List<JsonValue> values, long documentNumber) {
        int order = compare(values, documentNumber, passed.values(), passed.documentNumber());
        return order < 0 || (order == 0 && tiesDropped++ < passed.rowsOfItem());
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
        frame.workspace().keep(-freed);
    }

    @Override
    public void forEachRow(RowSink consumer) {
        rows.sort(this::compare);
        for (var row : rows) {
            position = Optional.of(
                    new SortPosition(row.keys(), row.documentNumber(), 1 + rowsBefore(row, position.or(() -> after))));
            if (!consumer.accept(row.value())) {
                return;
            }
        }
    }

    private static long rowsBefore(Row row, Optional<SortPosition> last) {
        return last.filter(before -> before.documentNumber() == row.documentNumber()
                        && before.values().equals(row.keys()))
                .map(SortPosition::rowsOfItem)
                .orElse(0L);
    }

    /** The row that was given last. */
    Optional<SortPosition> position() {
        return position;
    }

    private int compare(Row left, Row right) {
        int order = compare(left.keys(), left.documentNumber(), right.keys(), right.documentNumber());
        return order != 0 ? order : Long.compare(left.sequence(), right.sequence());
    }

    private int compare(List<JsonValue> left, long leftDocument, List<JsonValue> right, long rightDocument) {
        for (var index = 0; index < keys.size(); index++) {
            var order = JsonOrder.INSTANCE.compare(left.get(index), right.get(index));
            if (order != 0) {
                return keys.get(index).descending() ? -Integer.signum(order) : order;
            }
        }
        var order = Long.compare(leftDocument, rightDocument);
        return keys.getFirst().tiesDescend() ? -order : order;
    }
}
