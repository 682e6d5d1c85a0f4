package dev.orrery.model.json;

import java.math.BigDecimal;

/** How a number is spelled: as JavaScript spells it, which is the shortest text that reads back as the same double. */
public final class JsonNumber {
    /** Up to here every whole number is a double of its own. */
    public static final long WHOLE_MAX = 1L << 53;

    /** From 1e21 on, and below 1e-6, a number is spelled with an exponent. */
    private static final int PLAIN_DIGITS_MAX = 21;

    private static final int PLAIN_ZEROS_MAX = 6;

    private JsonNumber() {}

    /** JSON has no text for infinities and NaN, which only a calculation can give: they become strings. */
    public static String text(double number) {
        if (!Double.isFinite(number)) {
            return '"' + Double.toString(number) + '"';
        }
        if (number == 0) {
            return 1 / number > 0 ? "0" : "-0";
        }
        double size = Math.abs(number);
        if (size >= 1e-3 && size < 1e7 && size != Math.rint(size)) {
            return Double.toString(number); // in this range, and with a fraction, it is the same
        }
        // The digits are those of Double.toString (the shortest, if two or more); only their arrangement differs.
        var shortest = new BigDecimal(Double.toString(size)).stripTrailingZeros();
        var digits = shortest.unscaledValue().toString();
        int pointAt = digits.length() - shortest.scale();
        return (number < 0 ? "-" : "") + arranged(digits, pointAt);
    }

    /** The digits with the decimal point behind the first {@code pointAt} of them. */
    private static String arranged(String digits, int pointAt) {
        int count = digits.length();
        if (count <= pointAt && pointAt <= PLAIN_DIGITS_MAX) {
            return digits + "0".repeat(pointAt - count);
        }
        if (0 < pointAt && pointAt <= PLAIN_DIGITS_MAX) {
            return digits.substring(0, pointAt) + "." + digits.substring(pointAt);
        }
        if (-PLAIN_ZEROS_MAX < pointAt && pointAt <= 0) {
            return "0." + "0".repeat(-pointAt) + digits;
        }
        int exponent = pointAt - 1;
        var fraction = count == 1 ? "" : "." + digits.substring(1);
        return digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
    }
}
