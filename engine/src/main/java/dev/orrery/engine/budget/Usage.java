package dev.orrery.engine.budget;

import java.util.Arrays;
import java.util.List;

/**
 * The request units that a physical partition has used.
 *
 * @param total since the server was started
 * @param peak the most in one second of the last minute
 * @param minutes in each minute of the last hour, the present one last
 */
public record Usage(double total, double peak, List<Double> minutes) {
    /** For how many minutes use is remembered. */
    public static final int MINUTES = 60;

    public Usage {
        minutes = List.copyOf(minutes);
    }

    Usage(double total, double peak, double[] minutes) {
        this(total, peak, Arrays.stream(minutes).boxed().toList());
    }
}
