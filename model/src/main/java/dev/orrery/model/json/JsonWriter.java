package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonValue.Undefined;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes JSON text into a buffer that grows.
 *
 * <p>Values that are still text are copied as the client sent them: order, spaces and spelling of numbers. Undefined has
 * no text: members and elements of that value are left out.
 */
public final class JsonWriter {
    private static final int SIZE_AT_FIRST = 256;
    private static final int CHARACTER_BYTES_MAX = 6; // an escape
    private static final byte[] HEX_DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    /** Is asked whether a buffer may grow. */
    @FunctionalInterface
    public interface Growth {
        /**
         * Throws when it may not.
         *
         * @param needed how many bytes there are to be written, or a few less
         * @param capacity how many there will be room for
         */
        void grow(int needed, int capacity);
    }

    private final Growth growth;
    private byte[] buffer;
    private int size;

    public JsonWriter() {
        this(SIZE_AT_FIRST);
    }

    public JsonWriter(int sizeExpected) {
        this(sizeExpected, (_, _) -> {});
    }

    public JsonWriter(Growth growth) {
        this(SIZE_AT_FIRST, growth);
    }

    private JsonWriter(int sizeExpected, Growth growth) {
        this.growth = growth;
        buffer = new byte[sizeExpected];
    }

    public static String text(JsonValue value) {
        return new JsonWriter().value(value).toText();
    }

    public static byte[] bytes(JsonValue value) {
        return new JsonWriter().value(value).toBytes();
    }

    /** All that was written. */
    public String toText() {
        return new String(buffer, 0, size, StandardCharsets.UTF_8);
    }

    /** A copy of all that was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(buffer, size);
    }

    /** The buffer itself, valid up to {@link #size()} and until the next write. */
    public byte[] buffer() {
        return buffer;
    }

    public int size() {
        return size;
    }

    /** Forgets what was written and keeps the room. */
    public JsonWriter reset() {
        size = 0;
        return this;
    }

    public JsonWriter value(JsonValue value) {
        switch (value) {
            case Undefined _ -> throw new IllegalStateException("undefined has no JSON text");
            case Null _ -> raw("null");
            case Bool(boolean set) -> raw(set ? "true" : "false");
            case Num number when number.isLarge() -> number(number.whole());
            case Num(double number, var _) -> number(number);
            case Str(String string) -> string(string);
            case Arr(var items) -> array(items);
            case Obj object -> object(object.members());
        }
        return this;
    }

    private void array(List<JsonValue> items) {
        if (items instanceof ArrayText array) {
            raw(array.text(), array.start(), array.end() - array.start());
            return;
        }
        int opened = one('[');
        for (var item : items) {
            if (!item.isUndefined()) {
                separate(opened);
                value(item);
            }
        }
        one(']');
    }

    private void object(Map<String, JsonValue> members) {
        if (members instanceof ObjectText object) {
            raw(object.text(), object.start(), object.end() - object.start());
            return;
        }
        int opened = one('{');
        members.forEach((name, value) -> {
            if (!value.isUndefined()) {
                separate(opened);
                name(name);
                value(value);
            }
        });
        one('}');
    }

    private void separate(int opened) {
        if (size > opened) {
            one(',');
        }
    }

    /** A member name in quotes, and its colon. */
    public JsonWriter name(String name) {
        string(name);
        one(':');
        return this;
    }

    /** Whole numbers within the exact range without a fraction, others in the shortest form that reads back the same. */
    public JsonWriter number(double number) {
        long whole = (long) number;
        if (whole == number && Math.abs(whole) <= JsonNumber.WHOLE_MAX && (whole != 0 || 1 / number > 0)) {
            return number(whole);
        }
        return raw(JsonNumber.text(number));
    }

    public JsonWriter number(long number) {
        if (number < 0) {
            return raw(Long.toString(number));
        }
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        reserve(digits);
        long rest = number;
        for (int at = size + digits - 1; at >= size; at--) {
            buffer[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        size += digits;
        return this;
    }

    /** A string in quotes; escapes only what JSON or UTF-8 cannot hold as it is. */
    public JsonWriter string(String string) {
        reserve(string.length() + 2);
        buffer[size++] = '"';
        characters(string, plain(string));
        one('"');
        return this;
    }

    /** Writes characters that stand for themselves and answers how many of them the string begins with. */
    private int plain(String string) {
        var target = buffer;
        int offset = size;
        int length = string.length();
        int i = 0;
        for (; i < length; i++) {
            char character = string.charAt(i);
            if (character < ' ' || character >= 0x7f || character == '"' || character == '\\') {
                break;
            }
            target[offset + i] = (byte) character;
        }
        size = offset + i;
        return i;
    }

    private void characters(String string, int from) {
        for (int i = from; i < string.length(); i++) {
            reserve(CHARACTER_BYTES_MAX);
            char character = string.charAt(i);
            if (character < 0x80) {
                ascii(character);
            } else if (character < 0x800) {
                buffer[size++] = (byte) (0xc0 | character >> 6);
                continuation(character);
            } else if (!Character.isSurrogate(character)) {
                buffer[size++] = (byte) (0xe0 | character >> 12);
                continuation(character >> 6);
                continuation(character);
            } else if (isPair(string, i)) {
                int codePoint = Character.toCodePoint(character, string.charAt(++i));
                buffer[size++] = (byte) (0xf0 | codePoint >> 18);
                continuation(codePoint >> 12);
                continuation(codePoint >> 6);
                continuation(codePoint);
            } else {
                unicodeEscape(character);
            }
        }
    }

    private void continuation(int bits) {
        buffer[size++] = (byte) (0x80 | (bits & 0x3f));
    }

    static boolean isPair(String string, int high) {
        return Character.isHighSurrogate(string.charAt(high))
                && high + 1 < string.length()
                && Character.isLowSurrogate(string.charAt(high + 1));
    }

    private void ascii(char character) {
        switch (character) {
            case '"', '\\' -> shortEscape(character);
            case '\n' -> shortEscape('n');
            case '\r' -> shortEscape('r');
            case '\t' -> shortEscape('t');
            case '\b' -> shortEscape('b');
            case '\f' -> shortEscape('f');
            default -> {
                if (character < ' ') {
                    unicodeEscape(character);
                } else {
                    buffer[size++] = (byte) character;
                }
            }
        }
    }

    private void shortEscape(char letter) {
        buffer[size++] = '\\';
        buffer[size++] = (byte) letter;
    }

    private void unicodeEscape(char character) {
        shortEscape('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            buffer[size++] = HEX_DIGITS[character >> shift & 0xf];
        }
    }

    /** Text that is JSON already, in ASCII. */
    public JsonWriter raw(String ascii) {
        int length = ascii.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            buffer[size++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    /** Text that is JSON already, in UTF-8. */
    public JsonWriter raw(byte[] text, int start, int length) {
        reserve(length);
        System.arraycopy(text, start, buffer, size, length);
        size += length;
        return this;
    }

    /** Writes one ASCII character and answers the size behind it. */
    private int one(char ascii) {
        reserve(1);
        buffer[size++] = (byte) ascii;
        return size;
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > buffer.length) {
            int grown = Math.max(needed, buffer.length + (buffer.length >> 1));
            growth.grow(needed, grown);
            buffer = Arrays.copyOf(buffer, grown);
        }
    }
}
