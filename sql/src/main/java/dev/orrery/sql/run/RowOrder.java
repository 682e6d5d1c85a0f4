package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;

/** Collects the rows of a query and gives them back in its order. */
interface RowOrder {
    /** Adds the row of the tuple in the frame. */
    void add(JsonValue row, Frame frame, long documentNumber);

    void forEachRow(RowSink consumer);
}
