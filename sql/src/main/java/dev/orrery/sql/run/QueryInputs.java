package dev.orrery.sql.run;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundStatement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * All that the result of a query depends on besides its text and the items.
 *
 * @param parameters values by name; names start with {@code @}
 * @param now the time that the query sees, the same in all its rows
 * @param random where RAND takes its numbers from
 */
public record QueryInputs(
        Map<String, JsonValue> parameters,
        Instant now,
        RandomGenerator random,
        UserFunctions userFunctions,
        Checkpoint checkpoint) {

    public QueryInputs {
        parameters = Map.copyOf(parameters);
    }

    /** For queries without user-defined functions that may take as long as they need. */
    public static QueryInputs of(Map<String, JsonValue> parameters, Instant now, RandomGenerator random) {
        return new QueryInputs(parameters, now, random, QueryInputs::noUserFunctions, Checkpoint.NONE);
    }

    private static JsonValue noUserFunctions(String name, List<JsonValue> arguments) {
        throw new FailureException(
                new Failure.Unsupported("The user-defined function '" + name + "' cannot be called here."));
    }

    /** The same, asking someone else whether there is time left. */
    public QueryInputs withCheckpoint(Checkpoint other) {
        return new QueryInputs(parameters, now, random, userFunctions, other);
    }

    /** The same, with functions that users have defined. */
    public QueryInputs withUserFunctions(UserFunctions functions) {
        return new QueryInputs(parameters, now, random, functions, checkpoint);
    }

    /** The same with what {@link dev.orrery.sql.Query#statistics} has found out. */
    public QueryInputs withStatistics(JsonValue statistics) {
        var more = new HashMap<>(parameters);
        more.put(BoundStatement.STATISTICS, statistics);
        return new QueryInputs(more, now, random, userFunctions, checkpoint);
    }

    /** The values of parameters, each of which must have one. */
    public JsonValue[] resolve(List<String> names) {
        return names.stream().map(this::resolve).toArray(JsonValue[]::new);
    }

    private JsonValue resolve(String name) {
        var value = parameters.get(name);
        if (value == null) {
            throw new FailureException(
                    new Failure.BadRequest("The query uses the parameter '" + name + "', which has no value."));
        }
        return value;
    }
}
