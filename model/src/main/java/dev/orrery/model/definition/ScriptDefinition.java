package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

/** A stored procedure or a user-defined function: JavaScript under an id. Whether it can run shows when it is run. */
public record ScriptDefinition(String id, String body, Obj others) implements Definition {

    public static ScriptDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        return new ScriptDefinition(json.resourceId(List.of()), json.requiredText("body"), json.others());
    }

    @Override
    public Obj toJson() {
        return Obj.builder().put("id", id).put("body", body).putAll(others).build();
    }

    @Override
    public List<String> childSegments() {
        return List.of();
    }
}
