package dev.orrery.sql.vector;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import java.util.Optional;

/** Reads vectors from JSON. */
final class Vectors {
    private Vectors() {}

    /** The vector that a value stands for: an array of numbers that is not empty. */
    static Optional<double[]> read(JsonValue value) {
        if (!(value instanceof Arr(var items)) || items.isEmpty()) {
            return Optional.empty();
        }
        var vector = new double[items.size()];
        var index = 0;
        for (var item : items) {
            if (!(item instanceof Num(double number, var _))) {
                return Optional.empty();
            }
            vector[index++] = number;
        }
        return Optional.of(vector);
    }
}
