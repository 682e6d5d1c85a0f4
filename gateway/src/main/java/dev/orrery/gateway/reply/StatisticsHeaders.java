package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.QueryMetrics;

/** Headers whose value is a list of {@code name=value}: what a query has cost. */
final class StatisticsHeaders {
    private StatisticsHeaders() {}

    /** Every name must be there: SDKs look up all of them. Work that is not measured on its own counts as no time. */
    static String query(QueryMetrics metrics) {
        return "totalExecutionTimeInMs=" + Decimals.millis(metrics.nanosTotal())
                + ";queryCompileTimeInMs=" + Decimals.millis(metrics.nanosCompile())
                + ";queryLogicalPlanBuildTimeInMs=0;queryPhysicalPlanBuildTimeInMs=0;queryOptimizationTimeInMs=0"
                + ";VMExecutionTimeInMs=" + Decimals.millis(metrics.nanosTotal() - metrics.nanosCompile())
                + ";indexLookupTimeInMs=0;documentLoadTimeInMs=0"
                + ";systemFunctionExecuteTimeInMs=0;userFunctionExecuteTimeInMs=0"
                + ";retrievedDocumentCount=" + metrics.itemsRead()
                + ";retrievedDocumentSize=" + metrics.bytesRead()
                + ";outputDocumentCount=" + metrics.itemsReturned()
                + ";outputDocumentSize=" + metrics.bytesReturned()
                + ";writeOutputTimeInMs=0"
                + ";indexUtilizationRatio=" + ratio(metrics);
    }

    /** How many of the items that were read were wanted; all of them where the index alone gave the answer. */
    private static String ratio(QueryMetrics metrics) {
        return metrics.itemsRead() == 0
                ? metrics.itemsReturned() == 0 ? "0" : "1"
                : Decimals.hundredths(Math.min(1, (double) metrics.itemsReturned() / metrics.itemsRead()));
    }
}
