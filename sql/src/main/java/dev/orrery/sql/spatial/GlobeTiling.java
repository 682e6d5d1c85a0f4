package dev.orrery.sql.spatial;

import dev.orrery.sql.spatial.Outline.Edge;
import java.util.ArrayList;
import java.util.List;

/**
 * The globe as seen from its centre through the six faces of a cube.
 *
 * <p>Seen so, arcs are straight lines, and the sides of cells are arcs: nothing bulges, and neither poles nor the
 * meridian where the days meet are special, as they would be with cells of longitudes and latitudes.
 */
final class GlobeTiling implements Tiling {
    private static final int AXES = 3;
    private static final double TOUCH_RADIANS = 1e-12;
    private static final double MARGIN_RADIANS = 1e-9;

    /** Beyond this, not far from a quarter of the globe, sines are of no use; everything is near then. */
    private static final double REACH_RADIANS_MAX = 1.5;

    @Override
    public int roots() {
        return 2 * AXES;
    }

    @Override
    public Cell cellOf(Place place) {
        double[] along = {place.x(), place.y(), place.z()};
        var axis = 0;
        for (var other = 1; other < AXES; other++) {
            axis = Math.abs(along[other]) > Math.abs(along[axis]) ? other : axis;
        }
        var depth = Math.abs(along[axis]);
        return new Cell(
                along[axis] > 0 ? axis : axis + AXES,
                Cell.LEVEL_MAX,
                column(along[(axis + 1) % AXES] / depth),
                column(along[(axis + 2) % AXES] / depth));
    }

    private static int column(double across) {
        var columns = 1 << Cell.LEVEL_MAX;
        return Math.clamp((long) Math.floor((across + 1) / 2 * columns), 0, columns - 1);
    }

    @Override
    public Tile tile(Cell cell) {
        var left = across(cell.x(), cell.level());
        var right = across(cell.x() + 1, cell.level());
        var low = across(cell.y(), cell.level());
        var high = across(cell.y() + 1, cell.level());
        return new Tile(
                place(cell, (left + right) / 2, (low + high) / 2),
                List.of(
                        side(cell, -left, 1, 0),
                        side(cell, right, -1, 0),
                        side(cell, -low, 0, 1),
                        side(cell, high, 0, -1)),
                List.of(
                        place(cell, left, low),
                        place(cell, right, low),
                        place(cell, right, high),
                        place(cell, left, high)));
    }

    /** Where a column begins on a face, which goes from -1 to 1. */
    private static double across(int column, int level) {
        return Math.scalb((double) column, 1 - level) - 1;
    }

    private static Place place(Cell cell, double u, double v) {
        return vector(cell.root(), 1, u, v).unit();
    }

    private static Side side(Cell cell, double depth, double u, double v) {
        return new Side(Place.ORIGIN, vector(cell.root(), depth, u, v).unit());
    }

    /** A vector by how far it goes out of a face, and along the two sides of the face. */
    private static Place vector(int root, double depth, double u, double v) {
        var along = new double[AXES];
        var axis = root % AXES;
        along[axis] = root < AXES ? depth : -depth;
        along[(axis + 1) % AXES] = u;
        along[(axis + 2) % AXES] = v;
        return new Place(along[0], along[1], along[2]);
    }

    @Override
    public Outline outline(Shape shape) {
        var globe = (GlobeShape) shape;
        var lines = new ArrayList<List<Place>>();
        for (var line : globe.lines()) {
            lines.add(line.stream()
                    .map(place -> new Place(place.x(), place.y(), place.z()))
                    .toList());
        }
        return Outline.of(
                lines, GlobeTiling::edge, place -> globe.covers(new Direction(place.x(), place.y(), place.z())));
    }

    private static Edge edge(Place from, Place to) {
        // The difference is exact also when it is small, unlike the product of the two places.
        return new Edge(from, to, to.minus(from).cross(from).unit());
    }

    @Override
    public double touch(Outline outline) {
        return TOUCH_RADIANS;
    }

    @Override
    public double reach(Outline outline, double distance) {
        // Nowhere is the surface nearer to the centre of the earth, so no way of this length goes around a larger
        // angle.
        var radians = distance / Ellipsoid.POLE_RADIUS_METRES + MARGIN_RADIANS;
        return radians < REACH_RADIANS_MAX ? StrictMath.sin(radians) : Double.POSITIVE_INFINITY;
    }
}
