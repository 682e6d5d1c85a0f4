package dev.orrery.sql.function;

import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.json.JsonSize;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.memory.Workspace;
import dev.orrery.sql.spatial.InvalidShapeException;
import dev.orrery.sql.spatial.Shape;
import dev.orrery.sql.spatial.ShapeReader;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The shapes that a query has read last: the one that it compares all items with is not to be read for each of them. */
public final class Shapes {
    private static final int KEPT = 16;
    private static final long KEPT_BYTES_MAX = 4 << 20;

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

    private record Kept(Reading reading, long bytes) {}

    private final GeospatialConfig.Type surface;
    private final LinkedHashMap<Key, Kept> readings = new LinkedHashMap<>(KEPT, 0.75F, true);
    private final Workspace.Shelf shelf;

    Shapes(GeospatialConfig.Type surface, Workspace workspace) {
        this.surface = surface;
        this.shelf = workspace.shelf();
    }

    Reading read(JsonValue value) {
        var key = new Key(value);
        var known = readings.get(key);
        if (known != null) {
            return known.reading();
        }
        var reading = parse(value);
        // The value that stands for it, and the shape itself, which is about as large.
        keep(key, new Kept(reading, 2 * JsonSize.of(value)));
        return reading;
    }

    private void keep(Key key, Kept kept) {
        while (!readings.isEmpty() && (readings.size() == KEPT || shelf.held() + kept.bytes() > KEPT_BYTES_MAX)) {
            shelf.remove(readings.pollFirstEntry().getValue().bytes());
        }
        if (kept.bytes() <= KEPT_BYTES_MAX) {
            readings.put(key, kept);
            shelf.add(kept.bytes());
        }
    }

    private Reading parse(JsonValue value) {
        try {
            return new Reading.Valid(ShapeReader.read(value, surface));
        } catch (InvalidShapeException flaw) {
            return new Reading.Invalid(flaw.getMessage());
        }
    }
}
