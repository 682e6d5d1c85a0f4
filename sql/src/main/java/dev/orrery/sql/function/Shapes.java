package dev.orrery.sql.function;

import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.spatial.InvalidShapeException;
import dev.orrery.sql.spatial.Shape;
import dev.orrery.sql.spatial.ShapeReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The shapes that a query has read last: the one that it compares all items with is not to be read for each of them. */
public final class Shapes {
    private static final int KEPT = 16;

    /** What a value turned out to be. */
    sealed interface Reading {
        record Valid(Shape shape) implements Reading {}

        record Invalid(String reason) implements Reading {}

        default Optional<Shape> valid() {
            return this instanceof Valid(Shape shape) ? Optional.of(shape) : Optional.empty();
        }
    }

    /** A value by its identity: to compare two shapes position by position would cost as much as to read them. */
    private static final class Key {
        private final JsonValue value;

        Key(JsonValue value) {
            this.value = value;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // this is what the class is for
        public boolean equals(Object other) {
            return other instanceof Key key && key.value == value;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(value);
        }
    }

    private final GeospatialConfig.Type surface;
    private final Map<Key, Reading> readings = new LinkedHashMap<>(KEPT, 0.75F, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Reading> eldest) {
            return size() > KEPT;
        }
    };

    Shapes(GeospatialConfig.Type surface) {
        this.surface = surface;
    }

    Reading read(JsonValue value) {
        return readings.computeIfAbsent(new Key(value), _ -> parse(value));
    }

    private Reading parse(JsonValue value) {
        try {
            return new Reading.Valid(ShapeReader.read(value, surface));
        } catch (InvalidShapeException flaw) {
            return new Reading.Invalid(flaw.getMessage());
        }
    }
}
