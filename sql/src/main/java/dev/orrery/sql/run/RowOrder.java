package dev.orrery.sql.run;

import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import java.util.List;

/** Collects the rows of a query and gives them back in its order. */
interface RowOrder {
    int ROW_BYTES = 136;

    /** Adds the row of the tuple in the frame. */
    void add(JsonValue row, Frame frame, long documentNumber);

    /** Says that the rows to come are of another range. */
    default void endRange(Frame frame) {}

    void forEachRow(RowSink consumer);

    /** What it takes to keep a row together with what it is sorted by. */
    static long bytes(JsonValue row, List<JsonValue> values) {
        long bytes = ROW_BYTES + JsonSize.of(row);
        for (var value : values) {
            bytes += JsonSize.of(value);
        }
        return bytes;
    }
}
