package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;

/** Takes the rows of a query one by one. */
@FunctionalInterface
public interface RowSink {
    /** Takes a row and says whether it wants another one. */
    boolean accept(JsonValue row);
}
