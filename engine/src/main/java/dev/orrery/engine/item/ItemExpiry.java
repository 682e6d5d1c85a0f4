package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.ExpiryKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.TimeToLive;
import dev.orrery.engine.partition.Unit;

/** What the end of an item's time to live does to its rows. */
public final class ItemExpiry {
    private ItemExpiry() {}

    /** Removes an item that is due. An entry that no longer fits its item goes away alone. */
    public static void expire(Unit unit, Container container, ExpiryKey entry) {
        var item = ItemRows.find(unit, container, entry.item());
        if (item == null || item.expirySecond() != entry.second()) {
            unit.delete(entry.encode());
        }
    }

    /** Gives an item the expiry entry that the container's present default asks for; its version stays the same. */
    public static void redo(Unit unit, Container container, ItemKey key) {
        var value = unit.get(key.bytes());
        if (value == null) {
            return;
        }
        var item = StoredItem.decode(value);
        long expiry = TimeToLive.of(container.definition()).end(item);
        if (expiry != item.expirySecond()) {
            ItemRows.moveExpiry(unit, key, item, expiry);
        }
    }
}
