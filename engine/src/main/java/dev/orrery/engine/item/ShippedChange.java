package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
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
        entry.origin().ifPresent(origin -> raise(unit, origin.slot(), origin.place()));
        if (container.definition().view().isPresent()) {
            var key = ViewKeys.owner(entry.item());
            owner.ifPresentOrElse(other -> unit.put(key, other.bytes()), () -> unit.delete(key));
        }
    }

    /** Notes up to which of its writes those of a region are settled. */
    public static void raise(Unit unit, int slot, LogKey place) {
        var key = Frontier.key(slot);
        if (!Frontier.covers(Frontier.decode(unit.get(key)), place)) {
            unit.put(key, Frontier.encode(place));
        }
    }
}
