package dev.orrery.sql.run;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundStatement;
import java.util.function.Predicate;

/** Whether an item gives a row, of a query over items alone. For one thread. */
public final class RowTest implements Predicate<JsonValue> {
    private static final Bound ALWAYS = new Bound.Constant(JsonValue.Bool.TRUE);

    private final BoundQuery query;
    private final Frame frame;

    public RowTest(BoundStatement statement, QueryInputs inputs) {
        query = statement.query();
        frame = new Frame(statement, inputs);
    }

    /** Whether every item passes, so that nobody has to look at it; SDKs write {@code WHERE true} into queries. */
    public boolean isSure() {
        return query.filter().filter(filter -> !filter.equals(ALWAYS)).isEmpty() && isDefined();
    }

    private boolean isDefined() {
        return query.projection() instanceof Bound.NewObject || query.projection() instanceof Bound.Slot;
    }

    @Override
    public boolean test(JsonValue item) {
        frame.step();
        frame.fill(query.sources().getFirst().slot(), item);
        return query.filter()
                        .map(filter -> Evaluator.isTrue(Evaluator.evaluate(filter, frame)))
                        .orElse(true)
                && (isDefined()
                        || !Evaluator.evaluate(query.projection(), frame).isUndefined());
    }
}
