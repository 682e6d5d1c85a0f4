package dev.orrery.server;

/** How many columns of a terminal a text takes: two for wide letters and emoji, none for what is put onto a letter. */
final class TextWidth {
    /** First and last code points that terminals show over two columns. */
    private static final int[][] WIDE = {
        {0x1100, 0x115f},
        {0x231a, 0x231b},
        {0x23e9, 0x23ec},
        {0x25fd, 0x25fe},
        {0x2614, 0x2615},
        {0x2648, 0x2653},
        {0x26aa, 0x26ab},
        {0x26bd, 0x26be},
        {0x2705, 0x2705},
        {0x270a, 0x270b},
        {0x2728, 0x2728},
        {0x274c, 0x274c},
        {0x2753, 0x2755},
        {0x2795, 0x2797},
        {0x2b1b, 0x2b1c},
        {0x2b50, 0x2b50},
        {0x2e80, 0x303e},
        {0x3041, 0xa4cf},
        {0xa960, 0xa97c},
        {0xac00, 0xd7a3},
        {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},
        {0xff01, 0xff60},
        {0xffe0, 0xffe6},
        {0x1f300, 0x1f64f},
        {0x1f680, 0x1f6fc},
        {0x1f7e0, 0x1f7eb},
        {0x1f900, 0x1faff},
        {0x20000, 0x3fffd},
    };

    private static final String CUT = "…";

    private TextWidth() {}

    static int of(String text) {
        return text.codePoints().map(TextWidth::of).sum();
    }

    private static int of(int codePoint) {
        if (codePoint < 0x300) {
            return 1;
        }
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(codePoint) ? 2 : 1;
        };
    }

    private static boolean isWide(int codePoint) {
        for (var range : WIDE) {
            if (codePoint <= range[1]) {
                return codePoint >= range[0];
            }
        }
        return false;
    }

    /** The beginning of a text that is too wide, with a mark that something is missing. Never half a character. */
    static String cut(String text, int columnsMax) {
        if (of(text) <= columnsMax) {
            return text;
        }
        var kept = new StringBuilder();
        int width = 0;
        for (int at = 0; at < text.length(); ) {
            int codePoint = text.codePointAt(at);
            width += of(codePoint);
            if (width > columnsMax - 1) {
                break;
            }
            kept.appendCodePoint(codePoint);
            at += Character.charCount(codePoint);
        }
        return kept + CUT;
    }

    static String padded(String text, int columns, boolean right) {
        var spaces = " ".repeat(Math.max(0, columns - of(text)));
        return right ? spaces + text : text + spaces;
    }
}
