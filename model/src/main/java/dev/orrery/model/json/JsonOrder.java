package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The one ordering of JSON values, for the evaluator, index keys, ORDER BY, DISTINCT, MIN and MAX.
 *
 * <p>Kinds first: undefined, null, false, true, numbers, strings, arrays, objects. Numbers go by value, and 0 equals -0.
 * Strings go by code points, which is the order of their UTF-8 bytes. Arrays go element by element, a prefix before its
 * extensions. Objects go member by member in the order of their names, first by name, then by value, a prefix before its
 * extensions; the order in which members were written does not matter.
 *
 * <p>Two values compare as 0 exactly when they are {@link Object#equals equal}.
 */
public final class JsonOrder implements Comparator<JsonValue> {
    public static final JsonOrder INSTANCE = new JsonOrder();

    private JsonOrder() {}

    public static boolean equal(JsonValue left, JsonValue right) {
        return left.equals(right);
    }

    @Override
    public int compare(JsonValue left, JsonValue right) {
        int kinds = Integer.compare(rank(left), rank(right));
        if (kinds != 0) {
            return kinds;
        }
        return switch (left) {
            case Undefined _, Null _, Bool _ -> 0;
            case Num(double number, var _) -> compareNumbers(number, ((Num) right).value());
            case Str(String string) -> compareStrings(string, ((Str) right).value());
            case Arr(var items) -> compareItems(items, ((Arr) right).items());
            case Obj object -> compareMembers(sorted(object), sorted((Obj) right));
        };
    }

    /** The place of a value's kind in the order; false and true are kinds of their own. */
    private static int rank(JsonValue value) {
        return switch (value) {
            case Undefined _ -> 0;
            case Null _ -> 1;
            case Bool(boolean set) -> set ? 3 : 2;
            case Num _ -> 4;
            case Str _ -> 5;
            case Arr _ -> 6;
            case Obj _ -> 7;
        };
    }

    public static int compareNumbers(double left, double right) {
        return Double.compare(left + 0.0, right + 0.0); // -0 + 0 is 0
    }

    /** Compares by code points; {@link String#compareTo} would put U+10000 and above before U+E000. */
    public static int compareStrings(String left, String right) {
        int shared = Math.min(left.length(), right.length());
        for (int i = 0; i < shared; i++) {
            char one = left.charAt(i);
            char other = right.charAt(i);
            if (one != other) {
                // Up to here the strings are the same, so both are at the same place of a pair, or one is in none.
                boolean surrogate = Character.isSurrogate(one);
                return surrogate == Character.isSurrogate(other) ? one - other : surrogate ? 1 : -1;
            }
        }
        return left.length() - right.length();
    }

    private int compareItems(List<JsonValue> left, List<JsonValue> right) {
        int shared = Math.min(left.size(), right.size());
        for (int i = 0; i < shared; i++) {
            int result = compare(left.get(i), right.get(i));
            if (result != 0) {
                return result;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private int compareMembers(List<Map.Entry<String, JsonValue>> left, List<Map.Entry<String, JsonValue>> right) {
        int shared = Math.min(left.size(), right.size());
        for (int i = 0; i < shared; i++) {
            int result = compareStrings(left.get(i).getKey(), right.get(i).getKey());
            if (result == 0) {
                result = compare(left.get(i).getValue(), right.get(i).getValue());
            }
            if (result != 0) {
                return result;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static List<Map.Entry<String, JsonValue>> sorted(Obj object) {
        return object.members().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(JsonOrder::compareStrings))
                .toList();
    }
}
