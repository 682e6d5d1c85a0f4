package dev.orrery.model.definition;

import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.Arrays;
import java.util.Optional;

/**
 * An index of shapes at a path. Whatever shapes the client names, all four kinds are indexed, and that is what the
 * normal form says, as the cloud service does.
 */
public record SpatialIndex(IndexPath path, Optional<BoundingBox> boundingBox, Obj others) {

    /** The part of a flat plane that can be indexed. */
    public record BoundingBox(double xMin, double yMin, double xMax, double yMax) {}

    public enum Shape implements Spelled {
        POINT("Point"),
        LINE_STRING("LineString"),
        POLYGON("Polygon"),
        MULTI_POLYGON("MultiPolygon");

        private final String spelling;

        Shape(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    static SpatialIndex parse(MemberReader json) {
        var path = PathProposal.parse(json, json.requiredText("path"));
        if (path.ending() == Ending.NONE || path.isTuple()) {
            throw json.refusal(
                    "path",
                    "is '" + path.text() + "', but must end with /? or /* and be no tuple."
                            + (path.isTuple() ? "" : PathProposal.ended(path.text())));
        }
        var types = json.texts("types", Shape.values().length);
        if (types.isEmpty()) {
            throw json.refusal("types", "must name at least one of Point, LineString, Polygon, MultiPolygon.");
        }
        types.forEach(type -> MemberReader.choose(json.place("types"), type, Shape.class));
        return new SpatialIndex(path, json.object("boundingBox").map(SpatialIndex::parseBox), json.others());
    }

    private static BoundingBox parseBox(MemberReader json) {
        var box = new BoundingBox(
                coordinate(json, "xmin"), coordinate(json, "ymin"), coordinate(json, "xmax"), coordinate(json, "ymax"));
        if (box.xMax <= box.xMin) {
            throw json.refusal("xmax", "must be greater than xmin.");
        }
        if (box.yMax <= box.yMin) {
            throw json.refusal("ymax", "must be greater than ymin.");
        }
        return box;
    }

    private static double coordinate(MemberReader json, String name) {
        return json.number(name).orElseThrow(() -> json.refusal(name, "is required."));
    }

    Obj toJson() {
        return Obj.builder()
                .put("path", path.text())
                .put(
                        "types",
                        JsonValue.strings(Arrays.stream(Shape.values())
                                .map(Shape::spelling)
                                .toList()))
                .put(
                        "boundingBox",
                        boundingBox.<JsonValue>map(SpatialIndex::toJson).orElse(JsonValue.UNDEFINED))
                .putAll(others)
                .build();
    }

    private static Obj toJson(BoundingBox box) {
        return Obj.builder()
                .put("xmin", box.xMin)
                .put("ymin", box.yMin)
                .put("xmax", box.xMax)
                .put("ymax", box.yMax)
                .build();
    }
}
