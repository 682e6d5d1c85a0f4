package dev.orrery.sql.spatial;

/** A place as cells see it: its direction from the centre of the earth, or its two coordinates on a plane and 0. */
record Place(double x, double y, double z) {
    static final Place ORIGIN = new Place(0, 0, 0);

    Place minus(Place other) {
        return new Place(x - other.x, y - other.y, z - other.z);
    }

    Place times(double factor) {
        return new Place(factor * x, factor * y, factor * z);
    }

    double dot(Place other) {
        return x * other.x + y * other.y + z * other.z;
    }

    Place cross(Place other) {
        return new Place(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x);
    }

    /** The vector of length 1 in the same direction; not numbers when there is no direction. */
    Place unit() {
        return times(1 / Math.sqrt(dot(this)));
    }
}
