package dev.orrery.sql.spatial;

import dev.orrery.model.definition.SpatialIndex.BoundingBox;
import dev.orrery.sql.spatial.Outline.Edge;
import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.geom.Coordinate;

/** A plane divided where a box lies on it; the cells at the edge of the box have no end outwards. */
final class PlaneTiling implements Tiling {
    // What rounding may do, as a part of the largest coordinate.
    private static final double TOUCH = 1e-14;
    private static final double MARGIN = 1e-12;

    private final BoundingBox box;

    PlaneTiling(BoundingBox box) {
        this.box = box;
    }

    @Override
    public int roots() {
        return 1;
    }

    @Override
    public Cell cellOf(Place place) {
        return new Cell(
                0,
                Cell.LEVEL_MAX,
                column(place.x(), box.xMin(), box.xMax()),
                column(place.y(), box.yMin(), box.yMax()));
    }

    private static int column(double position, double min, double max) {
        var columns = 1 << Cell.LEVEL_MAX;
        // Halves, so that no difference is infinite.
        var part = (position / 2 - min / 2) / (max / 2 - min / 2);
        return Math.clamp((long) Math.floor(part * columns), 0, columns - 1);
    }

    @Override
    public Tile tile(Cell cell) {
        var level = cell.level();
        var left = line(cell.x(), level, box.xMin(), box.xMax());
        var right = line(cell.x() + 1, level, box.xMin(), box.xMax());
        var low = line(cell.y(), level, box.yMin(), box.yMax());
        var high = line(cell.y() + 1, level, box.yMin(), box.yMax());
        var last = (1 << level) - 1;
        var sides = new ArrayList<Side>();
        addUnless(cell.x() == 0, new Place(left, low, 0), new Place(1, 0, 0), sides);
        addUnless(cell.x() == last, new Place(right, low, 0), new Place(-1, 0, 0), sides);
        addUnless(cell.y() == 0, new Place(left, low, 0), new Place(0, 1, 0), sides);
        addUnless(cell.y() == last, new Place(left, high, 0), new Place(0, -1, 0), sides);
        List<Place> corners = sides.size() < 4
                ? List.of()
                : List.of(
                        new Place(left, low, 0),
                        new Place(right, low, 0),
                        new Place(right, high, 0),
                        new Place(left, high, 0));
        return new Tile(new Place((left + right) / 2, (low + high) / 2, 0), sides, corners);
    }

    private static void addUnless(boolean open, Place on, Place inwards, List<Side> sides) {
        if (!open) {
            sides.add(new Side(on, inwards));
        }
    }

    /** Where a column or row begins. */
    private static double line(int column, int level, double min, double max) {
        var part = Math.scalb((double) column, -level);
        return min * (1 - part) + max * part;
    }

    @Override
    public Outline outline(Shape shape) {
        var flat = (FlatShape) shape;
        var lines = new ArrayList<List<Place>>();
        for (var line : flat.lines()) {
            lines.add(line.stream()
                    .map(position -> new Place(position.x, position.y, 0))
                    .toList());
        }
        return Outline.of(lines, PlaneTiling::edge, place -> flat.covers(new Coordinate(place.x(), place.y())));
    }

    private static Edge edge(Place from, Place to) {
        var along = to.minus(from);
        var length = Math.hypot(along.x(), along.y());
        return new Edge(from, to, new Place(-along.y() / length, along.x() / length, 0));
    }

    @Override
    public double touch(Outline outline) {
        return TOUCH * size(outline);
    }

    @Override
    public double reach(Outline outline, double distance) {
        return distance + MARGIN * (distance + size(outline));
    }

    /** The largest of all coordinates. */
    private double size(Outline outline) {
        var size = Math.max(
                Math.max(Math.abs(box.xMin()), Math.abs(box.xMax())),
                Math.max(Math.abs(box.yMin()), Math.abs(box.yMax())));
        for (var edge : outline.edges()) {
            size = Math.max(
                    size,
                    Math.max(
                            Math.max(
                                    Math.abs(edge.from().x()),
                                    Math.abs(edge.from().y())),
                            Math.max(Math.abs(edge.to().x()), Math.abs(edge.to().y()))));
        }
        return size;
    }
}
