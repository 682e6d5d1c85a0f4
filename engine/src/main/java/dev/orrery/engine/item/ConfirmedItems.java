package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.partition.Unit;
import java.util.Optional;

/** How items become what is settled, where clients see and write them. */
public final class ConfirmedItems {
    private ConfirmedItems() {}

    /**
     * Makes an item what it is in the settled copy. Nothing is refused: that was decided where it was settled.
     *
     * @param settled the version there; none when there is no such item
     * @param isExpired whether its end was that its time was over
     */
    public static void take(
            Unit unit, Container container, ItemKey key, Optional<StoredItem> settled, boolean isExpired) {
        var value = unit.get(key.bytes());
        var old = value == null ? null : StoredItem.decode(value);
        if (settled.isEmpty()) {
            if (old != null) {
                int sequence = unit.nextSequence();
                var change = isExpired ? Change.EXPIRE : Change.DELETE;
                ItemRows.apply(unit, container, sequence, entry(unit, change, key, old.document(), old), null);
            }
            return;
        }
        var version = settled.get();
        if (old != null && old.etag().equals(version.etag())) {
            return; // It was written here.
        }
        int sequence = unit.nextSequence();
        long expiry = ItemWriter.expiry(unit, container, version.second(), version.ttlSeconds(), version.text());
        var change = old == null ? Change.CREATE : Change.REPLACE;
        ItemRows.apply(
                unit,
                container,
                sequence,
                entry(unit, change, key, version.document(), old),
                version.storedBy(unit.lsn(), sequence, expiry));
    }

    /** Whether an item was written here since what is settled of it. */
    public static boolean isHeld(Unit unit, ItemKey key) {
        return unit.get(Tentative.heldKey(key)) != null;
    }

    private static LogEntry entry(Unit unit, Change change, ItemKey key, long document, StoredItem old) {
        return new LogEntry(
                change, unit.nowSecond(), document, Optional.ofNullable(old).map(LogKey::of), key);
    }

    /** Lets go of an item whose last write here has been settled: from now on it is what is settled. */
    public static void letGo(Unit unit, ItemKey key) {
        unit.delete(Tentative.heldKey(key));
    }
}
