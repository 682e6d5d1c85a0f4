package dev.orrery.engine.replica;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A change that was lost with its region, as the conflicts feed of its container shows it. */
final class LostConflict {
    private LostConflict() {}

    static void keep(Catalog.Edit edit, Container container, String region, LostChange change, long nowSecond) {
        var parent = Optional.of(container.rid());
        var id = "%s-%d-%d-%d-%d"
                .formatted(
                        region.replace(' ', '-'),
                        change.range().range(),
                        change.epoch(),
                        change.lsn(),
                        change.sequence());
        if (edit.find(parent, ResourceKind.CONFLICT, id).isPresent()) {
            return;
        }
        var rid = Rid.containerChild(Rid.Kind.CONFLICT, container.rid(), edit.drawNumber());
        var etag = StoredItem.etag(edit.lsn(), 0, nowSecond);
        var conflict = Obj.builder()
                .put("id", id)
                .put("operationType", operation(change.entry().change()))
                .put("resourceType", "document")
                .put("resourceId", resourceId(container, change))
                .put("sourceRegion", region)
                .put("conflictLsn", (double) change.lsn())
                .put("content", change.item().map(LostConflict::text).orElse(""))
                .put(SystemProperties.RID, rid.toString())
                .put(
                        SystemProperties.SELF,
                        container.resource().self() + ResourceKind.CONFLICT.segment() + "/" + rid + "/")
                .put(SystemProperties.ETAG, etag)
                .put(SystemProperties.TIMESTAMP, (double) nowSecond)
                .build();
        edit.put(new Resource(ResourceKind.CONFLICT, rid, parent, conflict));
    }

    private static String operation(LogEntry.Change change) {
        return switch (change) {
            case CREATE -> "create";
            case REPLACE -> "replace";
            case DELETE, EXPIRE -> "delete";
        };
    }

    /** The rid of the item, also of one that was deleted. */
    private static String resourceId(Container container, LostChange change) {
        long document =
                change.item().map(StoredItem::document).orElse(change.entry().document());
        return document == 0 ? "" : Rid.document(container.rid(), document).toString();
    }

    private static String text(StoredItem item) {
        return StandardCharsets.UTF_8.decode(item.json()).toString();
    }
}
