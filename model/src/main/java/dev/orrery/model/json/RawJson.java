package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Obj;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** A value in the very spelling of its text, which a number of many digits would lose as a double. */
final class RawJson {
    /** Those of the smallest long. */
    private static final int WHOLE_CHARACTERS_MAX = 20;

    private final byte[] text;
    private final int start;
    private final int end;

    RawJson(byte[] text, int start, int end) {
        this.text = text;
        this.start = start;
        this.end = end;
    }

    static RawJson of(JsonValue value) {
        if (value instanceof Obj object && object.members() instanceof ObjectText slice) {
            return new RawJson(slice.text(), slice.start(), slice.end());
        }
        var text = JsonWriter.bytes(value);
        return new RawJson(text, 0, text.length);
    }

    /** A member that must exist. */
    static RawJson ofMember(Obj object, String name) {
        if (object.members() instanceof ObjectText slice) {
            long span = slice.find(name);
            return new RawJson(slice.text(), JsonText.spanStart(span), JsonText.spanEnd(span));
        }
        return of(object.member(name));
    }

    byte[] text() {
        return text;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    boolean isObject() {
        return text[start] == '{';
    }

    boolean isArray() {
        return text[start] == '[';
    }

    boolean isNumber() {
        return text[start] == '-' || (text[start] >= '0' && text[start] <= '9');
    }

    /** The sum of two numbers: exact when both are whole as they are written, otherwise that of doubles. */
    RawJson plus(RawJson other) {
        var sum = isWhole() && other.isWhole()
                ? new BigInteger(spelling())
                        .add(new BigInteger(other.spelling()))
                        .toString()
                : JsonNumber.text(number() + other.number());
        var bytes = sum.getBytes(StandardCharsets.ISO_8859_1);
        return new RawJson(bytes, 0, bytes.length);
    }

    private boolean isWhole() {
        for (int at = start; at < end; at++) {
            if (text[at] == '.' || text[at] == 'e' || text[at] == 'E') {
                return false;
            }
        }
        return end - start <= WHOLE_CHARACTERS_MAX;
    }

    private double number() {
        return JsonText.number(text, start, end);
    }

    private String spelling() {
        return new String(text, start, end - start, StandardCharsets.ISO_8859_1);
    }
}
