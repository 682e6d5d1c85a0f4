package dev.orrery.example.publishing.demo;

import java.util.Arrays;

/** The middle and the end of some values; not a number when there are none. */
record Quantiles(int count, double p50, double p99) {
    static Quantiles of(double[] values) {
        if (values.length == 0) {
            return new Quantiles(0, Double.NaN, Double.NaN);
        }
        var sorted = values.clone();
        Arrays.sort(sorted);
        return new Quantiles(sorted.length, at(sorted, 0.5), at(sorted, 0.99));
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(Math.ceil(share * sorted.length)) - 1)];
    }
}
