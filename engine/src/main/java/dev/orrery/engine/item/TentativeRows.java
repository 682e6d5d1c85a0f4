package dev.orrery.engine.item;

import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.json.JsonPatch;
import java.util.Optional;

/** What is kept of a write until it is settled among several regions that write; see {@link Tentative}. */
final class TentativeRows {
    private TentativeRows() {}

    static void note(Unit unit, ItemKey key, int sequence, Optional<StoredItem> old, Optional<StoredItem> item) {
        var place = new LogKey(unit.lsn(), sequence);
        var write = new Tentative(place, unit.nowSecond(), old.map(StoredItem::etag), Optional.empty(), key, item);
        unit.put(write.rowKey(), write.encode());
        unit.put(Tentative.heldKey(key), Frontier.encode(place));
        unit.countTentative();
    }

    /** Adds the operations that made a version: on another base they are done again. */
    static void notePatch(Unit unit, int sequence, JsonPatch patch) {
        var place = new LogKey(unit.lsn(), sequence);
        var rowKey = Tentative.rowKey(place);
        unit.put(
                rowKey,
                Tentative.decode(place, unit.get(rowKey))
                        .withPatch(patch.toBytes())
                        .encode());
    }
}
