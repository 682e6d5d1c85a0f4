package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.PlanFeature;
import dev.orrery.sql.plan.SdkQueryPlan.Reach;
import dev.orrery.sql.run.QueryInputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What an SDK needs to know to run a query: where to send it, and what to do with the rows of several ranges. */
final class QueryPlan {
    /** One range, it does not matter which: each that is asked would give all rows of a query that reads no items. */
    private static final Obj ANYWHERE = range(new EpkRange(EpkRange.ALL.min(), EpkRange.ALL.min()), true);

    private static final Obj EVERYWHERE = range(EpkRange.ALL, false);

    /** A list of more keys than this is likely to ask every range anyway. */
    private static final int RANGES_MAX = 256;

    private QueryPlan() {}

    /** For a client that asks for some partitions only, or for all, and has these features. */
    static Obj of(
            Container container,
            Optional<PartitionKey> partition,
            Set<PlanFeature> features,
            Query query,
            QueryInputs inputs) {
        var definition = container.definition().partitionKey();
        var keys = keys(container, partition, query, inputs);
        var plan = query.sdkPlan(inputs, features, reach(container, keys));
        return Obj.builder()
                .putAll(plan)
                .put(
                        "queryRanges",
                        new Arr(
                                query.readsItems()
                                        ? keys.map(some -> ranges(definition, some))
                                                .orElse(List.of(EVERYWHERE))
                                        : List.of(ANYWHERE)))
                .build();
    }

    private static Reach reach(Container container, Optional<Set<PartitionKey>> keys) {
        var definition = container.definition().partitionKey();
        if (keys.filter(some -> some.size() == 1 && some.stream().allMatch(definition::isComplete))
                .isPresent()) {
            return Reach.ONE_PARTITION;
        }
        return container.ranges().live().size() == 1 ? Reach.ONE_RANGE : Reach.SEVERAL_RANGES;
    }

    /** The partition keys, or their beginnings, of all items that can contribute; empty when any item can. */
    private static Optional<Set<PartitionKey>> keys(
            Container container, Optional<PartitionKey> partition, Query query, QueryInputs inputs) {
        if (partition.isPresent()) {
            container.definition().partitionKey().requirePrefix(partition.get());
            return partition.map(Set::of);
        }
        // How rare words are is told by all items.
        return query.statistics().isPresent()
                ? Optional.empty()
                : KeyLookup.partitions(container, query, inputs).filter(keys -> keys.size() <= RANGES_MAX);
    }

    /** In ascending order and apart from each other. */
    private static List<JsonValue> ranges(PartitionKeyDefinition definition, Set<PartitionKey> keys) {
        var starts = new TreeMap<EffectivePartitionKey, PartitionKey>();
        keys.forEach(key -> starts.put(EffectivePartitionKey.of(key, definition), key));
        var ranges = new ArrayList<JsonValue>();
        var group = new EpkRange(EpkRange.ALL.min(), EpkRange.ALL.min());
        for (var start : starts.entrySet()) {
            var place = start.getKey();
            if (group.contains(place)) {
                continue;
            }
            if (definition.isComplete(start.getValue())) {
                ranges.add(range(new EpkRange(place, place), true));
            } else {
                group = EpkRange.startingWith(place);
                ranges.add(range(group, false));
            }
        }
        return ranges.isEmpty() ? List.of(ANYWHERE) : ranges;
    }

    private static Obj range(EpkRange epks, boolean maxInclusive) {
        return Obj.builder()
                .put("min", epks.min().hex())
                .put("max", epks.max().hex())
                .put("isMinInclusive", true)
                .put("isMaxInclusive", maxInclusive)
                .build();
    }
}
