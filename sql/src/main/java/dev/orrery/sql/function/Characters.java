package dev.orrery.sql.function;

import java.util.function.IntPredicate;

/** Positions in texts counted in characters, that is, code points: no function can cut a surrogate pair in two. */
final class Characters {
    private Characters() {}

    static int count(String text) {
        return text.codePointCount(0, text.length());
    }

    /** At most so many characters from a position on; nothing when the position is outside of the text. */
    static String slice(String text, long from, long length) {
        var count = count(text);
        if (from < 0 || from >= count || length <= 0) {
            return "";
        }
        var start = text.offsetByCodePoints(0, (int) from);
        var taken = (int) Math.min(length, count - from);
        return text.substring(start, text.offsetByCodePoints(start, taken));
    }

    /** The position of a part at or after a position, -1 if there is none. */
    static int indexOf(String text, String part, long from) {
        var count = count(text);
        if (from > count) {
            return -1;
        }
        var start = text.offsetByCodePoints(0, (int) Math.max(from, 0));
        return position(text, text.indexOf(part, start));
    }

    /** The position of the last part that ends at or before a position, -1 if there is none. */
    static int lastIndexOf(String text, String part, long end) {
        var last = (int) Math.min(Math.max(end, -1), count(text) - 1);
        var bound = text.offsetByCodePoints(0, last + 1);
        return position(text, text.lastIndexOf(part, bound - part.length()));
    }

    private static int position(String text, int index) {
        return index < 0 ? -1 : text.codePointCount(0, index);
    }

    static String trim(String text, IntPredicate trimmed, boolean left, boolean right) {
        var start = 0;
        var end = text.length();
        while (left && start < end && trimmed.test(text.codePointAt(start))) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (right && end > start && trimmed.test(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }
}
