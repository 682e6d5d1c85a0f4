package dev.orrery.sql.spatial;

import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.operation.distance.IndexedFacetDistance;
import org.locationtech.jts.operation.overlay.snap.GeometrySnapper;
import org.locationtech.jts.operation.relateng.RelateNG;
import org.locationtech.jts.operation.relateng.RelatePredicate;
import org.locationtech.jts.operation.relateng.TopologyPredicate;

/** How one piece can lie to another. */
enum Relation {
    INTERSECTS,
    WITHIN,
    COVERED_BY,
    /** All of it is inside and nothing on the edge. */
    INSIDE,
    /** Not more than the edges meet. */
    APART;

    /**
     * What is less than this apart meets: a few thousandths of a millimetre. A place in the middle of an edge could
     * otherwise never be on it, for lack of digits.
     */
    static final double TOLERANCE = 1e-12;

    private TopologyPredicate question() {
        return switch (this) {
            case INTERSECTS -> RelatePredicate.intersects();
            case WITHIN -> RelatePredicate.within();
            case COVERED_BY -> RelatePredicate.coveredBy();
            case INSIDE -> RelatePredicate.matches("TFF*FF***");
            case APART -> RelatePredicate.matches("F********");
        };
    }

    /** The same question, asked about the other one. */
    private TopologyPredicate converse() {
        return switch (this) {
            case INTERSECTS, APART -> question();
            case WITHIN -> RelatePredicate.contains();
            case COVERED_BY -> RelatePredicate.covers();
            case INSIDE -> RelatePredicate.matches("T**FF*FF*");
        };
    }

    boolean holds(Piece one, Piece other) {
        if (one.isFarFrom(other)) {
            return this == APART;
        }
        if (one.isLargerThan(other)) {
            var that = other.onPlaneOf(one);
            return one.relations().evaluate(that, question()) || holdsWhenSnapped(one.geometry(), that);
        }
        if (this != INTERSECTS && this != APART && !one.isShownBy(other)) {
            return false; // a part of it is where nothing of the other is
        }
        var that = one.onPlaneOf(other);
        return other.relations().evaluate(that, converse()) || holdsWhenSnapped(that, other.geometry());
    }

    /** Asks again after corners that almost touch the other shape have been moved onto it. */
    private boolean holdsWhenSnapped(Geometry one, Geometry other) {
        if (this == INSIDE
                || one.isEmpty()
                || other.isEmpty()
                || !IndexedFacetDistance.isWithinDistance(one, other, TOLERANCE)) {
            return false;
        }
        if (one.getDimension() == 0 || other.getDimension() == 0) {
            return switch (this) {
                case INTERSECTS, COVERED_BY, APART -> true;
                case WITHIN, INSIDE ->
                    other.getDimension() <= 1 && !other.getBoundary().isWithinDistance(one, TOLERANCE);
            };
        }
        var snapped = GeometrySnapper.snap(one, other, TOLERANCE);
        return RelateNG.relate(snapped[0], snapped[1], question());
    }
}
