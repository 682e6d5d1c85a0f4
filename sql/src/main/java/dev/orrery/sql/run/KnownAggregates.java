package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundStatement;
import java.util.List;

/** Makes the one row of a query without groups from aggregates that somebody else has computed. */
public final class KnownAggregates {
    private KnownAggregates() {}

    public static JsonValue row(BoundStatement statement, QueryInputs inputs, List<JsonValue> aggregates) {
        var frame = new Frame(statement, inputs);
        var calls = statement.query().grouping().orElseThrow().aggregates();
        for (var index = 0; index < calls.size(); index++) {
            frame.fill(calls.get(index).slot(), aggregates.get(index));
        }
        return Evaluator.evaluate(statement.query().projection(), frame);
    }
}
