package dev.orrery.engine.observe;

import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.SortPlace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One request of a query, which may be one of several that an SDK sends: one to each physical partition, page by page.
 *
 * @param pattern see {@link dev.orrery.sql.plan.QueryPattern}
 * @param keyed whether it names the partition keys that it is about, or how they begin
 * @param partial whether it names how they begin only
 * @param partition the one that it names beside its text
 * @param rangesBegun how many physical partitions it covers from their first page on; 0 for a later page
 * @param firstRangeBegun whether the first one of the container is among them
 * @param itemsThere how many items are in these
 * @param id the one that every row has, if the query asks for one
 * @param rows what it gave
 * @param pageRowsMax how many rows it takes in one answer
 * @param rowsMax how many rows it wants at most in all pages
 * @param indexes which indexes serve it, and which would; not for nothing
 */
public record QueryCall(
        String pattern,
        boolean keyed,
        boolean partial,
        Optional<PartitionKey> partition,
        int rangesBegun,
        boolean firstRangeBegun,
        long itemsThere,
        Condition condition,
        List<SortPlace> sort,
        Effects effects,
        Optional<String> id,
        List<ByteBuffer> rows,
        int pageRowsMax,
        LongSupplier rowsMax,
        Supplier<IndexMetrics> indexes) {

    /** The work that it took. */
    public record Effects(
            long rangesAsked,
            long indexKeys,
            long itemsLoaded,
            long itemBytes,
            long rows,
            long rowBytes,
            long aggregates,
            double charge) {
        public static final Effects NONE = new Effects(0, 0, 0, 0, 0, 0, 0, 0);

        public Effects costing(double requestUnits) {
            return new Effects(
                    rangesAsked, indexKeys, itemsLoaded, itemBytes, rows, rowBytes, aggregates, requestUnits);
        }

        public Effects plus(Effects other) {
            return new Effects(
                    rangesAsked + other.rangesAsked,
                    indexKeys + other.indexKeys,
                    itemsLoaded + other.itemsLoaded,
                    itemBytes + other.itemBytes,
                    rows + other.rows,
                    rowBytes + other.rowBytes,
                    aggregates + other.aggregates,
                    charge + other.charge);
        }
    }
}
