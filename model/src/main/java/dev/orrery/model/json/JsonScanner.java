package dev.orrery.model.json;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.util.Arrays;

/**
 * The one judge of JSON text: a single pass over UTF-8 bytes that accepts or refuses, builds no tree and leaves nothing
 * behind but the positions of the root object's members.
 *
 * <p>It is RFC 8259 to the letter, and stricter where the letter would let in what has no meaning later: an escape that
 * is half of a surrogate pair (no UTF-8, hence no place in the order of strings), a number beyond the range of a double,
 * nesting deeper than {@link Limits#NESTING_DEPTH_MAX}. Repeated member names are accepted; the last one counts, here
 * and wherever the text is navigated.
 */
public final class JsonScanner {
    /** An exponent or an integer part this long may leave the range of a double; what is shorter cannot. */
    private static final int SAFE_DIGITS = 300;

    private static final int ROOT_MEMBERS_EXPECTED = 16;

    private final byte[] text;
    private final int start;
    private final int end;
    private int[] rows = new int[ROOT_MEMBERS_EXPECTED * JsonScan.ROW];
    private int rowsUsed;

    private JsonScanner(byte[] text, int start, int end) {
        this.text = text;
        this.start = start;
        this.end = end;
    }

    /** Accepts a text that is one JSON value with nothing but white space around it, or throws. */
    public static JsonScan scan(byte[] text) {
        return scan(text, 0, text.length);
    }

    /** Accepts the part of an array that is one JSON value with nothing but white space around it, or throws. */
    public static JsonScan scan(byte[] text, int start, int end) {
        return new JsonScanner(text, start, end).document();
    }

    private JsonScan document() {
        int rootStart = space(start);
        int rootEnd = peek(rootStart) == '{' ? root(rootStart) : value(rootStart, 0);
        int rest = space(rootEnd);
        if (rest != end) {
            throw malformed(rest, "expected the end of the text");
        }
        return new JsonScan(text, rootStart, rootEnd, rows, rowsUsed / JsonScan.ROW);
    }

    /** Like {@link #object}, and notes where the members are. */
    private int root(int open) {
        int at = space(open + 1);
        if (peek(at) == '}') {
            return at + 1;
        }
        while (true) {
            int nameStart = at;
            int nameEnd = name(at);
            int valueStart = space(colon(nameEnd));
            int valueEnd = value(valueStart, 1);
            note(nameStart + 1, nameEnd - 1, valueStart, valueEnd);
            at = space(valueEnd);
            int next = peek(at);
            if (next == '}') {
                return at + 1;
            }
            at = space(comma(at, next, "expected ',' or '}' after a member"));
        }
    }

    private void note(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        if (rowsUsed == rows.length) {
            rows = Arrays.copyOf(rows, rows.length * 2);
        }
        rows[rowsUsed] = JsonText.nameHash(text, nameStart, nameEnd);
        rows[rowsUsed + 1] = nameStart;
        rows[rowsUsed + 2] = nameEnd;
        rows[rowsUsed + 3] = valueStart;
        rows[rowsUsed + 4] = valueEnd;
        rowsUsed += JsonScan.ROW;
    }

    private int value(int at, int depth) {
        return switch (peek(at)) {
            case '{' -> object(at, deeper(at, depth));
            case '[' -> array(at, deeper(at, depth));
            case '"' -> string(at + 1);
            case 't' -> literal(at, "true");
            case 'f' -> literal(at, "false");
            case 'n' -> literal(at, "null");
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(at);
            default -> throw malformed(at, "expected a value");
        };
    }

    private int deeper(int at, int depth) {
        if (depth == Limits.NESTING_DEPTH_MAX) {
            throw malformed(at, "nested deeper than " + Limits.NESTING_DEPTH_MAX + " levels");
        }
        return depth + 1;
    }

    private int object(int open, int depth) {
        int at = space(open + 1);
        if (peek(at) == '}') {
            return at + 1;
        }
        while (true) {
            at = space(value(space(colon(name(at))), depth));
            int next = peek(at);
            if (next == '}') {
                return at + 1;
            }
            at = space(comma(at, next, "expected ',' or '}' after a member"));
        }
    }

    private int array(int open, int depth) {
        int at = space(open + 1);
        if (peek(at) == ']') {
            return at + 1;
        }
        while (true) {
            at = space(value(at, depth));
            int next = peek(at);
            if (next == ']') {
                return at + 1;
            }
            at = space(comma(at, next, "expected ',' or ']' after an array element"));
        }
    }

    private int name(int at) {
        if (peek(at) != '"') {
            throw malformed(at, "expected a member name in double quotes");
        }
        return string(at + 1);
    }

    private int colon(int nameEnd) {
        int at = space(nameEnd);
        if (peek(at) != ':') {
            throw malformed(at, "expected ':' after a member name");
        }
        return at + 1;
    }

    private int comma(int at, int found, String complaint) {
        if (found != ',') {
            throw malformed(at, complaint);
        }
        return at + 1;
    }

    private int literal(int at, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (peek(at + i) != word.charAt(i)) {
                throw malformed(at, "expected a value");
            }
        }
        return at + word.length();
    }

    private int number(int first) {
        int at = peek(first) == '-' ? first + 1 : first;
        int integerStart = at;
        at = peek(at) == '0' ? at + 1 : digits(at);
        boolean mayOverflow = at - integerStart > SAFE_DIGITS;
        if (peek(at) == '.') {
            at = digits(at + 1);
        }
        int sign = peek(at);
        if (sign == 'e' || sign == 'E') {
            at++;
            sign = peek(at);
            at = digits(sign == '+' || sign == '-' ? at + 1 : at);
            mayOverflow = true;
        }
        if (mayOverflow && Double.isInfinite(JsonText.number(text, first, at))) {
            throw malformed(first, "the number is beyond the range of a double");
        }
        return at;
    }

    private int digits(int first) {
        int at = first;
        while (isDigit(peek(at))) {
            at++;
        }
        if (at == first) {
            throw malformed(at, "expected a digit");
        }
        return at;
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    /** From behind the opening quote to behind the closing one. */
    private int string(int first) {
        int at = first;
        while (true) {
            while (at + Long.BYTES <= end) {
                long special = EightBytes.special(EightBytes.at(text, at));
                if (special != 0) {
                    at += EightBytes.first(special);
                    break;
                }
                at += Long.BYTES;
            }
            int next = peek(at);
            if (next == '"') {
                return at + 1;
            } else if (next == '\\') {
                at = escape(at);
            } else if (next >= 0x80) {
                at = multibyte(at, next);
            } else if (next >= ' ') {
                at++;
            } else {
                throw malformed(at, next < 0 ? "the string is not closed" : "a control character must be escaped");
            }
        }
    }

    private int escape(int at) {
        return switch (peek(at + 1)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
            case 'u' -> unicodeEscape(at);
            default -> throw malformed(at, "unknown escape in a string");
        };
    }

    private int unicodeEscape(int at) {
        char unit = hexUnit(at);
        if (!Character.isSurrogate(unit)) {
            return at + 6;
        }
        boolean paired = Character.isHighSurrogate(unit)
                && peek(at + 6) == '\\'
                && peek(at + 7) == 'u'
                && Character.isLowSurrogate(hexUnit(at + 6));
        if (!paired) {
            throw malformed(at, "half of a surrogate pair in a string");
        }
        return at + 12;
    }

    private char hexUnit(int at) {
        int unit = 0;
        for (int i = 2; i < 6; i++) {
            int digit = JsonText.hexDigit(peek(at + i));
            if (digit < 0) {
                throw malformed(at, "expected four hexadecimal digits after \\u");
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }

    /** Skips one character of two to four bytes: shortest form only, no surrogates, nothing above U+10FFFF. */
    private int multibyte(int at, int lead) {
        int second = peek(at + 1);
        boolean valid;
        int length;
        if (lead < 0xe0) {
            length = 2;
            valid = lead >= 0xc2 && isContinuation(second);
        } else if (lead < 0xf0) {
            length = 3;
            int low = lead == 0xe0 ? 0xa0 : 0x80;
            int high = lead == 0xed ? 0x9f : 0xbf;
            valid = second >= low && second <= high && isContinuation(peek(at + 2));
        } else {
            length = 4;
            int low = lead == 0xf0 ? 0x90 : 0x80;
            int high = lead == 0xf4 ? 0x8f : 0xbf;
            valid = lead <= 0xf4
                    && second >= low
                    && second <= high
                    && isContinuation(peek(at + 2))
                    && isContinuation(peek(at + 3));
        }
        if (!valid) {
            throw malformed(at, "the text is not valid UTF-8");
        }
        return at + length;
    }

    private static boolean isContinuation(int unsigned) {
        return (unsigned & 0xc0) == 0x80 && unsigned >= 0;
    }

    private int space(int first) {
        int at = first;
        while (at < end && isSpace(text[at])) {
            at++;
        }
        return at;
    }

    static boolean isSpace(byte character) {
        return character == ' ' || character == '\n' || character == '\r' || character == '\t';
    }

    /** The byte at a position as an unsigned number, -1 behind the end. */
    private int peek(int at) {
        return at < end ? text[at] & 0xff : -1;
    }

    private FailureException malformed(int at, String complaint) {
        int line = 1;
        int column = 1;
        for (int i = start; i < at; i++) {
            if (text[i] == '\n') {
                line++;
                column = 1;
            } else if (!isContinuation(text[i] & 0xff)) {
                column++;
            }
        }
        return new FailureException(new Failure.BadRequest("Malformed JSON at line " + line + ", column " + column
                + " (byte offset " + (at - start) + "): " + complaint + "."));
    }
}
