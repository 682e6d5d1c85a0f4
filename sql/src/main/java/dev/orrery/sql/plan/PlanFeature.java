package dev.orrery.sql.plan;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/** What an SDK says it can do with the rows of a rewritten query; the names are those of the protocol. */
public enum PlanFeature {
    AGGREGATE("Aggregate"),
    COUNT_IF("CountIf"),
    DISTINCT("Distinct"),
    DISTINCT_COUNT("DCount"),
    GROUP_BY("GroupBy"),
    HYBRID_SEARCH("HybridSearch"),
    LIST_AND_SET_AGGREGATE("ListAndSetAggregate"),
    MULTIPLE_AGGREGATES("MultipleAggregates"),
    MULTIPLE_ORDER_BY("MultipleOrderBy"),
    NON_STREAMING_ORDER_BY("NonStreamingOrderBy"),
    NON_VALUE_AGGREGATE("NonValueAggregate"),
    OFFSET_AND_LIMIT("OffsetAndLimit"),
    ORDER_BY("OrderBy"),
    TOP("Top"),
    WEIGHTED_RANK_FUSION("WeightedRankFusion");

    private final String wireName;

    PlanFeature(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** The features with these names; names that mean nothing here are passed over. */
    public static Set<PlanFeature> of(Collection<String> names) {
        var features = EnumSet.noneOf(PlanFeature.class);
        for (var feature : values()) {
            if (names.contains(feature.wireName)) {
                features.add(feature);
            }
        }
        return features;
    }
}
