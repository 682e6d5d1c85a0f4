package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.item.ItemWriter.PreparedWrite;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** How the items of a view change: only as those of its source do. Doing the same again changes nothing. */
public final class ViewItems {
    private final ItemWriter writer;

    public ViewItems(Items items) {
        this.writer = items.writer();
    }

    /**
     * Stores what an item of the source has in the view.
     *
     * @return false when the place is taken by another item of the source
     */
    public boolean put(Unit unit, Container view, ItemKey key, ItemKey source, Obj row) {
        var owner = unit.get(ViewKeys.owner(key));
        if (owner != null && !Arrays.equals(owner, source.bytes())) {
            return false;
        }
        var current = ItemRows.find(unit, view, key);
        if (current == null || !content(current).equals(row.members())) {
            var body = JsonWriter.bytes(row);
            writer.write(
                    unit,
                    view,
                    new PreparedWrite(
                            new ItemWrite.Upsert(body, Precondition.NONE),
                            key.partition(),
                            key,
                            ItemBody.read(body),
                            IndexingDirective.DEFAULT));
        }
        if (owner == null) {
            unit.put(ViewKeys.owner(key), source.bytes());
        }
        return true;
    }

    /** Removes what an item of the source has in a place of the view, if it is there. */
    public void remove(Unit unit, Container view, ItemKey key, ItemKey source) {
        var owner = unit.get(ViewKeys.owner(key));
        if (!Arrays.equals(owner, source.bytes())) {
            return;
        }
        unit.delete(ViewKeys.owner(key));
        var current = ItemRows.find(unit, view, key);
        if (current != null) {
            ItemRows.remove(unit, view, key, current, Change.DELETE);
        }
    }

    private static Map<String, JsonValue> content(StoredItem item) {
        var content = new HashMap<>(item.text().asValue().members());
        content.keySet().removeIf(SystemProperties::isSystemName);
        return content;
    }
}
