package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.Query;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import java.util.Optional;

/** What an SDK needs to know to run a query: where to send it, and what to do with the rows of several ranges. */
final class QueryPlan {
    private QueryPlan() {}

    static Obj of(Container container, Optional<PartitionKey> partition, Query query) {
        boolean oneRange = container.ranges().live().size() == 1 || partition.isPresent();
        var select = query.syntax().select();
        boolean asItIs = query.shape() == Query.Shape.STREAMING
                && select.top().isEmpty()
                && query.syntax().offsetLimit().isEmpty();
        if (!oneRange && !asItIs) {
            throw new FailureException(new Failure.Unsupported(
                    "Plans for this query over several ranges are not supported by this version of Orrery."));
        }
        return Obj.builder()
                .put("partitionedQueryExecutionInfoVersion", 2)
                .put("queryInfo", untouched(select.projection() instanceof Projection.Value))
                .put("queryRanges", JsonValue.array(range(container, partition)))
                .build();
    }

    /** The query goes out as it is, and its rows are the answer. */
    private static Obj untouched(boolean selectsValue) {
        return Obj.builder()
                .put("distinctType", "None")
                .put("top", JsonValue.NULL)
                .put("offset", JsonValue.NULL)
                .put("limit", JsonValue.NULL)
                .put("orderBy", Arr.EMPTY)
                .put("orderByExpressions", Arr.EMPTY)
                .put("groupByExpressions", Arr.EMPTY)
                .put("groupByAliases", Arr.EMPTY)
                .put("aggregates", Arr.EMPTY)
                .put("groupByAliasToAggregateType", Obj.EMPTY)
                .put("rewrittenQuery", "")
                .put("hasSelectValue", selectsValue)
                .put("dCountInfo", JsonValue.NULL)
                .put("hasNonStreamingOrderBy", false)
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
