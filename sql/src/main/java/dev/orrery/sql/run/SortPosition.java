package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import java.util.List;

/**
 * A row of a sorted query: with it a run can go on behind that row, whatever has been written meanwhile.
 *
 * @param values what the row was sorted by
 * @param rowsOfItem how many rows of the same item with the same values there were up to this one
 */
public record SortPosition(List<JsonValue> values, long documentNumber, long rowsOfItem) {
    public SortPosition {
        values = List.copyOf(values);
    }
}
