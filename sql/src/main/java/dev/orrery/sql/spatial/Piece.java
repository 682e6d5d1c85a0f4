package dev.orrery.sql.spatial;

import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.algorithm.Orientation;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.CoordinateSequence;
import org.locationtech.jts.geom.CoordinateSequenceFilter;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.operation.relateng.RelateNG;

/** A point, a line or a polygon that fits into less than half of the globe, so that a plane can show all of it. */
final class Piece {
    enum Kind {
        POINT,
        LINE,
        POLYGON
    }

    static final double RADIUS_RADIANS_MAX = Math.toRadians(89);

    /** What a plane shows at its edges is far away, but still inside. */
    private static final double SQUARE = Math.tan(Math.toRadians(89.5));

    private static final double GOOD_RADIANS = Math.toRadians(60);
    private static final int CENTRING_STEPS = 100;

    private final Kind kind;
    private final List<List<Direction>> lines;
    private final TangentPlane plane;
    private final double radiusRadians;
    private Geometry own;
    private RelateNG relations;

    private Piece(Kind kind, List<List<Direction>> lines) {
        this.kind = kind;
        this.lines = lines;
        // The first line of a polygon is around all the others.
        var outline = lines.getFirst();
        var mean = mean(outline);
        var centre = radius(mean, outline) < GOOD_RADIANS ? mean : centred(mean, outline);
        plane = new TangentPlane(centre);
        radiusRadians = radius(centre, outline);
    }

    static Piece point(Direction direction) {
        return new Piece(Kind.POINT, List.of(List.of(direction)));
    }

    static Piece line(List<Direction> line) {
        return new Piece(Kind.LINE, List.of(line));
    }

    /** A polygon; of each ring the smaller side counts. */
    static Piece polygon(List<List<Direction>> rings) throws InvalidShapeException {
        for (var ring : rings) {
            if (!new Piece(Kind.LINE, List.of(ring)).isSmall()) {
                throw new InvalidShapeException("A ring of a polygon must fit into one half of the globe.");
            }
        }
        var piece = new Piece(Kind.POLYGON, rings);
        if (rings.stream().flatMap(List::stream).anyMatch(place -> piece.angleTo(place) > RADIUS_RADIANS_MAX)) {
            throw new InvalidShapeException("The hole of a polygon must lie within its outer ring.");
        }
        FlatShape.demandValid(piece.geometry());
        return piece;
    }

    private double angleTo(Direction place) {
        return plane.centre().angleTo(place);
    }

    private static Direction mean(List<Direction> places) {
        var x = 0.0;
        var y = 0.0;
        var z = 0.0;
        for (var place : places) {
            x += place.x();
            y += place.y();
            z += place.z();
        }
        // Places all around the globe may cancel each other out; any of them is as good a centre as another then.
        return Math.abs(x) + Math.abs(y) + Math.abs(z) < 1e-9 ? places.getFirst() : Direction.towards(x, y, z);
    }

    /** A centre from which the farthest place is not much farther than it must be: ever smaller steps towards that one. */
    private static Direction centred(Direction start, List<Direction> places) {
        var centre = start;
        for (var step = 1; step <= CENTRING_STEPS; step++) {
            var farthest = places.getFirst();
            for (var place : places) {
                farthest = centre.dot(place) < centre.dot(farthest) ? place : farthest;
            }
            centre = centre.partTo(farthest, 1.0 / (step + 1));
        }
        return centre;
    }

    private static double radius(Direction centre, List<Direction> places) {
        var radius = 0.0;
        for (var place : places) {
            radius = Math.max(radius, centre.angleTo(place));
        }
        return radius;
    }

    boolean isSmall() {
        return radiusRadians <= RADIUS_RADIANS_MAX;
    }

    Kind kind() {
        return kind;
    }

    List<List<Direction>> lines() {
        return lines;
    }

    /** How much a polygon covers, in square metres. */
    double area() {
        var area = Ellipsoid.area(lines.getFirst());
        for (var hole : lines.subList(1, lines.size())) {
            area -= Ellipsoid.area(hole);
        }
        return area;
    }

    /** Whether the outer ring of a polygon has its smaller side to the left. */
    boolean isCounterClockwise() {
        return Orientation.isCCW(project(lines.getFirst(), plane));
    }

    boolean isLargerThan(Piece other) {
        return radiusRadians > other.radiusRadians;
    }

    /** Whether the two are so far apart that they cannot meet. */
    boolean isFarFrom(Piece other) {
        return angleTo(other.plane.centre()) > radiusRadians + other.radiusRadians + Relation.TOLERANCE;
    }

    /** Whether the plane of another piece shows all of this one. */
    boolean isShownBy(Piece other) {
        return other.angleTo(plane.centre()) + radiusRadians <= RADIUS_RADIANS_MAX;
    }

    /** This piece, or the part of it that can meet another one, on the plane of that other one. */
    Geometry onPlaneOf(Piece other) {
        return isShownBy(other) ? onto(other.plane) : clipped(other.plane);
    }

    /** This piece on its own plane. */
    Geometry geometry() {
        if (own == null) {
            own = onto(plane);
        }
        return own;
    }

    /** How others lie to this piece on its own plane. */
    RelateNG relations() {
        if (relations == null) {
            relations = RelateNG.prepare(geometry());
        }
        return relations;
    }

    private Geometry onto(TangentPlane target) {
        var projected = lines.stream().map(line -> project(line, target)).toList();
        return switch (kind) {
            case POINT -> FlatShape.FACTORY.createPoint(projected.getFirst()[0]);
            case LINE -> FlatShape.FACTORY.createLineString(projected.getFirst());
            case POLYGON -> FlatShape.polygon(projected);
        };
    }

    private static Coordinate[] project(List<Direction> line, TangentPlane plane) {
        var projected = new Coordinate[line.size()];
        for (var index = 0; index < projected.length; index++) {
            projected[index] = plane.project(line.get(index));
        }
        return projected;
    }

    /** Cuts off, on the own plane, what the other plane cannot show, and moves the rest there. */
    private Geometry clipped(TangentPlane target) {
        List<Coordinate> window = List.of(
                new Coordinate(-SQUARE, -SQUARE),
                new Coordinate(SQUARE, -SQUARE),
                new Coordinate(SQUARE, SQUARE),
                new Coordinate(-SQUARE, SQUARE));
        for (var side : target.sidesOfSquare(SQUARE)) {
            window = cut(window, side);
        }
        if (window.size() < 3) {
            return FlatShape.FACTORY.createPolygon();
        }
        window.add(window.getFirst());
        var rest = geometry()
                .intersection(FlatShape.FACTORY.createPolygon(window.toArray(Coordinate[]::new)))
                .copy();
        rest.apply(new Move(plane, target));
        rest.geometryChanged();
        return rest;
    }

    private record Move(TangentPlane from, TangentPlane to) implements CoordinateSequenceFilter {
        @Override
        public void filter(CoordinateSequence sequence, int index) {
            var moved = to.project(from.directionOf(sequence.getCoordinate(index)));
            sequence.setOrdinate(index, CoordinateSequence.X, moved.x);
            sequence.setOrdinate(index, CoordinateSequence.Y, moved.y);
        }

        @Override
        public boolean isDone() {
            return false;
        }

        @Override
        public boolean isGeometryChanged() {
            return true;
        }
    }

    /** The part of a convex polygon on the right side of a great circle. */
    private List<Coordinate> cut(List<Coordinate> convex, Direction side) {
        var kept = new ArrayList<Coordinate>();
        for (var index = 0; index < convex.size(); index++) {
            var from = convex.get(index);
            var to = convex.get((index + 1) % convex.size());
            var before = height(from, side);
            var after = height(to, side);
            if (before >= 0) {
                kept.add(from);
            }
            if (before < 0 != after < 0) {
                var part = before / (before - after);
                kept.add(new Coordinate(from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)));
            }
        }
        return kept;
    }

    private double height(Coordinate point, Direction side) {
        // Not divided by the length of the vector: along a line on the plane this is linear.
        var direction = plane.directionOf(point);
        return direction.dot(side) / direction.dot(plane.centre());
    }
}
