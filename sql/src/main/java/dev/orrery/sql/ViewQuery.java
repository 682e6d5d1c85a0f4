package dev.orrery.sql;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.sql.bind.ComputedPropertyQuery;
import dev.orrery.sql.run.ItemBounds;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.sql.syntax.QueryParser;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The query that defines a view, {@code SELECT properties FROM alias WHERE condition}: an item gives one row or none, and
 * the same one every time.
 */
public final class ViewQuery {
    private static final QueryInputs INPUTS = QueryInputs.of(Map.of(), Instant.EPOCH, ViewQuery::chance);

    private final Query query;

    private ViewQuery(Query query) {
        this.query = query;
    }

    /** Refuses a text that could not define a view. */
    public static ViewQuery of(String text) {
        try {
            var syntax = QueryParser.parse(text);
            ComputedPropertyQuery.demandOnePerItem(syntax);
            ComputedPropertyQuery.alias(syntax);
            syntax.where().ifPresent(ComputedPropertyQuery::demandPlain);
            switch (syntax.select().projection()) {
                case Projection.Star _ -> {}
                case Projection.Items(var items) ->
                    items.forEach(item -> {
                        item.alias().ifPresent(ViewQuery::demandFree);
                        ComputedPropertyQuery.demandPlain(item.value());
                    });
                case Projection.Value _ ->
                    throw ComputedPropertyQuery.wrong("its rows must be objects: SELECT c.a, c.b FROM c.");
            }
            return new ViewQuery(Query.of(text));
        } catch (FailureException refused) {
            throw new FailureException(new Failure.BadRequest("The query that defines the view is wrong: "
                    + refused.failure().message()));
        }
    }

    private static void demandFree(String alias) {
        if (alias.equals("id") || SystemProperties.isSystemName(alias)) {
            throw ComputedPropertyQuery.wrong("nothing can be called " + alias
                    + ": an item has the id that it has in the source, and system properties of its own.");
        }
    }

    private static long chance() {
        throw new IllegalStateException("The rows of a view do not depend on chance");
    }

    /** The row that an item has in the view, if it has one; refused where that takes more than the bounds allow. */
    public Optional<Obj> row(JsonValue item, ItemBounds bounds) {
        var row = new Obj[1];
        var run = query.run(INPUTS.withCheckpoint(bounds), found -> {
            row[0] = (Obj) found;
            return false;
        });
        run.add(item, 0);
        run.finish();
        return Optional.ofNullable(row[0]);
    }
}
