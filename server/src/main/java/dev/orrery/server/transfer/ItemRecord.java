package dev.orrery.server.transfer;

import dev.orrery.gateway.client.ContainerClient.Write;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.model.key.EffectivePartitionKey;
import java.util.HashMap;
import java.util.Map;

/** An item of a file on its way to the server. */
final class ItemRecord {
    private final long number;
    private final String file;
    private final long line;
    private final String id;
    private final Obj item;
    private final Write write;
    private final EffectivePartitionKey place;
    private boolean uncertain;

    ItemRecord(long number, String file, long line, String id, Obj item, Write write, EffectivePartitionKey place) {
        this.number = number;
        this.file = file;
        this.line = line;
        this.id = id;
        this.item = item;
        this.write = write;
        this.place = place;
    }

    long number() {
        return number;
    }

    String file() {
        return file;
    }

    long line() {
        return line;
    }

    String id() {
        return id;
    }

    Write write() {
        return write;
    }

    EffectivePartitionKey place() {
        return place;
    }

    int bytes() {
        return write.item().length;
    }

    /** Whether it may have arrived already, by a run that was interrupted or a request that was never answered. */
    boolean isUncertain() {
        return uncertain;
    }

    void makeUncertain() {
        uncertain = true;
    }

    /** Two records of the same item have the same number here; others hardly ever do. */
    long itemHash() {
        return place.hashCode() * 0x9e3779b97f4a7c15L + id.hashCode() * 0xc2b2ae3d27d4eb4fL;
    }

    /** Whether a stored item is this one. */
    boolean isStoredAs(Obj stored) {
        return withoutSystem(stored).equals(withoutSystem(item));
    }

    private static Map<String, JsonValue> withoutSystem(Obj object) {
        var members = new HashMap<>(object.members());
        members.keySet().removeIf(SystemProperties::isSystemName);
        return members;
    }
}
