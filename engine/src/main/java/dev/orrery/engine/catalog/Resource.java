package dev.orrery.engine.catalog;

import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A resource that describes, as clients see it.
 *
 * @param parent the resource it hangs below, absent for databases and offers
 * @param json all its properties, system properties included
 */
public record Resource(ResourceKind kind, Rid rid, Optional<Rid> parent, Obj json) {

    public String id() {
        return text("id");
    }

    public String etag() {
        return text("_etag");
    }

    /** The rid link, {@code dbs/.../colls/.../}. */
    public String self() {
        return text("_self");
    }

    public ByteBuffer bytes() {
        return ByteBuffer.wrap(JsonWriter.bytes(json));
    }

    private String text(String name) {
        return ((Str) json.member(name)).value();
    }
}
