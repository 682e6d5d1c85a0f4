package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

/** A stored procedure or a user-defined function: JavaScript under an id. */
public record ScriptDefinition(String id, String body, Obj others) implements Definition {

    public static ScriptDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        return new ScriptDefinition(json.scriptId(), body(json), json.others());
    }

    /** The text of a script, of which nobody reads more than there may be. */
    static String body(MemberReader json) {
        var body = json.requiredText("body");
        if (body.length() > Limits.SCRIPT_BODY_CHARACTERS_MAX) {
            throw new FailureException(new Failure.TooLarge("The body of a script may have "
                    + Limits.SCRIPT_BODY_CHARACTERS_MAX + " characters, and this one has " + body.length() + "."));
        }
        return body;
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
