package dev.orrery.sql.spatial;

import java.util.List;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicMask;

/** The earth as WGS 84 has it: distances on its surface, and areas of it. */
final class Ellipsoid {
    private static final double EQUATOR_RADIUS_METRES = 6_378_137;
    private static final double FLATTENING = 1 / 298.257223563;
    static final double POLE_RADIUS_METRES = EQUATOR_RADIUS_METRES * (1 - FLATTENING);
    static final double ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
    private static final double ECCENTRICITY = Math.sqrt(ECCENTRICITY_SQUARED);
    private static final Geodesic GEODESIC = new Geodesic(EQUATOR_RADIUS_METRES, FLATTENING);

    /** The square of the radius of a ball with as much surface as the earth. */
    private static final double RADIUS_SQUARED = areaToEquator(1);

    static final double AREA = 4 * Math.PI * RADIUS_SQUARED;

    // Gauss and Legendre: where to look, and how much that counts, to integrate over -1..1 what is smooth.
    private static final double[] NODES = {
        0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717
    };
    private static final double[] WEIGHTS = {
        0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881
    };
    private static final double SMOOTH_RADIANS = 0.5;

    private Ellipsoid() {}

    /** The length of the shortest way on the surface, in metres. */
    static double distance(Direction from, Direction to) {
        return GEODESIC.Inverse(
                        from.latitudeDegrees(),
                        from.longitudeDegrees(),
                        to.latitudeDegrees(),
                        to.longitudeDegrees(),
                        GeodesicMask.DISTANCE)
                .s12;
    }

    /** About as much, without the search for the shortest way: the angle times the radius along the great circle. */
    static double estimate(Direction from, Direction to) {
        var between = from.chordTo(to) < 2 ? radius(from.partTo(to, 0.5)) : EQUATOR_RADIUS_METRES;
        return from.angleTo(to) * (radius(from) + 4 * between + radius(to)) / 6;
    }

    /** How far from the centre of the earth a place is. */
    private static double radius(Direction place) {
        var axis = (1 - FLATTENING) * (1 - FLATTENING);
        return EQUATOR_RADIUS_METRES / Math.sqrt(1 + place.z() * place.z() * (1 / axis - 1));
    }

    /** The smaller of the areas into which a closed ring divides the surface, in square metres. */
    static double area(List<Direction> ring) {
        var sum = 0.0;
        var turn = 0.0;
        for (var index = 1; index < ring.size(); index++) {
            var from = ring.get(index - 1);
            var to = ring.get(index);
            var turned = turn(from, to);
            turn += turned;
            sum += areaToEquator(from, to, turned);
            if (isPole(to)) {
                // A corner at a pole is a turn without a way.
                var next = ring.get(index + 1 < ring.size() ? index + 1 : 1);
                turn += turn(from, next);
                sum += RADIUS_SQUARED * turn(from, next) * to.z();
            }
        }
        // A ring around a pole goes once around the axis: what it encloses begins at the pole and not at the equator.
        var area = Math.abs(turn) > Math.PI ? Math.abs(AREA / 2 - Math.abs(sum)) : Math.abs(sum);
        return Math.min(area, AREA - area);
    }

    /** By how much the longitude grows on the short way, in radians; a pole has none. */
    private static double turn(Direction from, Direction to) {
        return isPole(from) || isPole(to)
                ? 0
                : StrictMath.atan2(from.x() * to.y() - from.y() * to.x(), from.x() * to.x() + from.y() * to.y());
    }

    private static boolean isPole(Direction direction) {
        return Math.abs(direction.z()) == 1;
    }

    /**
     * The area between an arc and the equator; negative in the south or when the arc leads west, and so positive in the
     * south when it leads west.
     *
     * <p>On a ball this is the excess of a triangle. The difference between the ball and the ellipsoid is small and smooth
     * along the arc, so that a few points of it give all its digits.
     */
    private static double areaToEquator(Direction from, Direction to, double turned) {
        var tangents = halfTangent(from) + halfTangent(to);
        var excess =
                2 * StrictMath.atan(StrictMath.tan(turned / 2) * tangents / (1 + halfTangent(from) * halfTangent(to)));
        return RADIUS_SQUARED * excess + correction(from, to);
    }

    /** The tangent of half the angle above the equator. */
    private static double halfTangent(Direction direction) {
        return direction.z() / (1 + Math.sqrt(direction.x() * direction.x() + direction.y() * direction.y()));
    }

    private static double correction(Direction from, Direction to) {
        var normal = from.cross(to);
        var sine = Math.sqrt(normal.dot(normal));
        if (sine == 0) {
            return 0;
        }
        var length = from.angleTo(to);
        var pieces = (int) Math.ceil(length / SMOOTH_RADIANS);
        var sum = 0.0;
        for (var piece = 0; piece < pieces; piece++) {
            var middle = (piece + 0.5) * length / pieces;
            for (var node = 0; node < NODES.length; node++) {
                var step = NODES[node] * length / pieces / 2;
                sum += WEIGHTS[node]
                        * (excessDensity(from, to, length, middle - step)
                                + excessDensity(from, to, length, middle + step));
            }
        }
        return normal.z() / sine * sum * length / pieces / 2;
    }

    /** How much more the ellipsoid has than the ball between the equator and a point of an arc, for a step along the arc. */
    private static double excessDensity(Direction from, Direction to, double length, double angle) {
        var first = StrictMath.sin(length - angle) / StrictMath.sin(length);
        var second = StrictMath.sin(angle) / StrictMath.sin(length);
        var height = first * from.z() + second * to.z();
        var rest = 1 - height * height;
        return rest < 1e-12 ? 0 : (areaToEquator(height) - RADIUS_SQUARED * height) / rest;
    }

    /** The area between the equator and a parallel for a turn of one radian; the parallel by the sine of the angle above it. */
    private static double areaToEquator(double height) {
        var flat = 1 - ECCENTRICITY_SQUARED;
        var sine = height / Math.sqrt(height * height + flat * flat * (1 - height * height));
        var q = flat * (sine / (1 - ECCENTRICITY_SQUARED * sine * sine) + atanh(ECCENTRICITY * sine) / ECCENTRICITY);
        return EQUATOR_RADIUS_METRES * EQUATOR_RADIUS_METRES / 2 * q;
    }

    private static double atanh(double value) {
        return (StrictMath.log1p(value) - StrictMath.log1p(-value)) / 2;
    }
}
