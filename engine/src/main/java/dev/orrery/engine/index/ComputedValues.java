package dev.orrery.engine.index;

import dev.orrery.model.definition.ComputedProperty;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Items as indexes see them: with computed properties in place of stored ones of the same name. */
final class ComputedValues {
    // The time has no part in the value of a computed property either.
    private static final QueryInputs INPUTS = QueryInputs.of(Map.of(), Instant.EPOCH, ComputedValues::chance);

    private final Map<String, Query> queries = new LinkedHashMap<>();

    ComputedValues(ContainerDefinition definition) {
        var traits = ContainerTraits.of(definition);
        var stored = new ContainerTraits(traits.geospatial(), traits.vectors(), traits.texts(), List.of());
        for (ComputedProperty property : definition.computedProperties()) {
            queries.put(property.name(), Query.of(property.query(), stored));
        }
    }

    private static long chance() {
        throw new IllegalStateException("The value of a computed property does not depend on chance");
    }

    Obj in(Obj item) {
        if (queries.isEmpty()) {
            return item;
        }
        var seen = Obj.builder();
        item.members().forEach((name, value) -> {
            if (!queries.containsKey(name)) {
                seen.put(name, value);
            }
        });
        queries.forEach((name, query) -> {
            var value = value(query, item);
            if (!value.isUndefined()) {
                seen.put(name, value);
            }
        });
        return seen.build();
    }

    private static JsonValue value(Query query, Obj item) {
        var value = new JsonValue[] {JsonValue.UNDEFINED};
        var run = query.run(INPUTS, row -> {
            value[0] = row;
            return false;
        });
        run.add(item, 0);
        run.finish();
        return value[0];
    }
}
