package dev.orrery.model.json;

import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.charset.StandardCharsets;

/** Reads values out of text that {@link JsonScanner} has accepted, and therefore checks nothing. */
final class JsonText {
    /** Powers of ten that a double holds exactly. */
    private static final double[] EXACT_POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    /** That many digits always fit the 53 bits of a double. */
    private static final int EXACT_DIGITS = 15;

    /** What {@link #find} answers when there is no such member; no value starts and ends at zero. */
    static final long NONE = 0;

    private JsonText() {}

    /** The value between two positions; objects and arrays stay text until someone looks inside. */
    static JsonValue value(byte[] text, int start, int end) {
        return switch (text[start]) {
            case '{' -> new Obj(new ObjectText(text, start, end));
            case '[' -> new Arr(new ArrayText(text, start, end));
            case '"' -> new Str(string(text, start + 1, end - 1));
            case 't' -> Bool.TRUE;
            case 'f' -> Bool.FALSE;
            case 'n' -> JsonValue.NULL;
            default -> exactNumber(text, start, end);
        };
    }

    /**
     * Where the value of an object's member is, as start and end packed by {@link #span}, or {@link #NONE}. The last
     * member of that name counts, so all of them have to be walked over.
     */
    static long find(byte[] text, int objectStart, String name) {
        long found = NONE;
        int at = space(text, objectStart + 1);
        while (text[at] != '}') {
            int nameStart = at + 1;
            int nameEnd = stringEnd(text, nameStart);
            int valueStart = space(text, space(text, nameEnd + 1) + 1);
            int valueEnd = end(text, valueStart);
            if (nameEquals(text, nameStart, nameEnd, name)) {
                found = span(valueStart, valueEnd);
            }
            at = next(text, valueEnd);
        }
        return found;
    }

    /** Is told where each member of an object is. */
    interface MemberVisitor {
        void member(int nameStart, int nameEnd, int valueStart, int valueEnd);
    }

    static void members(byte[] text, int objectStart, MemberVisitor visitor) {
        int at = space(text, objectStart + 1);
        while (text[at] != '}') {
            int nameStart = at + 1;
            int nameEnd = stringEnd(text, nameStart);
            int valueStart = space(text, space(text, nameEnd + 1) + 1);
            int valueEnd = end(text, valueStart);
            visitor.member(nameStart, nameEnd, valueStart, valueEnd);
            at = next(text, valueEnd);
        }
    }

    /** Is told where each element of an array is. */
    interface ElementVisitor {
        void element(int start, int end);
    }

    static void elements(byte[] text, int arrayStart, ElementVisitor visitor) {
        int at = space(text, arrayStart + 1);
        while (text[at] != ']') {
            int end = end(text, at);
            visitor.element(at, end);
            at = next(text, end);
        }
    }

    static long span(int start, int end) {
        return (long) start << Integer.SIZE | end;
    }

    static int spanStart(long span) {
        return (int) (span >>> Integer.SIZE);
    }

    static int spanEnd(long span) {
        return (int) span;
    }

    /** From behind a member or an element to the next one, or to the closing bracket. */
    private static int next(byte[] text, int valueEnd) {
        int at = space(text, valueEnd);
        return text[at] == ',' ? space(text, at + 1) : at;
    }

    private static int space(byte[] text, int start) {
        int at = start;
        while (JsonScanner.isSpace(text[at])) {
            at++;
        }
        return at;
    }

    /** The end of a value inside an object or an array, where something always follows it. */
    private static int end(byte[] text, int start) {
        byte first = text[start];
        if (first == '"') {
            return stringEnd(text, start + 1) + 1;
        }
        if (first == '{' || first == '[') {
            return containerEnd(text, start);
        }
        int at = start + 1;
        while (!endsScalar(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean endsScalar(byte character) {
        return character == ',' || character == '}' || character == ']' || JsonScanner.isSpace(character);
    }

    private static int containerEnd(byte[] text, int start) {
        int depth = 0;
        int at = start;
        while (true) {
            switch (text[at++]) {
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (--depth == 0) {
                        return at;
                    }
                }
                case '"' -> at = stringEnd(text, at) + 1;
                default -> {}
            }
        }
    }

    /** The position of the closing quote. */
    static int stringEnd(byte[] text, int start) {
        int at = start;
        while (true) {
            at = quoteOrBackslash(text, at, text.length);
            if (text[at] == '"') {
                return at;
            }
            at += 2;
        }
    }

    /** The position of the next quote or backslash, or {@code end}. */
    private static int quoteOrBackslash(byte[] text, int start, int end) {
        int at = start;
        while (at + Long.BYTES <= end) {
            long found = EightBytes.quotesAndBackslashes(EightBytes.at(text, at));
            if (found != 0) {
                return at + EightBytes.first(found);
            }
            at += Long.BYTES;
        }
        while (at < end && text[at] != '"' && text[at] != '\\') {
            at++;
        }
        return at;
    }

    /** The characters between two quotes. */
    static String string(byte[] text, int start, int end) {
        return quoteOrBackslash(text, start, end) < end
                ? unescaped(text, start, end)
                : new String(text, start, end - start, StandardCharsets.UTF_8);
    }

    private static String unescaped(byte[] text, int start, int end) {
        var characters = new StringBuilder(end - start);
        int plainStart = start;
        int at = start;
        while (at < end) {
            if (text[at] != '\\') {
                at++;
                continue;
            }
            characters.append(new String(text, plainStart, at - plainStart, StandardCharsets.UTF_8));
            characters.append(escaped(text, at));
            at += text[at + 1] == 'u' ? 6 : 2;
            plainStart = at;
        }
        return characters
                .append(new String(text, plainStart, end - plainStart, StandardCharsets.UTF_8))
                .toString();
    }

    private static char escaped(byte[] text, int backslash) {
        byte kind = text[backslash + 1];
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' ->
                (char) (hexDigit(text[backslash + 2]) << 12
                        | hexDigit(text[backslash + 3]) << 8
                        | hexDigit(text[backslash + 4]) << 4
                        | hexDigit(text[backslash + 5]));
            default -> (char) kind;
        };
    }

    /** The value of a hexadecimal digit, -1 for anything else. */
    static int hexDigit(int character) {
        return character < 0x80 ? Character.digit(character, 16) : -1;
    }

    private static Num exactNumber(byte[] text, int start, int end) {
        double number = number(text, start, end);
        return Math.abs(number) < JsonNumber.WHOLE_MAX
                ? new Num(number)
                : Num.of(number, new String(text, start, end - start, StandardCharsets.ISO_8859_1));
    }

    static double number(byte[] text, int start, int end) {
        boolean negative = text[start] == '-';
        long digits = 0;
        int fraction = 0;
        boolean inFraction = false;
        int at = negative ? start + 1 : start;
        // The quick way is exact (Clinger): a whole number and a power of ten that are both doubles.
        if (end - at <= EXACT_DIGITS) {
            for (; at < end; at++) {
                byte character = text[at];
                if (character == '.') {
                    inFraction = true;
                } else if (character >= '0' && character <= '9') {
                    digits = digits * 10 + (character - '0');
                    fraction += inFraction ? 1 : 0;
                } else {
                    break; // an exponent
                }
            }
            if (at == end) {
                double size = digits / EXACT_POWERS_OF_TEN[fraction];
                return negative ? -size : size;
            }
        }
        return Double.parseDouble(new String(text, start, end - start, StandardCharsets.ISO_8859_1));
    }

    /** The {@link String#hashCode} of a member name, which is specified and therefore may be stored. */
    static int nameHash(byte[] text, int start, int end) {
        int hash = 0;
        for (int at = start; at < end; at++) {
            byte character = text[at];
            if (character < 0 || character == '\\') {
                return string(text, start, end).hashCode();
            }
            hash = 31 * hash + character;
        }
        return hash;
    }

    static boolean nameEquals(byte[] text, int start, int end, String name) {
        int length = end - start;
        for (int i = 0; i < length; i++) {
            byte character = text[start + i];
            if (character < 0 || character == '\\') {
                return string(text, start, end).equals(name);
            }
            if (i == name.length() || name.charAt(i) != character) {
                return false;
            }
        }
        return length == name.length();
    }
}
