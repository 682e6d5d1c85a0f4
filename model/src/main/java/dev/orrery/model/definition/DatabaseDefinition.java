package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

public record DatabaseDefinition(String id, Obj others) implements Definition {
    private static final List<String> CHILDREN = List.of("colls", "users");

    public static DatabaseDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        return new DatabaseDefinition(json.resourceId(CHILDREN), json.others());
    }

    @Override
    public Obj toJson() {
        return Obj.builder().put("id", id).putAll(others).build();
    }

    @Override
    public List<String> childSegments() {
        return CHILDREN;
    }
}
