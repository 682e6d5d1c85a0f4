package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.Set;
import java.util.regex.Pattern;

/** A value that queries see as a property of the item although it is not stored; the query language checks its text. */
public record ComputedProperty(String name, String query, Obj others) {
    private static final Set<String> SYSTEM_PROPERTIES =
            Set.of("id", "_rid", "_self", "_etag", "_ts", "_attachments", "_lsn", "ttl");

    private static final Pattern SELECT_VALUE =
            Pattern.compile("\\s*SELECT\\s+VALUE\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    static ComputedProperty parse(MemberReader json) {
        var name = json.requiredText("name");
        if (SYSTEM_PROPERTIES.contains(name)) {
            throw json.refusal("name", "is '" + name + "', which is a system property.");
        }
        var query = json.requiredText("query");
        if (!SELECT_VALUE.matcher(query).matches()) {
            throw json.refusal("query", "must have the form SELECT VALUE ... FROM c.");
        }
        return new ComputedProperty(name, query, json.others());
    }

    Obj toJson() {
        return Obj.builder()
                .put("name", name)
                .put("query", query)
                .putAll(others)
                .build();
    }
}
