package dev.orrery.sql.spatial;

import org.locationtech.jts.geom.Coordinate;

/** A place on the globe, as the direction in which it is seen from the centre of the earth: a vector of length 1. */
record Direction(double x, double y, double z) {
    private static final double DATE_LINE_DEGREES = 180;
    private static final double POLE_DEGREES = 90;

    /** The direction of a longitude and a latitude, which is the angle between the vertical there and the equator. */
    static Direction of(Coordinate degrees) {
        if (Math.abs(degrees.y) == POLE_DEGREES) {
            return new Direction(0, 0, Math.signum(degrees.y));
        }
        // One meridian has two numbers.
        var longitude = Math.toRadians(degrees.x == -DATE_LINE_DEGREES ? DATE_LINE_DEGREES : degrees.x);
        var latitude = Math.toRadians(degrees.y);
        return towards(
                StrictMath.cos(latitude) * StrictMath.cos(longitude),
                StrictMath.cos(latitude) * StrictMath.sin(longitude),
                (1 - Ellipsoid.ECCENTRICITY_SQUARED) * StrictMath.sin(latitude));
    }

    static Direction towards(double x, double y, double z) {
        var length = Math.sqrt(x * x + y * y + z * z);
        return new Direction(x / length, y / length, z / length);
    }

    double longitudeDegrees() {
        return Math.toDegrees(StrictMath.atan2(y, x));
    }

    double latitudeDegrees() {
        return Math.toDegrees(StrictMath.atan2(z, (1 - Ellipsoid.ECCENTRICITY_SQUARED) * Math.sqrt(x * x + y * y)));
    }

    double dot(Direction other) {
        return x * other.x + y * other.y + z * other.z;
    }

    /** A vector at right angles to both, as long as the sine of the angle between them; not a direction. */
    Direction cross(Direction other) {
        return new Direction(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x);
    }

    /** The direction a part of the way along the straight line to another one. */
    Direction partTo(Direction other, double part) {
        return towards(x + part * (other.x - x), y + part * (other.y - y), z + part * (other.z - z));
    }

    /** The angle to another direction, in radians. */
    double angleTo(Direction other) {
        var half = chordTo(other) / 2;
        return 2 * StrictMath.asin(Math.min(1, half));
    }

    /** The product of the ways from here to two others; exact also when these are short. */
    double product(Direction one, Direction other) {
        return (one.x - x) * (other.x - x) + (one.y - y) * (other.y - y) + (one.z - z) * (other.z - z);
    }

    double chordTo(Direction other) {
        var dx = x - other.x;
        var dy = y - other.y;
        var dz = z - other.z;
        return Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
}
