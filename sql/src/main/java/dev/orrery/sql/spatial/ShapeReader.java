package dev.orrery.sql.spatial;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.geom.Coordinate;

/** Reads GeoJSON. Members that say nothing about the shape are passed over, as are altitudes. */
public final class ShapeReader {
    private static final int RING_POSITIONS_MIN = 4;

    private final GeospatialConfig.Type surface;
    private int positions;

    private ShapeReader(GeospatialConfig.Type surface) {
        this.surface = surface;
    }

    public static Shape read(JsonValue json, GeospatialConfig.Type surface) throws InvalidShapeException {
        var positions = new ShapeReader(surface).read(json);
        return switch (surface) {
            case GEOGRAPHY -> GlobeShape.of(positions);
            case GEOMETRY -> FlatShape.of(positions);
        };
    }

    /** What a GeoJSON object says, before anybody asks what it means. */
    sealed interface Positions {
        record Point(Coordinate position) implements Positions {}

        record LineString(List<Coordinate> line) implements Positions {}

        /** Of each polygon its outer ring, then those of its holes. */
        record Polygons(List<List<List<Coordinate>>> polygons) implements Positions {}

        default List<List<Coordinate>> lines() {
            return switch (this) {
                case Point(Coordinate position) -> List.of(List.of(position));
                case LineString(var line) -> List.of(line);
                case Polygons(var polygons) ->
                    polygons.stream().flatMap(List::stream).toList();
            };
        }
    }

    private Positions read(JsonValue json) throws InvalidShapeException {
        if (!(json instanceof Obj object) || !(object.member("type") instanceof Str(String type))) {
            throw new InvalidShapeException("A GeoJSON object has a type, which is a string.");
        }
        if (!(object.member("coordinates") instanceof Arr coordinates)) {
            throw new InvalidShapeException("A GeoJSON object has coordinates, which are an array.");
        }
        return switch (type) {
            case "Point" -> new Positions.Point(position(coordinates));
            case "LineString" -> new Positions.LineString(line(coordinates));
            case "Polygon" -> new Positions.Polygons(List.of(rings(coordinates)));
            case "MultiPolygon" -> new Positions.Polygons(polygons(coordinates));
            default ->
                throw new InvalidShapeException("The type must be Point, LineString, Polygon or MultiPolygon, not '"
                        + (type.length() <= 100 ? type : type.substring(0, 100)) + "'.");
        };
    }

    private List<List<List<Coordinate>>> polygons(Arr coordinates) throws InvalidShapeException {
        var polygons = new ArrayList<List<List<Coordinate>>>();
        for (var polygon : coordinates.items()) {
            polygons.add(rings(polygon));
        }
        return polygons;
    }

    private List<List<Coordinate>> rings(JsonValue coordinates) throws InvalidShapeException {
        var rings = new ArrayList<List<Coordinate>>();
        for (var ring : items(coordinates, "A polygon is an array of rings.")) {
            var positions = positions(ring);
            if (positions.size() < RING_POSITIONS_MIN) {
                throw new InvalidShapeException("A ring of a polygon has at least four positions.");
            }
            if (!positions.getFirst().equals2D(positions.getLast())) {
                throw new InvalidShapeException("The first and the last position of a ring must be the same.");
            }
            rings.add(positions);
        }
        if (rings.isEmpty()) {
            throw new InvalidShapeException("A polygon has at least one ring.");
        }
        return rings;
    }

    private List<Coordinate> line(JsonValue coordinates) throws InvalidShapeException {
        var line = positions(coordinates);
        if (line.stream().distinct().limit(2).count() < 2) {
            throw new InvalidShapeException("A line has at least two different positions.");
        }
        return line;
    }

    private List<Coordinate> positions(JsonValue coordinates) throws InvalidShapeException {
        var list = new ArrayList<Coordinate>();
        for (var position : items(coordinates, "A line or ring is an array of positions.")) {
            list.add(position(position));
        }
        return list;
    }

    private Coordinate position(JsonValue json) throws InvalidShapeException {
        var numbers = items(json, "A position is an array of numbers.");
        if (numbers.size() < 2
                || !(numbers.get(0) instanceof Num(double x, var _))
                || !(numbers.get(1) instanceof Num(double y, var _))) {
            throw new InvalidShapeException("A position has at least two coordinates, which are numbers.");
        }
        positions++;
        if (positions > Limits.POLYGON_POINTS_MAX) {
            throw new InvalidShapeException("A shape has at most " + Limits.POLYGON_POINTS_MAX + " positions.");
        }
        if (surface == GeospatialConfig.Type.GEOGRAPHY) {
            if (Math.abs(y) > 90) {
                throw new InvalidShapeException("Latitude values must be between -90 and 90 degrees.");
            }
            if (Math.abs(x) > 180) {
                throw new InvalidShapeException("Longitude values must be between -180 and 180 degrees.");
            }
        }
        return new Coordinate(x, y);
    }

    private static List<JsonValue> items(JsonValue json, String otherwise) throws InvalidShapeException {
        if (json instanceof Arr(var items)) {
            return items;
        }
        throw new InvalidShapeException(otherwise);
    }
}
