package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.partition.Unit;
import java.util.Optional;

/**
 * One change of one item as a copy of a range tells it to another.
 *
 * @param sequence its place among the changes of its LSN
 * @param item the version that it wrote; none when the item ended
 * @param owner the item of the source that it is of, where it is an item of a view
 */
public record ShippedChange(int sequence, LogEntry entry, Optional<StoredItem> item, Optional<ItemKey> owner) {

    /** Makes the same change here. Index, unique keys and expiry are as this copy's container says. */
    public void apply(Unit unit, Container container) {
        var stored = item.map(version -> version.withExpiry(
                ItemWriter.expiry(unit, container, version.second(), version.ttlSeconds(), version.text())));
        ItemRows.apply(unit, container, sequence, entry, stored.orElse(null));
        if (container.definition().view().isPresent()) {
            var key = ViewKeys.owner(entry.item());
            owner.ifPresentOrElse(other -> unit.put(key, other.bytes()), () -> unit.delete(key));
        }
    }
}
