package dev.orrery.gateway.reply;

/** Decimal numbers for headers and bodies: at most so many digits behind the point, and no zeros at the end. */
final class Decimals {
    private Decimals() {}

    /** With up to two digits behind the point: {@code 2.83}, {@code 10.5}, {@code 1}. */
    static String hundredths(double number) {
        return scaled(Math.round(number * 100), 2);
    }

    /** Nanoseconds as milliseconds with up to three digits behind the point. */
    static String millis(long nanos) {
        return scaled(Math.round(nanos / 1000d), 3);
    }

    private static String scaled(long value, int digits) {
        long rest = value;
        int kept = digits;
        while (kept > 0 && rest % 10 == 0) {
            rest /= 10;
            kept--;
        }
        var text = Long.toString(rest);
        if (kept == 0) {
            return text;
        }
        var padded = "0".repeat(Math.max(0, kept + 1 - text.length())) + text;
        return padded.substring(0, padded.length() - kept) + "." + padded.substring(padded.length() - kept);
    }
}
