package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.partition.Unit;
import java.util.Optional;

/**
 * One change of one item as a copy of a range tells it to another.
 *
 * @param sequence its place among the changes of its LSN
 * @param item the version that it wrote; none when the item ended
 */
public record ShippedChange(int sequence, LogEntry entry, Optional<StoredItem> item) {

    /** Makes the same change here. Index, unique keys and expiry are as this copy's container says. */
    public void apply(Unit unit, Container container) {
        var stored = item.map(version -> version.withExpiry(
                ItemWriter.expiry(unit, container, version.second(), version.ttlSeconds(), version.text())));
        ItemRows.apply(unit, container, sequence, entry, stored.orElse(null));
    }
}
