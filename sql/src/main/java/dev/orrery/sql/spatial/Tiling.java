package dev.orrery.sql.spatial;

import dev.orrery.sql.spatial.Outline.Edge;
import java.util.List;

/** How a surface is divided into cells. */
sealed interface Tiling permits GlobeTiling, PlaneTiling {
    /** How many squares make up the surface. */
    int roots();

    /** The smallest cell with a place in it. */
    Cell cellOf(Place place);

    Tile tile(Cell cell);

    Outline outline(Shape shape);

    /** How far from a cell a shape that is stored may be and still be said to touch it: what rounding may do. */
    double touch(Outline outline);

    /**
     * The same when shapes within a distance of another one are looked for. It is larger than what is allowed to stored
     * shapes, so that of cells that share an edge all are looked at.
     */
    double reach(Outline outline, double distance);

    /**
     * Where a cell lies.
     *
     * @param sides each with the cell where heights are positive
     * @param corners empty when the cell has no end on some side
     */
    record Tile(Place centre, List<Side> sides, List<Place> corners) {
        /** Whether an edge is for certain farther away than this; true needs a line or circle between the two. */
        boolean isFartherThan(double reach, Edge edge) {
            for (var side : sides) {
                if (side.height(edge.from()) < -reach && side.height(edge.to()) < -reach) {
                    return true;
                }
            }
            return isBeyond(reach, edge);
        }

        private boolean isBeyond(double reach, Edge edge) {
            var above = 0;
            var below = 0;
            for (var corner : corners) {
                var height = edge.height(corner);
                above += height > reach ? 1 : 0;
                below += height < -reach ? 1 : 0;
            }
            return !corners.isEmpty() && (above == corners.size() || below == corners.size());
        }
    }

    /** A side of a cell, by a place on it and the direction inwards. */
    record Side(Place on, Place inwards) {
        double height(Place place) {
            return inwards.dot(place.minus(on));
        }
    }
}
