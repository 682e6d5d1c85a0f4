package dev.orrery.sql.vector;

import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.json.JsonValue;
import java.util.Optional;

/** A vector with which others are compared. For one thread only, since it has room for one other vector. */
public final class VectorProbe {
    /** How much rounding a vector can change its direction or, as a part of it, its length; and a little for the sums. */
    private static final double ERROR = 1.01 * VectorForm.ROUNDING;

    private static final double LENGTH_MIN = 1e-100;
    private static final double LENGTH_MAX = 1e100;

    /** What VectorDistance gives is not below the one and not above the other; they are equal when it is known. */
    public record Bounds(double low, double high) {
        private static final Bounds NONE = new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

        /** Whether nothing is known, not even that there is a distance. */
        public boolean isUnknown() {
            return equals(NONE);
        }

        public boolean isExact() {
            return low == high;
        }
    }

    private final DistanceFunction function;
    private final double[] vector;
    private final double length;
    private final double[] stored;

    private VectorProbe(DistanceFunction function, double[] vector) {
        this.function = function;
        this.vector = vector;
        this.length = length(vector);
        this.stored = new double[vector.length];
    }

    /** Empty when the value is not a vector. */
    public static Optional<VectorProbe> of(DistanceFunction function, JsonValue vector) {
        return Vectors.read(vector).map(numbers -> new VectorProbe(function, numbers));
    }

    public int dimensions() {
        return vector.length;
    }

    /** What VectorDistance gives for this and another vector; not a finite number where that is undefined. */
    public double distance(JsonValue other) {
        return Vectors.read(other)
                .filter(numbers -> numbers.length == vector.length)
                .map(this::distance)
                .orElse(Double.NaN);
    }

    /**
     * What VectorDistance gives for this vector and one that an index keeps, which must have as many dimensions. Empty
     * where that is undefined.
     */
    public Optional<Bounds> bounds(byte[] form) {
        var kind = VectorForm.of(form);
        kind.decode(form, stored);
        var distance = distance(stored);
        if (kind != VectorForm.ROUNDED) {
            return Double.isFinite(distance) ? Optional.of(new Bounds(distance, distance)) : Optional.empty();
        }
        var error = error();
        return Optional.of(
                Double.isFinite(distance) && Double.isFinite(error)
                        ? new Bounds(distance - error, distance + error)
                        : Bounds.NONE);
    }

    /** How far from the truth the distance to a rounded vector can be. */
    private double error() {
        if (!(length >= LENGTH_MIN && length <= LENGTH_MAX)) {
            return Double.POSITIVE_INFINITY; // squares may be too large or too small for a double
        }
        return switch (function) {
            case COSINE -> ERROR;
            case DOT_PRODUCT -> ERROR * length * length(stored);
            case EUCLIDEAN -> ERROR * (length + length(stored));
        };
    }

    // The order in which these add up is a part of the result, so they must not be made faster by changing it.

    private double distance(double[] other) {
        return switch (function) {
            case COSINE -> cosine(other);
            case DOT_PRODUCT -> product(other);
            case EUCLIDEAN -> Math.sqrt(differenceSquare(other));
        };
    }

    private double cosine(double[] other) {
        var product = 0.0;
        var square = 0.0;
        for (var index = 0; index < vector.length; index++) {
            product += vector[index] * other[index];
            square += other[index] * other[index];
        }
        return product / (length * Math.sqrt(square));
    }

    private double product(double[] other) {
        var sum = 0.0;
        for (var index = 0; index < vector.length; index++) {
            sum += vector[index] * other[index];
        }
        return sum;
    }

    private double differenceSquare(double[] other) {
        var sum = 0.0;
        for (var index = 0; index < vector.length; index++) {
            var difference = vector[index] - other[index];
            sum += difference * difference;
        }
        return sum;
    }

    private static double length(double[] vector) {
        var square = 0.0;
        for (var number : vector) {
            square += number * number;
        }
        return Math.sqrt(square);
    }
}
