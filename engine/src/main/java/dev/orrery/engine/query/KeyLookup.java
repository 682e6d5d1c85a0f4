package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.KeyConditions.Alternative;
import dev.orrery.sql.run.QueryInputs;
import dev.orrery.store.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where the items can be that a query asks for, when it names their partition keys: single items if it names their ids
 * as well, as reads of many items do, else whole logical partitions, or all that begin alike in a hierarchical key.
 */
final class KeyLookup {
    private static final JsonPath ID = JsonPath.parse("/id");
    private static final int PLACES_MAX = 10_000;

    private final Container container;
    private final Optional<PartitionKey> given;
    private final TreeMap<byte[], KeyRange> places = new TreeMap<>(Arrays::compareUnsigned);

    private boolean grouped;

    private KeyLookup(Container container, Optional<PartitionKey> given) {
        this.container = container;
        this.given = given;
    }

    /**
     * The partition keys that items can have which contribute to a query, or how these begin; empty when a query leaves that
     * open.
     */
    static Optional<Set<PartitionKey>> partitions(Container container, Query query, QueryInputs inputs) {
        var definition = container.definition().partitionKey();
        var partitions = new LinkedHashSet<PartitionKey>();
        for (var alternative : query.keyConditions(Set.copyOf(definition.paths()), inputs)) {
            var keys = partitions(definition, alternative);
            if (keys.isEmpty() || partitions.size() > PLACES_MAX) {
                return Optional.empty();
            }
            partitions.addAll(keys.get());
        }
        return Optional.of(partitions);
    }

    /**
     * Some places.
     *
     * @param keys in ascending order and apart from each other
     */
    record Places(Access access, Collection<KeyRange> keys) {
        /** The key of the one item that there can be, if there can be no more. */
        Optional<byte[]> single() {
            return access == Access.ITEMS && keys.size() == 1
                    ? Optional.of(keys.iterator().next().from())
                    : Optional.empty();
        }
    }

    /**
     * The places to look at; empty when all have to be looked at.
     *
     * @param scope the partition key that the request names beside the query, which may be a part of one only
     */
    static Optional<Places> of(Container container, Optional<PartitionKey> scope, Query query, QueryInputs inputs) {
        var definition = container.definition().partitionKey();
        var paths = new HashSet<>(definition.paths());
        paths.add(ID);
        var given = scope.map(definition::settled).filter(definition::isComplete);
        var lookup = new KeyLookup(container, given);
        for (var alternative : query.keyConditions(paths, inputs)) {
            if (!lookup.add(alternative)) {
                return Optional.empty();
            }
        }
        return Optional.of(lookup.places());
    }

    private Places places() {
        var keys = apart();
        boolean single = keys.stream().allMatch(KeyRange::isSingle);
        return new Places(grouped ? Access.PREFIX : single ? Access.ITEMS : Access.PARTITIONS, keys);
    }

    /** The id that every item has that contributes to a query. */
    static Optional<String> id(Query query, QueryInputs inputs) {
        var ids = new HashSet<JsonValue>();
        for (var alternative : query.keyConditions(Set.of(ID), inputs)) {
            ids.addAll(alternative.at(ID).orElse(Set.of(JsonValue.UNDEFINED)));
        }
        return ids.size() == 1 && ids.iterator().next() instanceof Str(var id) ? Optional.of(id) : Optional.empty();
    }

    /** False when the alternative leaves open how the partition key begins, or there are too many. */
    private boolean add(Alternative alternative) {
        if (given.isPresent()) {
            addWithin(partition(given.get()), alternative);
            return places.size() <= PLACES_MAX;
        }
        var definition = container.definition().partitionKey();
        var keys = partitions(definition, alternative);
        for (var key : keys.orElse(List.of())) {
            if (definition.isComplete(key)) {
                addWithin(partition(key), alternative);
            } else {
                grouped = true;
                add(ItemKey.keysOf(EpkRange.startingWith(EffectivePartitionKey.of(key, definition))));
            }
        }
        return keys.isPresent() && places.size() <= PLACES_MAX;
    }

    /** As long as an alternative tells the components from the first on; empty when it does not tell the first, or many. */
    private static Optional<List<PartitionKey>> partitions(PartitionKeyDefinition definition, Alternative alternative) {
        List<List<JsonValue>> keys = List.of(List.of());
        for (var path : definition.paths()) {
            var values = alternative.at(path);
            if (values.isEmpty() || (long) keys.size() * values.get().size() * 2 > PLACES_MAX) {
                break;
            }
            keys = extended(keys, components(values.get()));
        }
        return keys.getFirst().isEmpty()
                ? Optional.empty()
                : Optional.of(keys.stream().map(definition::key).toList());
    }

    private void addWithin(LogicalPartition partition, Alternative alternative) {
        int idInKey = container.definition().partitionKey().paths().indexOf(ID);
        if (idInKey >= 0) {
            // Of all ids that are asked for, a partition can only have the one in its key.
            addItems(partition, Set.of(partition.key().components().get(idInKey)));
        } else {
            alternative.at(ID).ifPresentOrElse(ids -> addItems(partition, ids), () -> add(partition.itemKeys()));
        }
    }

    private LogicalPartition partition(PartitionKey key) {
        return new LogicalPartition(
                EffectivePartitionKey.of(key, container.definition().partitionKey()), key);
    }

    private void addItems(LogicalPartition partition, Set<JsonValue> ids) {
        for (var id : ids) {
            if (id instanceof Str(var text)) {
                var key = ItemKey.of(partition, text).bytes();
                add(KeyRange.single(key));
            }
        }
    }

    private void add(KeyRange place) {
        places.merge(
                place.from(), place, (one, other) -> Arrays.compareUnsigned(one.to(), other.to()) > 0 ? one : other);
    }

    /** An item may be named alone and with its partition; nothing is looked at twice. */
    private List<KeyRange> apart() {
        var apart = new ArrayList<KeyRange>();
        for (var place : places.values()) {
            boolean within = !apart.isEmpty()
                    && Arrays.compareUnsigned(place.to(), apart.getLast().to()) <= 0;
            if (!within) {
                apart.add(place);
            }
        }
        return apart;
    }

    private static List<List<JsonValue>> extended(List<List<JsonValue>> keys, List<JsonValue> components) {
        var longer = new ArrayList<List<JsonValue>>();
        for (var key : keys) {
            for (var component : components) {
                var next = new ArrayList<>(key);
                next.add(component);
                longer.add(next);
            }
        }
        return longer;
    }

    /** As partition keys see values: arrays and objects count as missing, and 0 and -0 are two. */
    private static List<JsonValue> components(Set<JsonValue> values) {
        var components = new ArrayList<JsonValue>();
        for (var value : values) {
            switch (value) {
                case Arr _, Obj _ -> components.add(JsonValue.UNDEFINED);
                case Num(double number, var _)
                when number == 0 -> {
                    components.add(new Num(0.0));
                    components.add(new Num(-0.0));
                }
                case JsonValue _ -> components.add(value);
            }
        }
        return components;
    }
}
