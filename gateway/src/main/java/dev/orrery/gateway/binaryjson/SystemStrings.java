package dev.orrery.gateway.binaryjson;

import java.util.List;

/** Strings that every client knows; each is one byte, its place in this list. The order is that of the wire. */
final class SystemStrings {
    private static final List<String> ALL = List.of(
            "$s",
            "$t",
            "$v",
            "_attachments",
            "_etag",
            "_rid",
            "_self",
            "_ts",
            "attachments/",
            "coordinates",
            "geometry",
            "GeometryCollection",
            "id",
            "url",
            "Value",
            "label",
            "LineString",
            "link",
            "MultiLineString",
            "MultiPoint",
            "MultiPolygon",
            "name",
            "Name",
            "Type",
            "Point",
            "Polygon",
            "properties",
            "type",
            "value",
            "Feature",
            "FeatureCollection",
            "_id");

    private SystemStrings() {}

    static String at(int place) {
        return ALL.get(place);
    }
}
