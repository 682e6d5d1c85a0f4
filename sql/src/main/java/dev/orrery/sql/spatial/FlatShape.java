package dev.orrery.sql.spatial;

import dev.orrery.sql.spatial.ShapeReader.Positions;
import java.util.List;
import java.util.OptionalDouble;
import org.locationtech.jts.algorithm.locate.SimplePointInAreaLocator;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Dimension;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.Location;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.relateng.RelateNG;
import org.locationtech.jts.operation.relateng.RelatePredicate;
import org.locationtech.jts.operation.valid.IsValidOp;

/** A shape on a plane, in whatever unit its coordinates are. Which way round a ring is written has no meaning there. */
final class FlatShape implements Shape {
    static final GeometryFactory FACTORY = new GeometryFactory();

    private final Geometry geometry;
    private final List<List<Coordinate>> lines;

    private FlatShape(Geometry geometry, List<List<Coordinate>> lines) {
        this.geometry = geometry;
        this.lines = lines;
    }

    static FlatShape of(Positions positions) throws InvalidShapeException {
        var geometry = switch (positions) {
            case Positions.Point(Coordinate position) -> FACTORY.createPoint(position);
            case Positions.LineString(var line) -> FACTORY.createLineString(array(line));
            case Positions.Polygons(var polygons) ->
                FACTORY.createMultiPolygon(polygons.stream()
                        .map(rings ->
                                polygon(rings.stream().map(FlatShape::array).toList()))
                        .toArray(Polygon[]::new));
        };
        demandValid(geometry);
        return new FlatShape(geometry, positions.lines());
    }

    private static Coordinate[] array(List<Coordinate> positions) {
        return positions.toArray(Coordinate[]::new);
    }

    /** A polygon of an outer ring and those of its holes. */
    static Polygon polygon(List<Coordinate[]> rings) {
        return FACTORY.createPolygon(
                FACTORY.createLinearRing(rings.getFirst()),
                rings.stream()
                        .skip(1)
                        .map(FACTORY::createLinearRing)
                        .toArray(org.locationtech.jts.geom.LinearRing[]::new));
    }

    static void demandValid(Geometry geometry) throws InvalidShapeException {
        var flaw = new IsValidOp(geometry).getValidationError();
        if (flaw != null) {
            throw new InvalidShapeException("The rings of the polygon are not valid: " + flaw.getMessage() + ".");
        }
    }

    /** All lines and points at which the shape ends. */
    List<List<Coordinate>> lines() {
        return lines;
    }

    /** Whether a place is in one of the polygons. */
    boolean covers(Coordinate place) {
        return geometry.getDimension() == Dimension.A
                && SimplePointInAreaLocator.locate(place, geometry) != Location.EXTERIOR;
    }

    @Override
    public double area() {
        return geometry.getArea();
    }

    @Override
    public OptionalDouble distance(Shape other) {
        var that = ((FlatShape) other).geometry;
        return geometry.isEmpty() || that.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(geometry.distance(that));
    }

    @Override
    public boolean intersects(Shape other) {
        return RelateNG.relate(geometry, ((FlatShape) other).geometry, RelatePredicate.intersects());
    }

    @Override
    public boolean within(Shape other) {
        return RelateNG.relate(geometry, ((FlatShape) other).geometry, RelatePredicate.within());
    }
}
