package dev.orrery.sql.function;

import java.time.LocalDateTime;

/**
 * The formats of DATETIMEFORMAT: {@code yyyy yy M MM d dd H HH h hh m mm s ss}, {@code f} to {@code fffffff} for digits of
 * a fraction, {@code F} likewise without trailing zeros, a backslash before a letter that is meant as such, and anything
 * else as it is.
 */
final class DateFormat {
    private static final int FRACTION_DIGITS = 7;

    private DateFormat() {}

    static String print(LocalDateTime time, String format) {
        var out = new StringBuilder();
        var index = 0;
        while (index < format.length()) {
            var letter = format.charAt(index);
            if (letter == '\\' && index + 1 < format.length()) {
                out.append(format.charAt(index + 1));
                index += 2;
                continue;
            }
            var end = index + 1;
            while (end < format.length() && format.charAt(end) == letter) {
                end++;
            }
            out.append(field(time, letter, format.substring(index, end)));
            index = end;
        }
        return out.toString();
    }

    private static String field(LocalDateTime time, char letter, String letters) {
        return switch (letter) {
            case 'y' -> letters.length() > 2 ? padded(time.getYear(), letters) : padded(time.getYear() % 100, letters);
            case 'M' -> padded(time.getMonthValue(), letters);
            case 'd' -> padded(time.getDayOfMonth(), letters);
            case 'H' -> padded(time.getHour(), letters);
            case 'h' -> padded((time.getHour() + 11) % 12 + 1, letters);
            case 'm' -> padded(time.getMinute(), letters);
            case 's' -> padded(time.getSecond(), letters);
            case 'f' -> fraction(time, letters);
            case 'F' -> fraction(time, letters).replaceAll("0+$", "");
            default -> letters;
        };
    }

    private static String padded(int number, String letters) {
        var digits = Integer.toString(number);
        return "0".repeat(Math.max(0, letters.length() - digits.length())) + digits;
    }

    private static String fraction(LocalDateTime time, String letters) {
        var ticks = padded(DateTime.tickOfSecond(time), "f".repeat(FRACTION_DIGITS));
        return ticks.substring(0, Math.min(letters.length(), FRACTION_DIGITS));
    }
}
