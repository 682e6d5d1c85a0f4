package dev.orrery.sql.spatial;

import org.locationtech.jts.geom.Coordinate;

/**
 * A plane that touches the globe, seen from the centre of the earth. It shows the half of the globe around the place where
 * it touches, and on it great circles are straight lines.
 */
final class TangentPlane {
    private static final double NEAR_POLE = 0.9;

    private final Direction centre;
    private final Direction east;
    private final Direction north;

    TangentPlane(Direction centre) {
        this.centre = centre;
        var axis = Math.abs(centre.z()) < NEAR_POLE ? new Direction(0, 0, 1) : new Direction(1, 0, 0);
        var across = axis.cross(centre);
        east = Direction.towards(across.x(), across.y(), across.z());
        north = centre.cross(east);
    }

    Direction centre() {
        return centre;
    }

    Coordinate project(Direction direction) {
        var depth = direction.dot(centre);
        return new Coordinate(direction.dot(east) / depth, direction.dot(north) / depth);
    }

    Direction directionOf(Coordinate point) {
        return Direction.towards(
                centre.x() + point.x * east.x() + point.y * north.x(),
                centre.y() + point.x * east.y() + point.y * north.y(),
                centre.z() + point.x * east.z() + point.y * north.z());
    }

    /**
     * A square of this plane as the four sides of it, each as a vector that has a positive product with the directions on
     * the right side.
     */
    Direction[] sidesOfSquare(double half) {
        return new Direction[] {side(east, half), side(east, -half), side(north, half), side(north, -half)};
    }

    private Direction side(Direction axis, double half) {
        var size = Math.abs(half);
        var sign = Math.signum(half);
        return new Direction(
                size * centre.x() - sign * axis.x(),
                size * centre.y() - sign * axis.y(),
                size * centre.z() - sign * axis.z());
    }
}
