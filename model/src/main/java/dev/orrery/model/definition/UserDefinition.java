package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

/** Someone to whom permissions are given; a replace may give them another id. */
public record UserDefinition(String id, Obj others) implements Definition {
    private static final List<String> CHILDREN = List.of("permissions");

    public static UserDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        return new UserDefinition(json.resourceId(CHILDREN), json.others());
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
