package dev.orrery.sql.spatial;

import java.util.OptionalDouble;

/** A valid shape; shapes that are compared lie on the same surface. */
public sealed interface Shape permits FlatShape, GlobeShape {
    /** In square metres on the globe; 0 for points and lines. */
    double area();

    /** In metres on the globe; 0 when the shapes meet, and nothing when one of them is empty. */
    OptionalDouble distance(Shape other);

    boolean intersects(Shape other);

    /** Whether all of this shape lies in another one, and not only on its edge. */
    boolean within(Shape other);
}
