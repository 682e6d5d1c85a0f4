package dev.orrery.sql.syntax;

import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.sql.syntax.Token.Kind;

/** Cuts a query text into tokens, one at a time, looking at each character a bounded number of times. */
final class Lexer {
    private static final char END = '\uFFFF';
    private static final Num NO_NUMBER = new Num(0);

    /** Those of 64 bits, and of the 0x before them. */
    private static final int HEXADECIMAL_CHARACTERS_MAX = 18;

    private final String text;
    private final QueryErrors errors;
    private int position;

    Lexer(String text, QueryErrors errors) {
        this.text = text;
        this.errors = errors;
    }

    Token next() {
        skipSpaceAndComments();
        var start = position;
        if (start == text.length()) {
            return sign(Kind.END, 0);
        }
        var first = text.charAt(start);
        if (isWordStart(first)) {
            return word();
        }
        if (isDigit(first) || (first == '.' && isDigit(at(start + 1)))) {
            return number();
        }
        return switch (first) {
            case '"', '\'' -> string(first);
            case '@' -> parameter();
            default -> sign(first);
        };
    }

    private Token sign(char first) {
        var second = at(position + 1);
        return switch (first) {
            case '(' -> sign(Kind.LEFT_PARENTHESIS, 1);
            case ')' -> sign(Kind.RIGHT_PARENTHESIS, 1);
            case '[' -> sign(Kind.LEFT_BRACKET, 1);
            case ']' -> sign(Kind.RIGHT_BRACKET, 1);
            case '{' -> sign(Kind.LEFT_BRACE, 1);
            case '}' -> sign(Kind.RIGHT_BRACE, 1);
            case ',' -> sign(Kind.COMMA, 1);
            case ':' -> sign(Kind.COLON, 1);
            case '.' -> sign(Kind.DOT, 1);
            case '?' -> second == '?' ? sign(Kind.COALESCE, 2) : sign(Kind.QUESTION, 1);
            case '|' -> second == '|' ? sign(Kind.CONCAT, 2) : sign(Kind.BIT_OR, 1);
            case '^' -> sign(Kind.BIT_XOR, 1);
            case '&' -> sign(Kind.BIT_AND, 1);
            case '~' -> sign(Kind.BIT_NOT, 1);
            case '=' -> sign(Kind.EQUAL, 1);
            case '!' -> second == '=' ? sign(Kind.NOT_EQUAL, 2) : unexpected();
            case '<' -> less(second);
            case '>' -> greater(second);
            case '+' -> sign(Kind.PLUS, 1);
            case '-' -> sign(Kind.MINUS, 1);
            case '*' -> sign(Kind.STAR, 1);
            case '/' -> sign(Kind.SLASH, 1);
            case '%' -> sign(Kind.PERCENT, 1);
            default -> unexpected();
        };
    }

    private Token less(char second) {
        return switch (second) {
            case '=' -> sign(Kind.LESS_OR_EQUAL, 2);
            case '>' -> sign(Kind.NOT_EQUAL, 2);
            case '<' -> sign(Kind.SHIFT_LEFT, 2);
            default -> sign(Kind.LESS, 1);
        };
    }

    private Token greater(char second) {
        return switch (second) {
            case '=' -> sign(Kind.GREATER_OR_EQUAL, 2);
            case '>' -> at(position + 2) == '>' ? sign(Kind.SHIFT_RIGHT_UNSIGNED, 3) : sign(Kind.SHIFT_RIGHT, 2);
            default -> sign(Kind.GREATER, 1);
        };
    }

    private Token sign(Kind kind, int length) {
        return token(kind, Keyword.NONE, kind.spelling(), position + length);
    }

    private Token token(Kind kind, Keyword keyword, String content, int end) {
        return token(kind, keyword, content, NO_NUMBER, end);
    }

    private Token token(Kind kind, Keyword keyword, String content, Num number, int end) {
        var start = position;
        position = end;
        return new Token(kind, keyword, content, number, new Span(start, end));
    }

    private Token unexpected() {
        var length = Character.charCount(text.codePointAt(position));
        throw errors.invalidToken(new Span(position, position + length), "a name, a value or an operator");
    }

    private Token word() {
        var end = endOfWord(position + 1);
        var word = text.substring(position, end);
        return token(Kind.WORD, Keyword.of(word), word, end);
    }

    private Token parameter() {
        var end = endOfWord(position + 1);
        if (end == position + 1) {
            throw errors.invalidToken(new Span(position, end), "the name of a parameter after '@'");
        }
        return token(Kind.PARAMETER, Keyword.NONE, text.substring(position, end), end);
    }

    private Token number() {
        var end = at(position) == '0' && (at(position + 1) | 0x20) == 'x' ? endOfHexadecimal() : endOfDecimal();
        if (isWordPart(at(end))) {
            throw errors.invalidToken(
                    new Span(position, endOfWord(end)), "a number, which cannot be followed by letters");
        }
        var value = valueOf(text.substring(position, end));
        if (Double.isInfinite(value.value())) {
            throw errors.invalidToken(new Span(position, end), "a number that fits into 64 bits of floating point");
        }
        return token(Kind.NUMBER, Keyword.NONE, "", value, end);
    }

    private int endOfHexadecimal() {
        var end = position + 2;
        while (Character.digit(at(end), 16) >= 0) {
            end++;
        }
        return end == position + 2 ? position + 1 : end;
    }

    private int endOfDecimal() {
        var end = endOfDigits(position);
        if (at(end) == '.') {
            end = endOfDigits(end + 1);
        }
        if ((at(end) | 0x20) == 'e') {
            var sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
            if (isDigit(at(end + 1 + sign))) {
                end = endOfDigits(end + 1 + sign);
            }
        }
        return end;
    }

    private static Num valueOf(String digits) {
        if (digits.length() > 2 && (digits.charAt(1) | 0x20) == 'x') {
            var value = 0.0;
            for (var index = 2; index < digits.length(); index++) {
                value = value * 16 + Character.digit(digits.charAt(index), 16);
            }
            return digits.length() > HEXADECIMAL_CHARACTERS_MAX
                    ? new Num(value)
                    : Num.of(value, Long.toUnsignedString(Long.parseUnsignedLong(digits.substring(2), 16)));
        }
        return Num.of(Double.parseDouble(digits), digits);
    }

    private Token string(char quote) {
        var content = new StringBuilder();
        var index = position + 1;
        while (index < text.length()) {
            var character = text.charAt(index);
            if (character == quote) {
                requireWholePairs(content, index + 1);
                return token(Kind.STRING, Keyword.NONE, content.toString(), index + 1);
            }
            if (character == '\\') {
                index = escape(index, content);
            } else {
                content.append(character);
                index++;
            }
        }
        throw errors.invalidToken(
                new Span(position, text.length()), "a closing " + quote + " for the string that starts here");
    }

    /** Half of a surrogate pair is no character: it has no UTF-8 and could not be sent back. */
    private void requireWholePairs(StringBuilder content, int end) {
        var halves = content.codePoints()
                .filter(codePoint -> codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
        if (halves.findAny().isPresent()) {
            throw errors.invalidToken(new Span(position, end), "both halves of a surrogate pair, as in \\ud83d\\ude00");
        }
    }

    /** Appends what the escape at an index stands for and returns the index after it. */
    private int escape(int index, StringBuilder content) {
        var character = at(index + 1);
        switch (character) {
            case '"', '\'', '\\', '/' -> content.append(character);
            case 'b' -> content.append('\b');
            case 'f' -> content.append('\f');
            case 'n' -> content.append('\n');
            case 'r' -> content.append('\r');
            case 't' -> content.append('\t');
            case 'u' -> {
                content.append((char) hexadecimal(index));
                return index + 6;
            }
            default -> throw badEscape(index, index + 2);
        }
        return index + 2;
    }

    private int hexadecimal(int index) {
        var value = 0;
        for (var offset = 2; offset < 6; offset++) {
            var digit = Character.digit(at(index + offset), 16);
            if (digit < 0) {
                throw badEscape(index, index + offset);
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private RuntimeException badEscape(int start, int end) {
        return errors.invalidToken(
                new Span(start, Math.min(end, text.length())),
                "one of \\\" \\' \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX; a backslash itself is written \\\\");
    }

    private void skipSpaceAndComments() {
        while (position < text.length()) {
            var character = text.charAt(position);
            if (Character.isWhitespace(character) || character == '\uFEFF' || character == '\u00A0') {
                position++;
            } else if (character == '-' && at(position + 1) == '-') {
                var end = text.indexOf('\n', position);
                position = end < 0 ? text.length() : end;
            } else if (character == '/' && at(position + 1) == '*') {
                var end = text.indexOf("*/", position + 2);
                if (end < 0) {
                    throw errors.invalidToken(
                            new Span(position, position + 2), "a closing */ for the comment that starts here");
                }
                position = end + 2;
            } else {
                return;
            }
        }
    }

    private int endOfWord(int from) {
        var end = from;
        while (isWordPart(at(end))) {
            end++;
        }
        return end;
    }

    private int endOfDigits(int from) {
        var end = from;
        while (isDigit(at(end))) {
            end++;
        }
        return end;
    }

    private char at(int index) {
        return index < text.length() ? text.charAt(index) : END;
    }

    /** Whether a text can be written after a dot as it is; keywords aside. */
    static boolean isWord(String text) {
        return !text.isEmpty()
                && isWordStart(text.charAt(0))
                && text.chars().allMatch(character -> isWordPart((char) character));
    }

    private static boolean isWordStart(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || character == '_'
                || (character > 0x7F && (Character.isLetter(character) || Character.isSurrogate(character)));
    }

    private static boolean isWordPart(char character) {
        return isWordStart(character) || isDigit(character) || (character > 0x7F && isMark(character));
    }

    private static boolean isMark(char character) {
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.DECIMAL_DIGIT_NUMBER -> true;
            default -> false;
        };
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
