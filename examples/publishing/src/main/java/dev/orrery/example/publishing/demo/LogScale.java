package dev.orrery.example.publishing.demo;

import java.util.Locale;
import java.util.stream.IntStream;

/** Puts values on a line in powers of ten. */
record LogScale(int lowPower, int highPower, double from, double to) {
    double place(double value) {
        double share = (Math.log10(Math.max(value, 1e-9)) - lowPower) / (highPower - lowPower);
        return from + Math.clamp(share, 0, 1) * (to - from);
    }

    /** The values that get a line. */
    double[] marks() {
        return IntStream.rangeClosed(lowPower, highPower)
                .mapToDouble(power -> Math.pow(10, power))
                .toArray();
    }

    /** As people read milliseconds: {@code 10 ms}, {@code 10 s}. */
    static String words(double millis) {
        return millis < 1_000
                ? String.format(Locale.ROOT, "%.0f ms", millis)
                : String.format(Locale.ROOT, "%.0f s", millis / 1_000);
    }
}
