package dev.orrery.sql.spatial;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The shortest way over the ellipsoid between lines that do not meet.
 *
 * <p>It begins or ends at a corner, so each corner of one side is looked at with each arc of the other: at first as on a
 * ball, which is quick, then more exactly for those that can still be the nearest.
 */
final class GlobeDistance {
    /** How much longer one way can be than another that is as long on a ball, since radii differ. */
    private static final double BALL_ERROR = 1.004;

    /** The same when the radii along the way are taken into account. */
    private static final double ESTIMATE_ERROR = 1.0001;

    private static final int CANDIDATES_MAX = 10_000;
    private static final int REFINED_MAX = 16;
    private static final int REFINING_STEPS = 60;
    private static final int EDGE_STEPS = 30;

    /** Over so much of an arc, some 1,200 kilometres, the distance on the ellipsoid has one least place only. */
    private static final double SMOOTH_CHORD_MAX = 0.2;

    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    /** Arcs shorter than this, some six kilometres, are as good as straight. */
    private static final double STRAIGHT_CHORD_MAX = 1e-3;

    /** A corner and the place on an arc that is nearest to it on a ball, as a part of the chord of the arc. */
    private record Pair(Direction corner, Direction from, Direction to, double part, double chord) {
        Direction place(double where) {
            return from.partTo(to, where);
        }

        double metres(double where) {
            return Ellipsoid.distance(corner, place(where));
        }

        /** Whether a place can be the nearest one on the ellipsoid. */
        boolean isNear(double where) {
            return corner.chordTo(place(where)) <= chord * BALL_ERROR;
        }
    }

    private final List<Pair> nearest = new ArrayList<>();
    private double chordMin = Double.POSITIVE_INFINITY;

    private GlobeDistance() {}

    static double between(List<List<Direction>> lines, List<List<Direction>> others) {
        var search = new GlobeDistance();
        search.look(lines, others);
        search.look(others, lines);
        return search.measure();
    }

    private void look(List<List<Direction>> corners, List<List<Direction>> lines) {
        for (var line : lines) {
            for (var index = Math.min(1, line.size() - 1); index < line.size(); index++) {
                var from = line.get(Math.max(0, index - 1));
                var to = line.get(index);
                corners.forEach(places -> places.forEach(corner -> look(corner, from, to)));
            }
        }
    }

    private void look(Direction corner, Direction from, Direction to) {
        var part = nearestPart(corner, from, to);
        var chord = corner.chordTo(from.partTo(to, part));
        if (chord > chordMin * BALL_ERROR) {
            return;
        }
        chordMin = Math.min(chordMin, chord);
        nearest.add(new Pair(corner, from, to, part, chord));
        if (nearest.size() > 2 * CANDIDATES_MAX) {
            keepNearest();
        }
    }

    private void keepNearest() {
        nearest.removeIf(pair -> pair.chord() > chordMin * BALL_ERROR);
        nearest.sort(Comparator.comparingDouble(Pair::chord));
        if (nearest.size() > CANDIDATES_MAX) {
            nearest.subList(CANDIDATES_MAX, nearest.size()).clear();
        }
    }

    private static double nearestPart(Direction corner, Direction from, Direction to) {
        var chord = from.chordTo(to);
        if (chord == 0) {
            return 0;
        }
        if (chord < STRAIGHT_CHORD_MAX) {
            return clamp(from.product(corner, to) / (chord * chord));
        }
        // How far before and behind the corner the ends lie, seen along the great circle.
        var normal = from.cross(to);
        var ahead = to.cross(corner).dot(normal);
        var behind = corner.cross(from).dot(normal);
        if (ahead <= 0 && behind <= 0) {
            // The corner lies above the way.
            return -behind / (-ahead - behind);
        }
        return corner.dot(from) >= corner.dot(to) ? 0 : 1;
    }

    private static double clamp(double part) {
        return Math.clamp(part, 0, 1);
    }

    private double measure() {
        keepNearest();
        record Estimated(Stretch stretch, double metres) {}
        var estimated = nearest.stream()
                .map(Stretch::of)
                .map(stretch -> new Estimated(stretch, stretch.estimate()))
                .sorted(Comparator.comparingDouble(Estimated::metres))
                .toList();
        return estimated.stream()
                .takeWhile(one -> one.metres() <= estimated.getFirst().metres() * ESTIMATE_ERROR)
                .limit(REFINED_MAX)
                .mapToDouble(one -> one.stretch().shortest())
                .min()
                .orElseThrow();
    }

    /**
     * Where on an arc the nearest place can be. A quarter of the globe away, all places of an arc are about equally far on
     * a ball, so that this can be much of the arc.
     */
    private record Stretch(Pair pair, double low, double high) {
        static Stretch of(Pair pair) {
            return new Stretch(pair, edge(pair, 0), edge(pair, 1));
        }

        /** The place towards an end of the arc from which on it is too far; away from the nearest place it grows farther. */
        private static double edge(Pair pair, double end) {
            var within = pair.part();
            var beyond = end;
            if (pair.isNear(end)) {
                return end;
            }
            for (var step = 0; step < EDGE_STEPS; step++) {
                var middle = (within + beyond) / 2;
                if (pair.isNear(middle)) {
                    within = middle;
                } else {
                    beyond = middle;
                }
            }
            return beyond;
        }

        /** How many pieces there are of which each has one least place. */
        private int pieces() {
            return 1 + (int) ((high - low) * pair.from().chordTo(pair.to()) / SMOOTH_CHORD_MAX);
        }

        private double at(double piece) {
            return Math.min(high, low + piece * (high - low) / pieces());
        }

        double estimate() {
            var least = Ellipsoid.estimate(pair.corner(), pair.place(pair.part()));
            for (var piece = 0; pieces() > 1 && piece <= pieces(); piece++) {
                least = Math.min(least, Ellipsoid.estimate(pair.corner(), pair.place(at(piece))));
            }
            return least;
        }

        double shortest() {
            var least = Double.POSITIVE_INFINITY;
            for (var piece = 0; piece < pieces(); piece++) {
                least = Math.min(least, shortest(at(piece), at(piece + 1)));
            }
            return least;
        }

        private double shortest(double start, double end) {
            var low = start;
            var high = end;
            var left = high - GOLDEN * (high - low);
            var right = low + GOLDEN * (high - low);
            var atLeft = pair.metres(left);
            var atRight = pair.metres(right);
            var arc = pair.from().chordTo(pair.to());
            // Where the distance is least it hardly changes: half of its digits are enough for the place.
            for (var step = 0; step < REFINING_STEPS && (high - low) * arc > 1e-8 * pair.chord(); step++) {
                if (atLeft < atRight) {
                    high = right;
                    right = left;
                    atRight = atLeft;
                    left = high - GOLDEN * (high - low);
                    atLeft = pair.metres(left);
                } else {
                    low = left;
                    left = right;
                    atLeft = atRight;
                    right = low + GOLDEN * (high - low);
                    atRight = pair.metres(right);
                }
            }
            return Math.min(pair.metres(low), pair.metres(high));
        }
    }
}
