package dev.orrery.sql.spatial;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What cells have to know of a shape.
 *
 * @param edges all that is not inside: lines, the rings of polygons, and points as edges without length
 * @param inside whether a place away from all edges belongs to the shape
 */
record Outline(List<Edge> edges, Predicate<Place> inside) {

    /**
     * A straight line or an arc between two places.
     *
     * @param across a vector of length 1 at right angles to the edge; not numbers when the edge has no length, so that no
     *     comparison with a height holds
     */
    record Edge(Place from, Place to, Place across) {
        /** How far a place is to the one side of the line, or, on the globe, the sine of that angle. */
        double height(Place place) {
            return across.dot(place.minus(from));
        }
    }

    /** Makes an edge of two places. */
    interface Joining {
        Edge edge(Place from, Place to);
    }

    static Outline of(List<List<Place>> lines, Joining joining, Predicate<Place> inside) {
        var edges = new ArrayList<Edge>();
        for (var line : lines) {
            for (var index = Math.min(1, line.size() - 1); index < line.size(); index++) {
                edges.add(joining.edge(line.get(Math.max(0, index - 1)), line.get(index)));
            }
        }
        return new Outline(edges, inside);
    }

    boolean isPoint() {
        return edges.size() == 1
                && edges.getFirst().from().equals(edges.getFirst().to());
    }
}
