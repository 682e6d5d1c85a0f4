package dev.orrery.sql.spatial;

import dev.orrery.sql.spatial.ShapeReader.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.locationtech.jts.geom.Coordinate;

/**
 * A shape on the globe. A polygon is what lies to the left of its outer ring: written clockwise, it is everything but
 * what the ring encloses. Holes take away the smaller side of their rings, however these are written.
 */
final class GlobeShape implements Shape {
    private static final double ARC_RADIANS_MAX = Math.toRadians(45);

    private final List<Region> regions;

    private GlobeShape(List<Region> regions) {
        this.regions = regions;
    }

    static GlobeShape of(Positions positions) throws InvalidShapeException {
        return switch (positions) {
            case Positions.Point(Coordinate position) -> of(Piece.point(Direction.of(position)));
            case Positions.LineString(var line) -> line(directions(line));
            case Positions.Polygons(var polygons) -> polygons(polygons);
        };
    }

    private static GlobeShape of(Piece piece) {
        return new GlobeShape(List.of(new Region.Inside(piece)));
    }

    private static List<Direction> directions(List<Coordinate> positions) {
        return positions.stream().map(Direction::of).toList();
    }

    private static GlobeShape line(List<Direction> places) throws InvalidShapeException {
        for (var index = 1; index < places.size(); index++) {
            if (places.get(index - 1).dot(places.get(index)) <= -1 + 1e-15) {
                throw new InvalidShapeException(
                        "Two positions of a line that follow each other must not be antipodal.");
            }
        }
        var whole = Piece.line(places);
        if (whole.isSmall()) {
            return of(whole);
        }
        var arcs = new ArrayList<Region>();
        for (var index = 1; index < places.size(); index++) {
            addArcs(places.get(index - 1), places.get(index), arcs);
        }
        return new GlobeShape(arcs);
    }

    private static void addArcs(Direction from, Direction to, List<Region> arcs) {
        if (from.angleTo(to) <= ARC_RADIANS_MAX) {
            arcs.add(new Region.Inside(Piece.line(List.of(from, to))));
        } else {
            var middle = from.partTo(to, 0.5);
            addArcs(from, middle, arcs);
            addArcs(middle, to, arcs);
        }
    }

    private static GlobeShape polygons(List<List<List<Coordinate>>> polygons) throws InvalidShapeException {
        var regions = new ArrayList<Region>();
        for (var rings : polygons) {
            regions.add(polygon(rings.stream().map(GlobeShape::directions).toList()));
        }
        for (var index = 0; index < regions.size(); index++) {
            var region = regions.get(index);
            if (!regions.subList(0, index).stream().allMatch(region::isApartFrom)) {
                throw new InvalidShapeException("The polygons of a multipolygon must not overlap.");
            }
        }
        return new GlobeShape(regions);
    }

    private static Region polygon(List<List<Direction>> rings) throws InvalidShapeException {
        var shell = Piece.polygon(rings.subList(0, 1));
        if (shell.isCounterClockwise()) {
            return new Region.Inside(rings.size() == 1 ? shell : Piece.polygon(rings));
        }
        var gaps = new ArrayList<Piece>();
        gaps.add(shell);
        for (var ring : rings.subList(1, rings.size())) {
            var hole = Piece.polygon(List.of(ring));
            if (!gaps.stream().allMatch(gap -> Relation.APART.holds(hole, gap))) {
                throw new InvalidShapeException("The holes of a polygon must lie within it and must not overlap.");
            }
            gaps.add(hole);
        }
        return new Region.Outside(gaps);
    }

    @Override
    public double area() {
        return regions.stream().mapToDouble(Region::area).sum();
    }

    @Override
    public OptionalDouble distance(Shape other) {
        var that = (GlobeShape) other;
        if (regions.isEmpty() || that.regions.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (isPoint() && that.isPoint()) {
            return OptionalDouble.of(Ellipsoid.distance(
                    lines().getFirst().getFirst(), that.lines().getFirst().getFirst()));
        }
        return OptionalDouble.of(intersects(that) ? 0 : GlobeDistance.between(lines(), that.lines()));
    }

    private boolean isPoint() {
        return regions.getFirst() instanceof Region.Inside(Piece piece) && piece.kind() == Piece.Kind.POINT;
    }

    List<List<Direction>> lines() {
        return regions.stream().flatMap(region -> region.lines().stream()).toList();
    }

    /** Whether a place is in one of the polygons. */
    boolean covers(Direction place) {
        var point = new Region.Inside(Piece.point(place));
        return regions.stream().anyMatch(region -> region.isArea() && point.intersects(region));
    }

    @Override
    public boolean intersects(Shape other) {
        return regions.stream()
                .anyMatch(region -> ((GlobeShape) other).regions.stream().anyMatch(region::intersects));
    }

    @Override
    public boolean within(Shape other) {
        return !regions.isEmpty()
                && regions.stream()
                        .allMatch(
                                region -> ((GlobeShape) other).regions.stream().anyMatch(region::within));
    }
}
