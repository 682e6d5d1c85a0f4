package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;

/** What numbers may become results: JSON has no infinity and no NaN, so an operation that would give one is undefined. */
public final class Numbers {
    private Numbers() {}

    public static JsonValue finite(double number) {
        return Double.isFinite(number) ? new JsonValue.Num(number) : JsonValue.UNDEFINED;
    }

    /** Whether a value is a whole number of 64 bits. */
    static boolean isInteger(JsonValue value) {
        return value instanceof JsonValue.Num number && number.isWhole();
    }

    /** An argument that is {@link #isInteger an integer}, as the table of functions asks for. */
    static long integer(JsonValue value) {
        return ((JsonValue.Num) value).whole();
    }

    /** An optional argument that is {@link #isInteger an integer}. */
    static long integer(JsonValue[] arguments, int index, long otherwise) {
        return index < arguments.length ? integer(arguments[index]) : otherwise;
    }

    /** The 32-bit integer that a bitwise operator sees of a number, as in JavaScript. */
    public static int toInt32(double number) {
        if (Math.abs(number) < 0x1p63) {
            return (int) (long) number;
        }
        // Beyond 2^63 a cast would saturate; what counts are the lower 32 bits of the whole number.
        var remainder = Math.IEEEremainder(number, 0x1p32);
        return (int) (long) remainder;
    }
}
