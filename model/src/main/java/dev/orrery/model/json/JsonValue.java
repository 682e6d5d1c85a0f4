package dev.orrery.model.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON value as the query language sees it: the six kinds of JSON, and undefined, which is what a missing property
 * evaluates to.
 *
 * <p>Numbers are IEEE 754 doubles, as in the protocol. Members of an object keep the order in which they were written,
 * but two objects are equal whatever that order is. Equality is that of {@link JsonOrder}.
 */
public sealed interface JsonValue {

    /** What a missing property, or an expression without a result, evaluates to; never null, never stored. */
    enum Undefined implements JsonValue {
        UNDEFINED;

        @Override
        public boolean isUndefined() {
            return true;
        }
    }

    /**
     * Everything else. The method stands here because an interface with code is initialized before the types that
     * implement it, and the constants of {@link JsonValue} would make that a circle in which two threads could wait for
     * each other.
     */
    sealed interface Defined extends JsonValue {
        @Override
        default boolean isUndefined() {
            return false;
        }
    }

    enum Null implements Defined {
        NULL
    }

    record Bool(boolean value) implements Defined {
        public static final Bool TRUE = new Bool(true);
        public static final Bool FALSE = new Bool(false);

        public static Bool of(boolean value) {
            return value ? TRUE : FALSE;
        }
    }

    /**
     * A number, which is the double next to what was written or calculated. A whole number of 64 bits that no double is
     * also knows what lies between: text and the functions on integers tell such numbers apart, while comparisons, like
     * indexes, see the double. 0 and -0 are equal, though their texts and hashes as partition keys differ.
     *
     * @param rest what a whole number is beyond {@code value}; it is 0 for any number that is a double
     */
    record Num(double value, int rest) implements Defined {
        /** The first number beyond 64 bits. */
        private static final double WHOLE_END = 0x1p63;

        public Num(double value) {
            this(value, 0);
        }

        public Num(long whole) {
            this((double) whole, (int) (whole - even((double) whole)));
        }

        /** The number with its digits, if they are those of a whole number of 64 bits, and otherwise the double. */
        public static Num of(double value, String digits) {
            if (Math.abs(value) < JsonNumber.WHOLE_MAX || Math.abs(value) > WHOLE_END) {
                return new Num(value);
            }
            try {
                return new Num(Long.parseLong(digits));
            } catch (NumberFormatException _) {
                return new Num(value); // a fraction, an exponent, or just beyond 64 bits
            }
        }

        /** The double next to a whole number, as a whole number that has wrapped around at the end of 64 bits. */
        private static long even(double number) {
            return number == WHOLE_END ? Long.MIN_VALUE : (long) number;
        }

        /** Whether this is a whole number of 64 bits. */
        public boolean isWhole() {
            return value == Math.rint(value) && value >= -WHOLE_END && (value < WHOLE_END || rest < 0);
        }

        /** The whole number that this {@link #isWhole is}. */
        public long whole() {
            return even(value) + rest;
        }

        /** Whether this is a whole number of 64 bits that is as near to a double as others, so that it needs all its digits. */
        boolean isLarge() {
            return Math.abs(value) >= JsonNumber.WHOLE_MAX && isWhole();
        }

        public Num negated() {
            return new Num(-value, -rest);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Num(double that, var _) && JsonOrder.compareNumbers(value, that) == 0;
        }

        @Override
        public int hashCode() {
            return Double.hashCode(value + 0.0); // -0 + 0 is 0
        }
    }

    record Str(String value) implements Defined {}

    record Arr(List<JsonValue> items) implements Defined {
        public static final Arr EMPTY = new Arr(List.of());

        public Arr {
            items = items instanceof ArrayText ? items : List.copyOf(items);
        }

        /** The item at a position, undefined outside the array. */
        public JsonValue at(int position) {
            return position >= 0 && position < items.size() ? items.get(position) : UNDEFINED;
        }

        @Override
        public String toString() {
            return JsonWriter.text(this);
        }
    }

    /** An object, which may be text until someone looks inside; {@link Builder} makes new ones. */
    final class Obj implements Defined {
        public static final Obj EMPTY = new Obj(Map.of());

        private final Map<String, JsonValue> members;

        Obj(Map<String, JsonValue> members) {
            this.members = members;
        }

        /** The value of a member, undefined when there is none of that name. */
        public JsonValue member(String name) {
            var value = members.get(name);
            return value == null ? UNDEFINED : value;
        }

        /** All members in the order in which they were written; not to be changed. */
        public Map<String, JsonValue> members() {
            return members;
        }

        public int size() {
            return members.size();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Obj that && members.equals(that.members);
        }

        @Override
        public int hashCode() {
            return members.hashCode();
        }

        @Override
        public String toString() {
            return JsonWriter.text(this);
        }

        public static Builder builder() {
            return new Builder();
        }

        /** Collects members; a member whose value is undefined is left out, a repeated name keeps the last value. */
        public static final class Builder {
            private final LinkedHashMap<String, JsonValue> members = new LinkedHashMap<>();

            public Builder put(String name, JsonValue value) {
                if (!value.isUndefined()) {
                    members.put(name, value);
                }
                return this;
            }

            public Builder put(String name, String value) {
                return put(name, new Str(value));
            }

            public Builder put(String name, double value) {
                return put(name, new Num(value));
            }

            public Builder put(String name, boolean value) {
                return put(name, Bool.of(value));
            }

            public Builder putAll(Obj other) {
                members.putAll(other.members);
                return this;
            }

            public Builder remove(String name) {
                members.remove(name);
                return this;
            }

            public Obj build() {
                return new Obj(Collections.unmodifiableMap(new LinkedHashMap<>(members)));
            }
        }
    }

    JsonValue UNDEFINED = Undefined.UNDEFINED;
    JsonValue NULL = Null.NULL;

    static Arr array(JsonValue... items) {
        return new Arr(List.of(items));
    }

    static Arr strings(List<String> texts) {
        var items = new ArrayList<JsonValue>(texts.size());
        texts.forEach(text -> items.add(new Str(text)));
        return new Arr(items);
    }

    boolean isUndefined();
}
