package dev.orrery.model.definition;

import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue.Obj;

/** An index of the words at a path that the container's full-text policy describes. */
public record FullTextIndex(JsonPath path, Obj others) {

    static FullTextIndex parse(MemberReader json) {
        return new FullTextIndex(json.requiredPath("path"), json.others());
    }

    Obj toJson() {
        return Obj.builder().put("path", path.text()).putAll(others).build();
    }
}
