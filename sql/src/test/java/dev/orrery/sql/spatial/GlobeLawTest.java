package dev.orrery.sql.spatial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.json.JsonReader;
import dev.orrery.sql.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Coordinate;

/** What must hold for shapes anywhere on the globe, also at the poles and where the days meet. */
class GlobeLawTest {
    /** What lies around a pole is a hemisphere less the rest of it, and so only as exact as that; in square metres. */
    private static final double ROUNDING = 4 * Math.ulp(Ellipsoid.AREA);

    private final RandomGenerator random = Seed.random();

    /** Corners around a centre, counter-clockwise; the angles are degrees. */
    private List<Coordinate> around(Coordinate centre, double radius, int corners) {
        var plane = new TangentPlane(Direction.of(centre));
        var ring = new ArrayList<Coordinate>();
        for (var corner = 0; corner < corners; corner++) {
            var angle = 2 * Math.PI * corner / corners;
            var size = Math.tan(Math.toRadians(radius));
            var place = plane.directionOf(new Coordinate(size * Math.cos(angle), size * Math.sin(angle)));
            ring.add(new Coordinate(place.longitudeDegrees(), place.latitudeDegrees()));
        }
        ring.add(ring.getFirst());
        return ring;
    }

    private Coordinate anywhere() {
        return switch (random.nextInt(6)) {
            case 0 -> new Coordinate(random.nextDouble(-180, 180), random.nextBoolean() ? 90 : -90);
            case 1 -> new Coordinate(random.nextBoolean() ? 180 : -180, random.nextDouble(-90, 90));
            default ->
                new Coordinate(random.nextDouble(-180, 180), Math.toDegrees(Math.asin(random.nextDouble(-1, 1))));
        };
    }

    private static Shape polygon(List<Coordinate> ring) {
        return read("{\"type\":\"Polygon\",\"coordinates\":[" + text(ring) + "]}");
    }

    private static Shape point(Coordinate position) {
        return read("{\"type\":\"Point\",\"coordinates\":[" + position.x + "," + position.y + "]}");
    }

    private static String text(List<Coordinate> line) {
        return line.stream()
                .map(place -> "[" + place.x + "," + place.y + "]")
                .toList()
                .toString();
    }

    private static Shape read(String json) {
        try {
            return ShapeReader.read(JsonReader.parse(json), GeospatialConfig.Type.GEOGRAPHY);
        } catch (InvalidShapeException flaw) {
            throw new AssertionError(flaw.getMessage() + " " + json, flaw);
        }
    }

    @Test
    void aRingAndItsReverseDivideTheGlobe() {
        for (var round = 0; round < 200; round++) {
            var centre = anywhere();
            var ring = around(centre, random.nextDouble(0.001, 85), random.nextInt(3, 40));
            var inner = polygon(ring);
            var outer = polygon(ring.reversed());
            assertThat(inner.area() + outer.area()).isEqualTo(Ellipsoid.AREA, within(1e-9 * Ellipsoid.AREA));
            assertThat(inner.area()).isLessThan(outer.area());
            assertThat(point(centre).within(inner)).isTrue();
            assertThat(point(centre).within(outer)).isFalse();
            assertThat(point(centre).intersects(outer)).isFalse();
            assertThat(point(centre).distance(inner)).hasValue(0);
            assertThat(point(centre).distance(outer).orElseThrow()).isPositive();
            var far = anywhere();
            assertThat(point(far).within(inner)).isNotEqualTo(point(far).within(outer));
        }
    }

    @Test
    void theSlicesOfAPolygonHaveItsAreaTogetherAndLieWithinIt() {
        for (var round = 0; round < 100; round++) {
            var centre = anywhere();
            var ring = around(centre, random.nextDouble(0.001, 60), random.nextInt(3, 20));
            var whole = polygon(ring);
            var sum = 0.0;
            for (var index = 1; index < ring.size(); index++) {
                var slice = polygon(List.of(centre, ring.get(index - 1), ring.get(index), centre));
                assertThat(slice.within(whole)).isTrue();
                assertThat(slice.intersects(whole)).isTrue();
                assertThat(whole.within(slice)).isFalse();
                sum += slice.area();
            }
            assertThat(sum).isEqualTo(whole.area(), within(1e-9 * whole.area() + ROUNDING));
        }
    }

    @Test
    void aSmallerPolygonAroundTheSameCentreLiesWithinALargerOne() {
        for (var round = 0; round < 200; round++) {
            var centre = anywhere();
            var radius = random.nextDouble(0.001, 80);
            var large = polygon(around(centre, radius, 12));
            var small = polygon(around(centre, radius * random.nextDouble(0.1, 0.9), 7));
            var outside = polygon(around(centre, radius, 12).reversed());
            assertThat(small.within(large)).isTrue();
            assertThat(large.within(small)).isFalse();
            assertThat(large.intersects(small)).isTrue();
            assertThat(small.intersects(outside)).isFalse();
            assertThat(small.within(outside)).isFalse();
            assertThat(small.distance(large)).hasValue(0);
            assertThat(small.distance(outside).orElseThrow())
                    .isPositive()
                    .isEqualTo(outside.distance(small).orElseThrow());
        }
    }

    @Test
    void noCornerIsNearerThanTheDistanceOfTwoPolygonsSays() {
        for (var round = 0; round < 100; round++) {
            var one = around(anywhere(), random.nextDouble(0.01, 20), random.nextInt(3, 9));
            var other = around(anywhere(), random.nextDouble(0.01, 20), random.nextInt(3, 9));
            var distance = polygon(one).distance(polygon(other)).orElseThrow();
            assertThat(polygon(other).distance(polygon(one)).orElseThrow()).isEqualTo(distance, within(1e-6));
            assertThat(distance == 0).isEqualTo(polygon(one).intersects(polygon(other)));
            for (var corner : one) {
                for (var that : other) {
                    assertThat(point(corner).distance(point(that)).orElseThrow())
                            .isGreaterThan(distance - 1e-6);
                }
            }
        }
    }

    @Test
    void theDistanceToALineIsThatToTheNearestOfManyPlacesOnIt() {
        for (var round = 0; round < 100; round++) {
            var from = anywhere();
            var to = around(from, random.nextDouble(0.01, 80), 5).get(random.nextInt(5));
            var place = anywhere();
            var line = read("{\"type\":\"LineString\",\"coordinates\":" + text(List.of(from, to)) + "}");
            var distance = point(place).distance(line).orElseThrow();
            var nearest = Double.POSITIVE_INFINITY;
            for (var step = 0; step <= 2_000; step++) {
                var between = Direction.of(from).partTo(Direction.of(to), step / 2_000.0);
                nearest = Math.min(nearest, Ellipsoid.distance(Direction.of(place), between));
            }
            assertThat(distance).isLessThanOrEqualTo(nearest + 1e-6);
            assertThat(distance).isGreaterThan(nearest - 5_000);
        }
    }

    @Test
    void polygonsThatTogetherNeedMoreThanHalfOfTheGlobeCanBeCompared() {
        for (var round = 0; round < 200; round++) {
            var one = anywhere();
            var other = anywhere();
            var first = polygon(around(one, random.nextDouble(70, 88), 8));
            var second = polygon(around(other, random.nextDouble(70, 88), 9));
            assertThat(first.intersects(second)).isEqualTo(second.intersects(first));
            if (point(one).within(second) || point(other).within(first)) {
                assertThat(first.intersects(second)).isTrue();
            }
            assertThat(first.within(second) && second.within(first)).isFalse();
        }
    }

    @Test
    void whatIsNotOnThePlaneOfALargePolygonAtAllIsApartFromIt() {
        var large = polygon(around(new Coordinate(0, 0), 85, 12));
        var line = read("{\"type\":\"LineString\",\"coordinates\":[[94.9,10],[94.9,-10]]}");
        assertThat(large.intersects(line)).isFalse();
        assertThat(line.within(large)).isFalse();
        assertThat(line.distance(large).orElseThrow()).isPositive();
    }

    @Test
    void theLargestPolygonsAreComparedInBoundedTime() {
        var corners = Limits.POLYGON_POINTS_MAX - 1;
        var first = polygon(around(new Coordinate(0, 0), 10, corners));
        var second = polygon(around(new Coordinate(30, 0), 10, corners));
        assertThat(first.intersects(second)).isFalse();
        assertThat(first.distance(second).orElseThrow()).isEqualTo(1_113_195, within(2_000.0));
    }
}
