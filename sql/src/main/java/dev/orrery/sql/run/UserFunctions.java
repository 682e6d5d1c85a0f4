package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import java.util.List;

/** Runs user-defined functions, {@code udf.name(...)}, for queries. */
@FunctionalInterface
public interface UserFunctions {
    JsonValue call(String name, List<JsonValue> arguments);
}
