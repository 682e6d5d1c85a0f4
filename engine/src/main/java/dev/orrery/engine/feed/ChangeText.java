package dev.orrery.engine.feed;

import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.nio.ByteBuffer;
import java.util.Optional;

/** What a reader of changes is told of one of them. */
final class ChangeText {
    private static final String LSN = "_lsn";

    private ChangeText() {}

    /** The item, and the LSN of its change as one more property. */
    static ByteBuffer item(StoredItem item, long lsn) {
        var text = new JsonWriter(item.sizeBytes() + 32);
        writeItem(text, item, lsn);
        return buffer(text);
    }

    /** The item together with what happened to it. */
    static ByteBuffer latest(StoredItem item, LogKey place, LogEntry entry, PartitionKeyDefinition definition) {
        var text = new JsonWriter(item.sizeBytes() + 192).raw("{\"current\":");
        writeItem(text, item, place.lsn());
        writeMetadata(text, place, entry, definition);
        return buffer(text.raw("}"));
    }

    /**
     * One change of all.
     *
     * @param current the version that it wrote; none for the end of an item
     */
    static ByteBuffer change(
            Optional<StoredItem> current,
            Optional<StoredItem> previous,
            LogKey place,
            LogEntry entry,
            PartitionKeyDefinition definition) {
        int size = current.map(StoredItem::sizeBytes).orElse(0)
                + previous.map(StoredItem::sizeBytes).orElse(0);
        var text = new JsonWriter(size + 256).raw("{\"current\":");
        current.ifPresentOrElse(item -> raw(text, item), () -> text.raw("{}"));
        previous.ifPresent(item -> raw(text.raw(",\"previous\":"), item));
        writeMetadata(text, place, entry, definition);
        return buffer(text.raw("}"));
    }

    private static void raw(JsonWriter text, StoredItem item) {
        text.raw(item.text().array(), item.text().textStart(), item.text().textLength());
    }

    private static void writeItem(JsonWriter text, StoredItem item, long lsn) {
        if (item.text().member(LSN).isUndefined()) {
            text.raw(item.text().array(), item.text().textStart(), item.text().textLength() - 1)
                    .raw(",\"" + LSN + "\":")
                    .number(lsn)
                    .raw("}");
        } else {
            // An item that was read from one change feed and stored as it came brings one of its own along.
            text.value(Obj.builder()
                    .putAll(item.text().asValue())
                    .remove(LSN)
                    .put(LSN, (double) lsn)
                    .build());
        }
    }

    private static void writeMetadata(
            JsonWriter text, LogKey place, LogEntry entry, PartitionKeyDefinition definition) {
        text.raw(",\"metadata\":{\"operationType\":\"")
                .raw(name(entry.change()))
                .raw("\",\"lsn\":")
                .number(place.lsn())
                .raw(",\"crts\":")
                .number(entry.second());
        entry.previous().ifPresent(before -> text.raw(",\"previousImageLSN\":").number(before.lsn()));
        if (entry.change() == Change.EXPIRE) {
            text.raw(",\"timeToLiveExpired\":true");
        }
        if (entry.change().isEnd()) {
            text.raw(",\"id\":").string(entry.item().id()).raw(",\"partitionKey\":");
            text.value(key(entry, definition));
        }
        text.raw("}");
    }

    private static String name(Change change) {
        return switch (change) {
            case CREATE -> "create";
            case REPLACE -> "replace";
            case DELETE, EXPIRE -> "delete";
        };
    }

    /** The values of the key under the paths that the container takes them from. */
    private static Obj key(LogEntry entry, PartitionKeyDefinition definition) {
        var members = Obj.builder();
        var components = entry.item().partitionKey().components();
        for (int i = 0; i < components.size() && i < definition.paths().size(); i++) {
            if (!components.get(i).isUndefined()) {
                members.put(String.join("/", definition.paths().get(i).names()), components.get(i));
            }
        }
        return members.build();
    }

    private static ByteBuffer buffer(JsonWriter text) {
        return ByteBuffer.wrap(text.buffer(), 0, text.size());
    }
}
