package dev.orrery.engine.script;

import dev.orrery.engine.catalog.Resource;
import dev.orrery.model.json.JsonValue.Str;

/**
 * JavaScript text as a resource holds it.
 *
 * @param version names this text and nothing else: a replaced script, or one of the same name elsewhere, has another
 */
public record Script(String version, String name, String body) {

    public static Script of(Resource resource) {
        return new Script(
                resource.rid() + resource.etag(),
                resource.id(),
                ((Str) resource.json().member("body")).value());
    }
}
