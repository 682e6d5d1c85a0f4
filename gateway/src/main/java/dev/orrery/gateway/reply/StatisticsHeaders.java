package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.model.Limits;

/** Headers whose value is a list of {@code name=value}: what a container may hold and holds, what a query has cost. */
final class StatisticsHeaders {
    private static final int KIB = 1024;

    /** Sizes in KB, as everywhere in these headers. */
    static final String QUOTA = "documentSize=" + Limits.ITEM_BYTES_MAX / KIB
            + ";documentsSize=" + Limits.PHYSICAL_PARTITION_BYTES_MAX / KIB
            + ";documentsCount=-1"
            + ";collectionSize=" + Limits.PHYSICAL_PARTITION_BYTES_MAX / KIB
            + ";storedProcedures=" + Limits.STORED_PROCEDURES_MAX
            + ";triggers=" + Limits.TRIGGERS_MAX
            + ";functions=" + Limits.USER_DEFINED_FUNCTIONS_MAX;

    private StatisticsHeaders() {}

    static String usage(Usage usage) {
        long kilobytes = Math.ceilDiv(usage.itemBytes(), KIB);
        return "documentSize=0;documentsSize=" + kilobytes
                + ";documentsCount=" + usage.items()
                + ";collectionSize=" + kilobytes
                + ";storedProcedures=" + usage.storedProcedures()
                + ";triggers=" + usage.triggers()
                + ";functions=" + usage.functions();
    }

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
