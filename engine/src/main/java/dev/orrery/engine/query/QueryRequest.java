package dev.orrery.engine.query;

import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.query.Continuation.Purpose;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a query request holds: {@code {"query": "..", "parameters": [{"name": "@p", "value": ..}]}}. */
public record QueryRequest(String text, Map<String, JsonValue> parameters) {

    public QueryRequest {
        parameters = Map.copyOf(parameters);
    }

    public static QueryRequest parse(QueryText sent) {
        var body = JsonScanner.scan(sent.body()).asObject("The body of a query");
        if (!(body.member("query") instanceof Str(var text))) {
            throw bad("The body of a query needs the member 'query' with the query's text.");
        }
        return new QueryRequest(
                text,
                switch (body.member("parameters")) {
                    case JsonValue.Undefined _, JsonValue.Null _ -> Map.of();
                    case Arr(var list) -> parameters(list);
                    case JsonValue.Bool _, JsonValue.Num _, Str _, Obj _ -> throw bad("'parameters' must be an array.");
                });
    }

    /**
     * What a continuation token of this query over something is good for.
     *
     * @param order the text of the query but for its condition
     */
    Purpose purpose(String over, String order) {
        return new Purpose(Purpose.digest(over, order), purpose(over).rows());
    }

    /** What one that only counts rows is good for: the same text with the same parameters. */
    public Purpose purpose(String over) {
        var parts = new ArrayList<>(List.of(over, text));
        new TreeMap<>(parameters).forEach((name, value) -> {
            parts.add(name);
            parts.add(JsonWriter.text(value));
        });
        return Purpose.of(parts.toArray(String[]::new));
    }

    private static Map<String, JsonValue> parameters(List<JsonValue> list) {
        var parameters = new HashMap<String, JsonValue>();
        for (var parameter : list) {
            if (!(parameter instanceof Obj member) || !(member.member("name") instanceof Str(var name))) {
                throw bad("Each parameter must be an object with a 'name' and a 'value'.");
            }
            if (!name.startsWith("@")) {
                throw bad("The name of a parameter starts with '@': '" + name + "' does not.");
            }
            parameters.put(name, member.member("value"));
        }
        return parameters;
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
