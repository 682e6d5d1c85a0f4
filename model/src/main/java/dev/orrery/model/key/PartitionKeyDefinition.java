package dev.orrery.model.key;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.ItemText;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Where in an item the partition key stands, and how it is hashed.
 *
 * @param version 1 hashes the first hundred characters of a value, 2 all of it
 * @param systemKey marks a container that once had no partition key: its items may do without
 */
public record PartitionKeyDefinition(List<JsonPath> paths, Kind kind, int version, boolean systemKey) {

    public enum Kind {
        /** One hash over all components. */
        HASH("Hash"),
        /** A hash for each component, so that keys with the same beginning are neighbours. */
        MULTI_HASH("MultiHash"),
        /** No hash: the values themselves in their order. */
        RANGE("Range");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        static Kind parse(String text) {
            for (var kind : values()) {
                if (kind.text.equalsIgnoreCase(text)) {
                    return kind;
                }
            }
            throw refused("partitionKey.kind must be Hash, MultiHash or Range.");
        }
    }

    /** Of a container that has no partition key: all of its items are in one partition, whose key is empty. */
    public static final PartitionKeyDefinition NONE =
            new PartitionKeyDefinition(List.of(JsonPath.parse("/_partitionKey")), Kind.HASH, 1, true);

    /** What may stand in a path without quotes. */
    private static final Pattern PLAIN_PATH = Pattern.compile("(?:/(?:[\\p{L}\\p{N}_-]+|\"[^\"]+\"|'[^']+'))+");

    public PartitionKeyDefinition {
        paths = List.copyOf(paths);
        if (paths.size() > Limits.PARTITION_KEY_PATHS_MAX) {
            throw refused("Too many partition key paths (" + paths.size() + ") specified. A maximum of "
                    + Limits.PARTITION_KEY_PATHS_MAX + " is allowed.");
        }
        if (paths.isEmpty()) {
            throw refused("partitionKey.paths must have 1 to " + Limits.PARTITION_KEY_PATHS_MAX + " paths.");
        }
        if (new HashSet<>(paths).size() < paths.size()) {
            throw refused("partitionKey.paths must not repeat a path.");
        }
        if (version != 1 && version != 2) {
            throw refused("partitionKey.version must be 1 or 2.");
        }
        if (kind == Kind.MULTI_HASH && version != 2) {
            throw refused("partitionKey.version must be 2 when the kind is MultiHash.");
        }
    }

    /**
     * Reads the form in which clients send a definition; kind and version may be missing. A client that says no version
     * is as old as the first one, or hashes as if it were; a hierarchical key has only ever had the second.
     */
    public static PartitionKeyDefinition parse(JsonValue value) {
        if (!(value instanceof Obj definition)) {
            throw refused("partitionKey must be an object.");
        }
        var paths = paths(definition.member("paths"));
        var kind = kind(definition.member("kind"));
        int version = version(definition.member("version"), kind);
        if (paths.size() > 1 && kind != Kind.MULTI_HASH && version == 2) {
            throw refused("partitionKey.kind must be MultiHash when there are several paths.");
        }
        return new PartitionKeyDefinition(paths, kind, version, Bool.TRUE.equals(definition.member("systemKey")));
    }

    private static List<JsonPath> paths(JsonValue value) {
        if (!(value instanceof Arr(var items))) {
            throw refused("partitionKey.paths must be an array of paths.");
        }
        var paths = new ArrayList<JsonPath>();
        for (var item : items) {
            if (!(item instanceof Str(String text))) {
                throw refused("partitionKey.paths must be an array of paths.");
            }
            paths.add(path(text));
        }
        return paths;
    }

    private static JsonPath path(String text) {
        try {
            return JsonPath.parse(text);
        } catch (FailureException malformed) {
            throw unacceptable(text, malformed.getMessage());
        }
    }

    /** Refuses paths with more than letters, digits, _ and - outside of quotes; asked of new containers only. */
    public void demandPlainPaths() {
        for (var path : paths) {
            if (!PLAIN_PATH.matcher(path.text()).matches()) {
                throw unacceptable(path.text(), "Write other characters in double quotes, as in /\"first name\".");
            }
        }
    }

    private static FailureException unacceptable(String path, String advice) {
        return refused("The partition key component definition path '" + path + "' could not be accepted. Partition key"
                + " paths must contain only valid characters and not contain a trailing slash or wildcard character. "
                + advice);
    }

    private static Kind kind(JsonValue value) {
        return switch (value) {
            case JsonValue.Undefined _, JsonValue.Null _ -> Kind.HASH;
            case Str(String text) -> Kind.parse(text);
            case Bool _, Num _, Arr _, Obj _ -> throw refused("partitionKey.kind must be a string.");
        };
    }

    /** A number, or, from the Java SDK, a string like V2. */
    private static int version(JsonValue value, Kind kind) {
        return switch (value) {
            case JsonValue.Undefined _, JsonValue.Null _ -> kind == Kind.MULTI_HASH ? 2 : 1;
            case Num(double number, var _) when number == 1 -> 1;
            case Num(double number, var _) when number == 2 -> 2;
            case Str(String text) when text.toUpperCase(Locale.ROOT).equals("V1") -> 1;
            case Str(String text) when text.toUpperCase(Locale.ROOT).equals("V2") -> 2;
            case Num _, Str _, Bool _, Arr _, Obj _ -> throw refused("partitionKey.version must be 1 or 2.");
        };
    }

    /** The form that clients read; it is complete, because they hash with what they read. */
    public Obj asValue() {
        var value = Obj.builder()
                .put(
                        "paths",
                        JsonValue.strings(paths.stream().map(JsonPath::text).toList()))
                .put("kind", kind.text)
                .put("version", version);
        return (systemKey ? value.put("systemKey", true) : value).build();
    }

    /** The partition key of an item that is being written. */
    public PartitionKey extract(Obj item) {
        return extract(path -> path.in(item));
    }

    /** The partition key of an item that is stored. */
    public PartitionKey extract(ItemText item) {
        return extract(item::at);
    }

    private PartitionKey extract(Function<JsonPath, JsonValue> item) {
        var components = new JsonValue[paths.size()];
        for (int i = 0; i < components.length; i++) {
            var value = item.apply(paths.get(i));
            // Only a scalar can be a key; anything else is as good as missing.
            components[i] = value instanceof Arr || value instanceof Obj ? JsonValue.UNDEFINED : value;
        }
        return key(List.of(components));
    }

    /** The key that items with such values have, or how it begins. */
    public PartitionKey key(List<JsonValue> components) {
        return systemKey && components.getFirst().isUndefined() ? PartitionKey.EMPTY : new PartitionKey(components);
    }

    /** The key that items have whose key a client gives so: in a container without keys, undefined is none. */
    public PartitionKey settled(PartitionKey given) {
        return systemKey && given.size() == 1 ? key(given.components()) : given;
    }

    /** Whether a key names one logical partition. */
    public boolean isComplete(PartitionKey key) {
        return key.size() == paths.size() || (systemKey && key.size() == 0);
    }

    /** Refuses a key that does not name one logical partition. */
    public void requireComplete(PartitionKey key) {
        if (!isComplete(key)) {
            throw new FailureException(
                    new Failure.PartitionKeyMismatch("Partition key provided either doesn't correspond to definition"
                        + " in the collection or doesn't match partition key field values specified in the document."
                        + " The partition key has " + key.size()
                            + " components, but the container's definition has " + paths.size() + "."));
        }
    }

    /** Refuses a key that names neither one logical partition nor, by its beginning, a group of them. */
    public void requirePrefix(PartitionKey key) {
        boolean prefix = kind == Kind.MULTI_HASH && key.size() > 0 && key.size() < paths.size();
        if (!prefix) {
            requireComplete(key);
        }
    }

    private static FailureException refused(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
