package dev.orrery.engine.index;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.ComputedProperty;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.run.ItemBounds;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

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

    /**
     * An item with its computed properties. Where one of them takes more than it may, there are none: the item was stored
     * before the property was defined, or where nobody could be told.
     *
     * @param memory told of more bytes to be taken from what all requests share
     */
    Obj in(Obj item, LongConsumer memory) {
        if (queries.isEmpty()) {
            return item;
        }
        var seen = Obj.builder();
        item.members().forEach((name, value) -> {
            if (!queries.containsKey(name)) {
                seen.put(name, value);
            }
        });
        find(item, memory).ifPresent(values -> values.forEach(seen::put));
        return seen.build();
    }

    private Optional<Map<String, JsonValue>> find(Obj item, LongConsumer memory) {
        try {
            var values = values(item, memory);
            long bytes = bytes(values);
            if (bytes > Limits.MEMORY_BODY_BYTES_FREE) {
                memory.accept(bytes * Limits.MEMORY_PER_STORED_BYTE);
            }
            return Optional.of(values);
        } catch (FailureException refused) {
            if (refused.failure() instanceof Failure.Throttled) {
                throw refused; // It is not about the item.
            }
            return Optional.empty();
        }
    }

    /** Refuses an item that would have no computed properties because they take too much. */
    void demand(Obj item, LongConsumer memory) {
        if (!queries.isEmpty()) {
            values(item, memory);
        }
    }

    private Map<String, JsonValue> values(Obj item, LongConsumer memory) {
        var values = new LinkedHashMap<String, JsonValue>();
        var inputs = INPUTS.withCheckpoint(new ItemBounds(memory));
        queries.forEach((name, query) -> {
            var value = value(query, inputs, item);
            if (!value.isUndefined()) {
                values.put(name, value);
                demandSmall(bytes(values));
            }
        });
        return values;
    }

    private static long bytes(Map<String, JsonValue> values) {
        return values.values().stream().mapToLong(JsonSize::written).sum();
    }

    /** Each part of a value becomes an index entry, as each part of the item does. */
    private static void demandSmall(long bytes) {
        if (bytes > Limits.ITEM_BYTES_MAX) {
            throw new FailureException(new Failure.BadRequest(
                    "The computed properties of the item are larger together than an item may be: "
                            + Limits.ITEM_BYTES_MAX + " bytes."));
        }
    }

    private static JsonValue value(Query query, QueryInputs inputs, Obj item) {
        var value = new JsonValue[] {JsonValue.UNDEFINED};
        var run = query.run(inputs, row -> {
            value[0] = row;
            return false;
        });
        run.add(item, 0);
        run.finish();
        return value[0];
    }
}
