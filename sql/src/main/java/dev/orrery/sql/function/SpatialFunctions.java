package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.spatial.Shape;
import java.util.List;
import java.util.function.BiFunction;

/** Functions on shapes in GeoJSON; what is not a valid shape gives undefined, but for those that ask about just this. */
final class SpatialFunctions {
    static final List<Builtin> TABLE = List.of(
            row(
                    "ST_AREA",
                    "shape",
                    "The area of a polygon or multipolygon in square metres, and 0 for a point or line.",
                    "ST_AREA({type: 'Point', coordinates: [31.9, -4.8]})",
                    "0",
                    (values, context) -> context.shapes()
                            .read(values[0])
                            .valid()
                            .<JsonValue>map(shape -> new Num(shape.area()))
                            .orElse(JsonValue.UNDEFINED)),
            pair(
                    "ST_DISTANCE",
                    "The length in metres of the shortest way between two shapes, which is 0 when they meet.",
                    "ST_DISTANCE({type: 'Point', coordinates: [0, 0]}, {type: 'Point', coordinates: [0, 1]}) < 110575",
                    "true",
                    SpatialFunctions::distance),
            pair(
                    "ST_INTERSECTS",
                    "Whether two shapes have at least a point in common.",
                    "ST_INTERSECTS({type: 'LineString', coordinates: [[0, 0], [2, 2]]}, "
                            + "{type: 'LineString', coordinates: [[0, 2], [2, 0]]})",
                    "true",
                    (one, other) -> Bool.of(one.intersects(other))),
            row(
                    "ST_ISVALID",
                    "shape",
                    "Whether a value is a valid Point, LineString, Polygon or MultiPolygon in GeoJSON.",
                    "ST_ISVALID({type: 'Point', coordinates: [31.9, -132.8]})",
                    "false",
                    (values, context) ->
                            Bool.of(context.shapes().read(values[0]).valid().isPresent())),
            row(
                    "ST_ISVALIDDETAILED",
                    "shape",
                    "An object that says whether a value is a valid shape in GeoJSON, and if not, why.",
                    "ST_ISVALIDDETAILED({type: 'Point', coordinates: [31.9, -132.8]})",
                    "{\"valid\":false,\"reason\":\"Latitude values must be between -90 and 90 degrees.\"}",
                    (values, context) -> detailed(context.shapes().read(values[0]))),
            pair(
                    "ST_WITHIN",
                    "Whether all of a shape lies within another one.",
                    "ST_WITHIN({type: 'Point', coordinates: [1, 1]}, "
                            + "{type: 'Polygon', coordinates: [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]})",
                    "true",
                    (one, other) -> Bool.of(one.within(other))));

    private SpatialFunctions() {}

    private static Builtin row(
            String name, String parameters, String description, String example, String result, Builtin.Body body) {
        return Builtin.row(Builtin.Group.SPATIAL, name, parameters, description, example, result, body);
    }

    private static Builtin pair(
            String name, String description, String example, String result, BiFunction<Shape, Shape, JsonValue> body) {
        return row(name, "shape, other", description, example, result, (values, context) -> {
            var one = context.shapes().read(values[0]).valid();
            var other = context.shapes().read(values[1]).valid();
            return one.isPresent() && other.isPresent() ? body.apply(one.get(), other.get()) : JsonValue.UNDEFINED;
        });
    }

    private static JsonValue distance(Shape one, Shape other) {
        var distance = one.distance(other);
        return distance.isPresent() ? Numbers.finite(distance.getAsDouble()) : JsonValue.UNDEFINED;
    }

    private static JsonValue detailed(Shapes.Reading reading) {
        return switch (reading) {
            case Shapes.Reading.Valid _ -> Obj.builder().put("valid", true).build();
            case Shapes.Reading.Invalid(String reason) ->
                Obj.builder().put("valid", false).put("reason", reason).build();
        };
    }
}
