package dev.orrery.engine.catalog;

import dev.orrery.engine.key.CatalogVersion;
import java.util.List;

/**
 * What one copy of the catalog tells another.
 *
 * @param version what the other has come to with it
 * @param isComplete whether it is everything, so that what is not in it is gone
 * @param lastNumber the last number drawn for a rid
 */
public record CatalogShipment(CatalogVersion version, boolean isComplete, int lastNumber, List<Row> rows) {
    public CatalogShipment {
        rows = List.copyOf(rows);
    }

    /**
     * A resource as it is stored.
     *
     * @param value null for what is gone
     */
    @SuppressWarnings("ArrayRecordComponent") // Rows of a store are arrays.
    public record Row(byte[] key, byte[] value) {}
}
