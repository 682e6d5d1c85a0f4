package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What may occur only once within a logical partition. */
public record UniqueKeyPolicy(List<UniqueKey> uniqueKeys, Obj others) {
    public static final UniqueKeyPolicy NONE = new UniqueKeyPolicy(List.of(), Obj.EMPTY);

    /** Paths whose values are unique together; a value that is missing counts as null. */
    public record UniqueKey(List<JsonPath> paths, Obj others) {
        public UniqueKey {
            paths = List.copyOf(paths);
        }
    }

    public UniqueKeyPolicy {
        uniqueKeys = List.copyOf(uniqueKeys);
    }

    static UniqueKeyPolicy parse(MemberReader json) {
        var keys = json.objects("uniqueKeys", Limits.UNIQUE_KEYS_MAX, UniqueKeyPolicy::parseKey);
        var seen = new HashSet<Set<JsonPath>>();
        for (var key : keys) {
            if (!seen.add(Set.copyOf(key.paths()))) {
                throw json.refusal("uniqueKeys", "contains two keys of the same paths.");
            }
        }
        return new UniqueKeyPolicy(keys, json.others());
    }

    private static UniqueKey parseKey(MemberReader json) {
        var paths = json.paths("paths", Limits.UNIQUE_KEY_PATHS_MAX);
        if (paths.isEmpty()) {
            throw json.refusal("paths", "must name from 1 to " + Limits.UNIQUE_KEY_PATHS_MAX + " paths.");
        }
        for (var path : paths) {
            // The server says these with each write, so that a client could never keep them unique.
            if (SystemProperties.isSystemName(path.names().getFirst())) {
                throw json.refusal("paths", "contains the system property '" + path.text() + "'.");
            }
        }
        if (new HashSet<>(paths).size() < paths.size()) {
            throw json.refusal("paths", "contains the same path twice.");
        }
        return new UniqueKey(paths, json.others());
    }

    Obj toJson() {
        return Obj.builder()
                .put(
                        "uniqueKeys",
                        new Arr(uniqueKeys.stream()
                                .<JsonValue>map(UniqueKeyPolicy::toJson)
                                .toList()))
                .putAll(others)
                .build();
    }

    private static Obj toJson(UniqueKey key) {
        var paths = key.paths().stream().map(JsonPath::text).toList();
        return Obj.builder()
                .put("paths", JsonValue.strings(paths))
                .putAll(key.others())
                .build();
    }
}
