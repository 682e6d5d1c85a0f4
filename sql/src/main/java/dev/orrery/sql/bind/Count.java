package dev.orrery.sql.bind;

import dev.orrery.model.json.JsonValue;
import java.util.Optional;

/** What TOP, OFFSET and LIMIT accept as a number. */
public final class Count {
    // SDKs add OFFSET and LIMIT, each below 2^31, and send the sum.
    private static final double MAX = 4_294_967_295.0;

    private Count() {}

    public static Optional<Long> of(JsonValue value) {
        return value instanceof JsonValue.Num(double number, var _)
                        && number >= 0
                        && number <= MAX
                        && number == Math.rint(number)
                ? Optional.of((long) number)
                : Optional.empty();
    }

    public static String rule(String clause) {
        return "The " + clause + " count must be a whole number from 0 to " + (long) MAX + ".";
    }
}
