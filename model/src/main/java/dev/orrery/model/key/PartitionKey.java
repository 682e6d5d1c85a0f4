package dev.orrery.model.key;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The value of a partition key: one component for each path of the definition, or only the first ones when it stands for
 * a group of logical partitions. Components are undefined, null, booleans, numbers and strings.
 *
 * <p>Unlike JSON values, 0 and -0 are different keys here, since clients place them differently.
 */
public record PartitionKey(List<JsonValue> components) {
    /** The key of items without one in a container that had no partition key once; written {@code []}. */
    public static final PartitionKey EMPTY = new PartitionKey(List.of());

    /** The key of items whose property is missing; written {@code [{}]}. */
    public static final PartitionKey NONE = new PartitionKey(List.of(JsonValue.UNDEFINED));

    public PartitionKey {
        components = List.copyOf(components);
        if (components.size() > Limits.PARTITION_KEY_PATHS_MAX) {
            throw refused("A partition key has at most " + Limits.PARTITION_KEY_PATHS_MAX + " components.");
        }
        components.forEach(PartitionKey::check);
    }

    private static void check(JsonValue component) {
        switch (component) {
            case Str(String text) -> {
                // A char is at most three bytes of UTF-8: most strings need no counting.
                if (text.length() > Limits.PARTITION_KEY_BYTES_MAX / 3
                        && text.getBytes(StandardCharsets.UTF_8).length > Limits.PARTITION_KEY_BYTES_MAX) {
                    throw refused("A partition key value is longer than " + Limits.PARTITION_KEY_BYTES_MAX + " bytes.");
                }
            }
            case JsonValue.Undefined _, JsonValue.Null _, Bool _, Num _ -> {}
            case Arr _, Obj _ -> throw new IllegalStateException("an array or object is no partition key");
        }
    }

    /** Reads the form of the header: a JSON array, in which {@code {}} stands for undefined. */
    public static PartitionKey parse(String header) {
        if (!(JsonReader.parse(header) instanceof Arr(var items))) {
            throw refused("The partition key must be a JSON array.");
        }
        if (items.isEmpty()) {
            return EMPTY;
        }
        var components = new ArrayList<JsonValue>(items.size());
        for (var item : items) {
            components.add(component(item));
        }
        return new PartitionKey(components);
    }

    private static JsonValue component(JsonValue item) {
        return switch (item) {
            case Obj object when object.size() == 0 -> JsonValue.UNDEFINED;
            case Obj _, Arr _ -> throw refused("A partition key value must be a string, a number, a boolean or null.");
            case JsonValue.Undefined _, JsonValue.Null _, Bool _, Num _, Str _ -> item;
        };
    }

    /** The form of the header. */
    public String header() {
        var text = new JsonWriter().raw("[");
        for (int i = 0; i < components.size(); i++) {
            text.raw(i == 0 ? "" : ",");
            var component = components.get(i);
            text.value(component.isUndefined() ? Obj.EMPTY : component);
        }
        return text.raw("]").toText();
    }

    public int size() {
        return components.size();
    }

    /** Whether another key begins with all components of this one. */
    public boolean isPrefixOf(PartitionKey other) {
        if (size() > other.size()) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (!same(components.get(i), other.components.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(JsonValue one, JsonValue other) {
        if (one instanceof Num(double number, var _) && other instanceof Num(double second, var _)) {
            return Double.compare(number, second) == 0; // which tells the zeros apart
        }
        return one.equals(other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionKey that && size() == that.size() && isPrefixOf(that);
    }

    @Override
    public int hashCode() {
        return components.hashCode();
    }

    @Override
    public String toString() {
        return header();
    }

    private static FailureException refused(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
