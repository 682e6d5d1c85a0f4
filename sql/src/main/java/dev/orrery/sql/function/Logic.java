package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import java.util.Iterator;
import java.util.stream.Stream;

/** Conjunction and disjunction with three values: what is neither true nor false counts as unknown. */
public final class Logic {
    private Logic() {}

    /** False if any is false; true if all are true; otherwise undefined. Asks for no more values than it needs. */
    public static JsonValue all(Stream<JsonValue> values) {
        return fold(values.iterator(), Bool.FALSE, Bool.TRUE);
    }

    /** True if any is true; false if all are false; otherwise undefined. Asks for no more values than it needs. */
    public static JsonValue any(Stream<JsonValue> values) {
        return fold(values.iterator(), Bool.TRUE, Bool.FALSE);
    }

    private static JsonValue fold(Iterator<JsonValue> values, Bool decisive, Bool neutral) {
        JsonValue result = neutral;
        while (values.hasNext()) {
            var value = values.next();
            if (value.equals(decisive)) {
                return decisive;
            }
            if (!value.equals(neutral)) {
                result = JsonValue.UNDEFINED;
            }
        }
        return result;
    }
}
