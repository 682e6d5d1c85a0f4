package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.operation.Operation.PlanQuery;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.PlanFeature;
import dev.orrery.sql.run.QueryInputs;
import java.util.Optional;

/** What an SDK needs to know to run a query: where to send it, and what to do with the rows of several ranges. */
final class QueryPlan {
    /** One range, it does not matter which: each that is asked would give all rows of a query that reads no items. */
    private static final Obj ANYWHERE = range(new EpkRange(EpkRange.ALL.min(), EpkRange.ALL.min()), true);

    private QueryPlan() {}

    static Obj of(Container container, PlanQuery asked, Query query, QueryInputs inputs) {
        boolean oneRange = container.ranges().live().size() == 1;
        boolean oneKey = asked.partition()
                .filter(key -> key.size()
                        == container.definition().partitionKey().paths().size())
                .isPresent();
        var features = PlanFeature.of(asked.features());
        var plan = oneRange ? query.sdkPlanForOnePartition() : query.sdkPlan(inputs, features, oneKey);
        return Obj.builder()
                .putAll(plan)
                .put(
                        "queryRanges",
                        JsonValue.array(query.readsItems() ? range(container, asked.partition()) : ANYWHERE))
                .build();
    }

    private static Obj range(Container container, Optional<PartitionKey> partition) {
        if (partition.isEmpty()) {
            return range(EpkRange.ALL, false);
        }
        var definition = container.definition().partitionKey();
        var key = partition.get();
        definition.requirePrefix(key);
        var epk = EffectivePartitionKey.of(key, definition);
        return key.size() < definition.paths().size()
                ? range(EpkRange.startingWith(epk), false)
                : range(new EpkRange(epk, epk), true);
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
