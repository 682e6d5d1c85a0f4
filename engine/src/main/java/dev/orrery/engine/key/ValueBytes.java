package dev.orrery.engine.key;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A value inside an index key: bytes that order like {@link JsonOrder} and that say where they end.
 *
 * <pre>
 * 01 undefined | 02 null | 03 false | 04 true
 * 05 number    8 bytes big-endian: the bits of the double with the sign flipped, or all of them if it is negative
 * 06 string    UTF-8, a zero byte written as 00 ff, then 00 00; only the first bytes of a long one, then 00 01
 * 07 array | 08 object, without what is in them
 * </pre>
 *
 * Long strings, arrays and objects are <em>rough</em>: several values share the same bytes.
 */
public final class ValueBytes {
    // Tags are on disk: append only, never renumber or reuse.
    private static final int UNDEFINED = 0x01;
    private static final int NULL = 0x02;
    private static final int FALSE = 0x03;
    private static final int TRUE = 0x04;
    private static final int NUMBER = 0x05;
    private static final int STRING = 0x06;
    private static final int ARRAY = 0x07;
    private static final int OBJECT = 0x08;

    private static final int STRING_END = 0x00;
    private static final int STRING_CUT = 0x01;

    /** More of a string seldom tells two of them apart, and every byte is written for every item. */
    static final int STRING_BYTES_MAX = 128;

    private ValueBytes() {}

    public static byte[] encode(JsonValue value) {
        var writer = new KeyWriter(24);
        write(value, writer);
        return writer.toBytes();
    }

    static void write(JsonValue value, KeyWriter writer) {
        switch (value) {
            case Undefined _ -> writer.writeByte(UNDEFINED);
            case Null _ -> writer.writeByte(NULL);
            case Bool(boolean set) -> writer.writeByte(set ? TRUE : FALSE);
            case Num(double number, var _) -> writer.writeByte(NUMBER).writeLong(ordered(number));
            case Str(String text) -> writeString(text, writer);
            case Arr _ -> writer.writeByte(ARRAY);
            case Obj _ -> writer.writeByte(OBJECT);
        }
    }

    private static void writeString(String text, KeyWriter writer) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean whole = bytes.length <= STRING_BYTES_MAX;
        writer.writeByte(STRING)
                .writeEscaped(bytes, Math.min(bytes.length, STRING_BYTES_MAX))
                .writeByte(0)
                .writeByte(whole ? STRING_END : STRING_CUT);
    }

    /** Whether other values have the same bytes. */
    public static boolean isRough(JsonValue value) {
        return switch (value) {
            case Str(String text) ->
                text.length() > STRING_BYTES_MAX / 3 && text.getBytes(StandardCharsets.UTF_8).length > STRING_BYTES_MAX;
            case Arr _, Obj _ -> true;
            case Undefined _, Null _, Bool _, Num _ -> false;
        };
    }

    /** The value, and the position behind it; empty for a rough one. */
    public record Decoded(Optional<JsonValue> value, int end) {}

    public static Decoded decode(byte[] bytes, int from) {
        return switch (bytes[from]) {
            case UNDEFINED -> new Decoded(Optional.of(JsonValue.UNDEFINED), from + 1);
            case NULL -> new Decoded(Optional.of(JsonValue.NULL), from + 1);
            case FALSE -> new Decoded(Optional.of(Bool.FALSE), from + 1);
            case TRUE -> new Decoded(Optional.of(Bool.TRUE), from + 1);
            case NUMBER ->
                new Decoded(Optional.of(new Num(number(new KeyReader(bytes, from + 1).readLong()))), from + 9);
            case STRING -> decodeString(bytes, from);
            case ARRAY, OBJECT -> new Decoded(Optional.empty(), from + 1);
            default -> throw new IllegalStateException("An index key holds a value of the unknown kind " + bytes[from]);
        };
    }

    /** The bytes of the value that some bytes begin with. */
    public static byte[] startOf(byte[] bytes) {
        return Arrays.copyOf(bytes, decode(bytes, 0).end());
    }

    private static Decoded decodeString(byte[] bytes, int from) {
        int end = from + 1;
        while (bytes[end] != 0 || bytes[end + 1] == (byte) 0xff) {
            end += bytes[end] == 0 ? 2 : 1;
        }
        return new Decoded(
                bytes[end + 1] == STRING_CUT
                        ? Optional.empty()
                        : Optional.of(new Str(new String(unescaped(bytes, from + 1, end), StandardCharsets.UTF_8))),
                end + 2);
    }

    private static byte[] unescaped(byte[] bytes, int from, int to) {
        var plain = new KeyWriter(to - from);
        for (int at = from; at < to; at += bytes[at] == 0 ? 2 : 1) {
            plain.writeByte(bytes[at]);
        }
        return plain.toBytes();
    }

    private static long ordered(double number) {
        long bits = Double.doubleToLongBits(number + 0.0); // -0 + 0 is 0
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    }

    private static double number(long ordered) {
        return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
    }

    // ---- stretches of values, as [from, to) ----

    /** Where the values of the kind of a value begin; false and true are of one kind. */
    public static byte[] kindStart(JsonValue value) {
        return new byte[] {(byte) kind(value)};
    }

    /** Behind the values of the kind of a value. */
    public static byte[] kindEnd(JsonValue value) {
        return new byte[] {(byte) (value instanceof Bool ? TRUE + 1 : kind(value) + 1)};
    }

    private static int kind(JsonValue value) {
        return switch (value) {
            case Undefined _ -> UNDEFINED;
            case Null _ -> NULL;
            case Bool _ -> FALSE;
            case Num _ -> NUMBER;
            case Str _ -> STRING;
            case Arr _ -> ARRAY;
            case Obj _ -> OBJECT;
        };
    }

    /** What the bytes of all strings begin with that begin with a text, or with as much of it as is kept. */
    public static byte[] stringsFrom(String prefix) {
        var bytes = prefix.getBytes(StandardCharsets.UTF_8);
        return new KeyWriter(bytes.length + 8)
                .writeByte(STRING)
                .writeEscaped(bytes, Math.min(bytes.length, STRING_BYTES_MAX))
                .toBytes();
    }
}
