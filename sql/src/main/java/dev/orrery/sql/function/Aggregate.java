package dev.orrery.sql.function;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The functions that fold many values into one; each has the name that query plans use for it, and a sentence for the
 * manual. Values that are undefined are passed over by all of them.
 */
public enum Aggregate {
    AVG("Average", "The average of numbers; undefined if there is none, or if one of the values is not a number."),
    COUNT("Count", "How many values there are; null is one."),
    COUNTIF("CountIf", "How many of the values are true."),
    MAKELIST("MakeList", "An array of all values."),
    MAKESET("MakeSet", "An array of all different values."),
    MAX("Max", "The last of the values in the order of values; undefined if there is none, or an array or object."),
    MIN("Min", "The first of the values in the order of values; undefined if there is none, or an array or object."),
    SUM("Sum", "The sum of numbers, 0 if there is none; undefined if one of the values is not a number.");

    private static final int ELEMENT_BYTES = 16;
    private static final int MEMBER_BYTES = 64;

    private static final Map<String, Aggregate> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    private final String planName;
    private final String description;

    Aggregate(String planName, String description) {
        this.planName = planName;
        this.description = description;
    }

    public String description() {
        return description;
    }

    public String planName() {
        return planName;
    }

    public Accumulator start() {
        return switch (this) {
            case AVG -> new Average();
            case COUNT -> new Count();
            case COUNTIF -> new CountIf();
            case MAKELIST -> new MakeList();
            case MAKESET -> new MakeSet();
            case MAX -> new Extreme(1);
            case MIN -> new Extreme(-1);
            case SUM -> new Sum();
        };
    }

    public static Optional<Aggregate> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toUpperCase(Locale.ROOT)));
    }

    /** A fold under way. Undefined values are never added: every aggregate passes over them. */
    public interface Accumulator {
        void add(JsonValue value);

        default void add(JsonValue value, long times) {
            for (long i = 0; i < times; i++) {
                add(value);
            }
        }

        /** How much memory the values take that it keeps. */
        default long bytes() {
            return 0;
        }

        JsonValue result();
    }

    private static final class Count implements Accumulator {
        private long count;

        @Override
        public void add(JsonValue value) {
            count++;
        }

        @Override
        public void add(JsonValue value, long times) {
            count += times;
        }

        @Override
        public JsonValue result() {
            return new JsonValue.Num(count);
        }
    }

    private static final class CountIf implements Accumulator {
        private long count;

        @Override
        public void add(JsonValue value) {
            count += value.equals(JsonValue.Bool.TRUE) ? 1 : 0;
        }

        @Override
        public JsonValue result() {
            return new JsonValue.Num(count);
        }
    }

    /** 0 for nothing; undefined as soon as one value is not a number. */
    private static final class Sum implements Accumulator {
        private double sum;
        private boolean numbersOnly = true;

        @Override
        public void add(JsonValue value) {
            if (value instanceof JsonValue.Num(double number, var _)) {
                sum += number;
            } else {
                numbersOnly = false;
            }
        }

        @Override
        public JsonValue result() {
            return numbersOnly ? Numbers.finite(sum) : JsonValue.UNDEFINED;
        }
    }

    /** Undefined for nothing, and as soon as one value is not a number. */
    private static final class Average implements Accumulator {
        private final Sum sum = new Sum();
        private long count;

        @Override
        public void add(JsonValue value) {
            sum.add(value);
            count++;
        }

        @Override
        public JsonValue result() {
            return count > 0 && sum.result() instanceof JsonValue.Num(double total, var _)
                    ? new JsonValue.Num(total / count)
                    : JsonValue.UNDEFINED;
        }
    }

    /** The first or last value in the order of JSON; undefined for nothing, and once an array or object is among them. */
    private static final class Extreme implements Accumulator {
        private final int direction;
        private JsonValue extreme = JsonValue.UNDEFINED;
        private boolean comparable = true;
        private long bytes;

        Extreme(int direction) {
            this.direction = direction;
        }

        @Override
        public void add(JsonValue value) {
            if (value instanceof JsonValue.Arr || value instanceof JsonValue.Obj) {
                comparable = false;
            } else if (extreme.isUndefined() || direction * JsonOrder.INSTANCE.compare(value, extreme) > 0) {
                extreme = value;
                bytes = JsonSize.of(value);
            }
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public JsonValue result() {
            return comparable ? extreme : JsonValue.UNDEFINED;
        }
    }

    private static final class MakeList implements Accumulator {
        private final List<JsonValue> values = new ArrayList<>();
        private long bytes;

        @Override
        public void add(JsonValue value) {
            values.add(value);
            bytes += ELEMENT_BYTES + JsonSize.of(value);
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public JsonValue result() {
            return new JsonValue.Arr(values);
        }
    }

    private static final class MakeSet implements Accumulator {
        private final LinkedHashSet<JsonValue> values = new LinkedHashSet<>();
        private long bytes;

        @Override
        public void add(JsonValue value) {
            if (values.add(value)) {
                bytes += MEMBER_BYTES + JsonSize.of(value);
            }
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public JsonValue result() {
            return new JsonValue.Arr(List.copyOf(values));
        }
    }
}
