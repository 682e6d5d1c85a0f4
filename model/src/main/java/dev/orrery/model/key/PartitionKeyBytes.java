package dev.orrery.model.key;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/**
 * A partition key inside a stored key: bytes that order like the components, and that say where they end.
 *
 * <p>Layout: {@code component.. 00}, and a component is
 *
 * <pre>
 * 01 undefined | 02 null | 03 false | 04 true
 * 05 number    8 bytes big-endian: the bits of the double with the sign flipped, or all of them if it is negative
 * 06 string    UTF-8, a zero byte written as 00 ff, then 00 00
 * </pre>
 *
 * -0 comes right before 0. The key of a group of logical partitions, less its last byte, begins the keys of them all.
 */
public final class PartitionKeyBytes {
    // Tags are on disk: append only, never renumber or reuse.
    private static final byte END = 0x00;
    private static final byte UNDEFINED = 0x01;
    private static final byte NULL = 0x02;
    private static final byte FALSE = 0x03;
    private static final byte TRUE = 0x04;
    private static final byte NUMBER = 0x05;
    private static final byte STRING = 0x06;

    private static final byte ESCAPED_ZERO = (byte) 0xff;

    /** A key that was read, and the position behind it. */
    public record Decoded(PartitionKey key, int end) {}

    private PartitionKeyBytes() {}

    public static byte[] encode(PartitionKey key) {
        return encoded(key, true);
    }

    /** What the encoded forms of all keys have in common that begin with the components of this one. */
    public static byte[] encodePrefix(PartitionKey key) {
        return encoded(key, false);
    }

    private static byte[] encoded(PartitionKey key, boolean closed) {
        var parts = new byte[key.size()][];
        int length = closed ? 1 : 0;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = encode(key.components().get(i));
            length += parts[i].length;
        }
        var encoded = new byte[length]; // ends with zero, which is the END if there is one
        int at = 0;
        for (var part : parts) {
            System.arraycopy(part, 0, encoded, at, part.length);
            at += part.length;
        }
        return encoded;
    }

    private static byte[] encode(JsonValue component) {
        return switch (component) {
            case Undefined _ -> new byte[] {UNDEFINED};
            case Null _ -> new byte[] {NULL};
            case Bool(boolean set) -> new byte[] {set ? TRUE : FALSE};
            case Num(double number, var _) -> {
                var encoded = new byte[1 + Long.BYTES];
                encoded[0] = NUMBER;
                long rest = ordered(number);
                for (int at = Long.BYTES; at > 0; at--) {
                    encoded[at] = (byte) rest;
                    rest >>>= Byte.SIZE;
                }
                yield encoded;
            }
            case Str(String text) -> encode(text.getBytes(StandardCharsets.UTF_8));
            case Arr _, Obj _ -> throw new IllegalStateException("an array or object is no partition key");
        };
    }

    private static byte[] encode(byte[] text) {
        int zeros = 0;
        for (byte unit : text) {
            zeros += unit == 0 ? 1 : 0;
        }
        var encoded = new byte[1 + text.length + zeros + 2];
        encoded[0] = STRING;
        int at = 1;
        for (byte unit : text) {
            encoded[at++] = unit;
            if (unit == 0) {
                encoded[at++] = ESCAPED_ZERO;
            }
        }
        return encoded;
    }

    private static long ordered(double number) {
        long bits = Double.doubleToLongBits(number);
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    }

    private static double number(long ordered) {
        return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
    }

    /** Reads what {@link #encode} has written. */
    public static Decoded decode(byte[] bytes, int start) {
        var components = new ArrayList<JsonValue>();
        int at = start;
        while (bytes[at] != END) {
            switch (bytes[at++]) {
                case UNDEFINED -> components.add(JsonValue.UNDEFINED);
                case NULL -> components.add(JsonValue.NULL);
                case FALSE -> components.add(Bool.FALSE);
                case TRUE -> components.add(Bool.TRUE);
                case NUMBER -> {
                    long ordered = 0;
                    for (int i = 0; i < Long.BYTES; i++) {
                        ordered = ordered << Byte.SIZE | (bytes[at++] & 0xff);
                    }
                    components.add(new Num(number(ordered)));
                }
                case STRING -> {
                    var text = new ByteArrayOutputStream();
                    for (; bytes[at] != 0 || bytes[at + 1] != 0; at++) {
                        text.write(bytes[at]);
                        at += bytes[at] == 0 ? 1 : 0;
                    }
                    at += 2;
                    components.add(new Str(text.toString(StandardCharsets.UTF_8)));
                }
                default -> throw new IllegalStateException("a stored partition key has an unknown tag");
            }
        }
        return new Decoded(new PartitionKey(components), at + 1);
    }
}
