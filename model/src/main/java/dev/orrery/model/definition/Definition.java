package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import java.util.List;

/** A resource that describes something: what the client said of it, in normal form. */
public sealed interface Definition
        permits ContainerDefinition,
                DatabaseDefinition,
                UserDefinition,
                PermissionDefinition,
                ClientEncryptionKeyDefinition,
                ScriptDefinition,
                TriggerDefinition {

    String id();

    /** What the client said; reading it again gives an equal definition. */
    Obj toJson();

    /** The resource as clients see it. */
    default Obj toJson(SystemProperties system) {
        return withSystemProperties(toJson(), system, childSegments());
    }

    /** The kinds of children that the resource links to, spelled as in an address. */
    List<String> childSegments();

    /** Adds what the server says, and a link of the form {@code _docs: "docs/"} for each kind of children. */
    static Obj withSystemProperties(Obj definition, SystemProperties system, List<String> childSegments) {
        var resource = Obj.builder()
                .putAll(definition)
                .put(SystemProperties.RID, system.rid())
                .put(SystemProperties.TIMESTAMP, (double) system.timestampSeconds())
                .put(SystemProperties.SELF, system.self())
                .put(SystemProperties.ETAG, system.etag());
        childSegments.forEach(segment -> resource.put(linkName(segment), segment + "/"));
        return resource.build();
    }

    /** The member that links to the children of a kind. */
    static String linkName(String childSegment) {
        return "_" + childSegment;
    }
}
