package dev.orrery.sql.spatial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.GeospatialConfig;
import dev.orrery.model.definition.SpatialIndex.BoundingBox;
import dev.orrery.model.json.JsonReader;
import dev.orrery.sql.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Coordinate;

/** Whoever looks shapes up by their cells finds all that the functions find, and not too many others. */
class SpatialCellsLawTest {
    private static final BoundingBox BOX = new BoundingBox(-100, 20, 100, 60);

    private final RandomGenerator random = Seed.random();

    /** A surface on which a test puts shapes; sizes are degrees on the globe. */
    private interface Ground {
        Coordinate anywhere();

        Coordinate near(Coordinate centre, double angle, double size);

        double sizeMax();

        GeospatialConfig.Type surface();

        SpatialCells cells();
    }

    private final class Globe implements Ground {
        @Override
        public Coordinate anywhere() {
            return switch (random.nextInt(8)) {
                case 0 -> new Coordinate(random.nextDouble(-180, 180), random.nextBoolean() ? 90 : -90);
                case 1 -> new Coordinate(random.nextBoolean() ? 180 : -180, random.nextDouble(-90, 90));
                // Corners of the faces and of large cells.
                case 2 -> new Coordinate(45 * random.nextInt(-4, 5), 45 * random.nextInt(-2, 3));
                default ->
                    new Coordinate(random.nextDouble(-180, 180), Math.toDegrees(Math.asin(random.nextDouble(-1, 1))));
            };
        }

        @Override
        public Coordinate near(Coordinate centre, double angle, double size) {
            var plane = new TangentPlane(Direction.of(centre));
            var distance = Math.tan(Math.toRadians(Math.min(size, sizeMax())));
            var place = plane.directionOf(new Coordinate(distance * Math.cos(angle), distance * Math.sin(angle)));
            return new Coordinate(place.longitudeDegrees(), place.latitudeDegrees());
        }

        @Override
        public double sizeMax() {
            return 85;
        }

        @Override
        public GeospatialConfig.Type surface() {
            return GeospatialConfig.Type.GEOGRAPHY;
        }

        @Override
        public SpatialCells cells() {
            return SpatialCells.of(surface(), Optional.empty());
        }
    }

    private final class Plane implements Ground {
        @Override
        public Coordinate anywhere() {
            return switch (random.nextInt(4)) {
                case 0 -> new Coordinate(random.nextGaussian() * 1e4, random.nextGaussian() * 1e4);
                case 1 -> new Coordinate(25 * random.nextInt(-6, 7), 10 * random.nextInt(0, 8));
                default -> new Coordinate(random.nextDouble(-100, 100), random.nextDouble(20, 60));
            };
        }

        @Override
        public Coordinate near(Coordinate centre, double angle, double size) {
            return new Coordinate(centre.x + size * Math.cos(angle), centre.y + size * Math.sin(angle));
        }

        @Override
        public double sizeMax() {
            return 1e4;
        }

        @Override
        public GeospatialConfig.Type surface() {
            return GeospatialConfig.Type.GEOMETRY;
        }

        @Override
        public SpatialCells cells() {
            return SpatialCells.of(surface(), Optional.of(BOX));
        }
    }

    private double size(Ground ground) {
        return ground.sizeMax() * Math.pow(10, -random.nextDouble(0, 9));
    }

    private double angle() {
        return random.nextDouble(0, 2 * Math.PI);
    }

    private Coordinate within(Ground ground, Coordinate centre, double size) {
        return ground.near(centre, angle(), size * random.nextDouble());
    }

    /** A star around a centre, counter-clockwise. */
    private List<Coordinate> ring(Ground ground, Coordinate centre, double size) {
        var corners = random.nextInt(3, 12);
        var turn = angle();
        var ring = new ArrayList<Coordinate>();
        for (var corner = 0; corner < corners; corner++) {
            ring.add(ground.near(centre, turn + 2 * Math.PI * corner / corners, size * random.nextDouble(0.6, 1)));
        }
        ring.add(ring.getFirst());
        return ring;
    }

    private static String text(List<Coordinate> line) {
        return line.stream()
                .map(place -> "[" + place.x + "," + place.y + "]")
                .toList()
                .toString();
    }

    private static String json(String type, Object coordinates) {
        return "{\"type\":\"" + type + "\",\"coordinates\":" + coordinates + "}";
    }

    private static String point(Coordinate place) {
        return json("Point", "[" + place.x + "," + place.y + "]");
    }

    private String shape(Ground ground, Coordinate centre, double size) {
        return switch (random.nextInt(7)) {
            case 0 -> point(within(ground, centre, size));
            case 1 ->
                json(
                        "LineString",
                        text(IntStream.range(0, random.nextInt(2, 7))
                                .mapToObj(_ -> within(ground, centre, size))
                                .toList()));
            case 2 ->
                json(
                        "Polygon",
                        List.of(
                                text(ring(ground, centre, size)),
                                text(ring(ground, centre, size / 5).reversed())));
            case 3 -> json("Polygon", List.of(text(ring(ground, centre, size).reversed())));
            case 4 ->
                json(
                        "MultiPolygon",
                        IntStream.range(0, random.nextInt(1, 4))
                                .mapToObj(_ -> List.of(
                                        text(ring(ground, within(ground, centre, size), size / random.nextInt(2, 50)))))
                                .toList());
            default -> json("Polygon", List.of(text(ring(ground, centre, size))));
        };
    }

    private record Pair(String stored, String asked) {}

    /** Two shapes that are often near each other. */
    private Pair pair(Ground ground) {
        var centre = ground.anywhere();
        var size = size(ground);
        var other = random.nextInt(5) == 0 ? ground.anywhere() : within(ground, centre, 3 * size);
        var otherSize = Math.min(ground.sizeMax(), size * Math.pow(10, random.nextDouble(-3, 3)));
        return new Pair(shape(ground, other, otherSize), shape(ground, centre, size));
    }

    private static Optional<Shape> read(Ground ground, String json) {
        try {
            return Optional.of(ShapeReader.read(JsonReader.parse(json), ground.surface()));
        } catch (InvalidShapeException _) {
            return Optional.empty();
        }
    }

    private static boolean finds(List<CellSpan> spans, List<Cell> cells) {
        return spans.stream().anyMatch(span -> cells.stream().anyMatch(span::contains));
    }

    private void everythingIsFound(Ground ground, int rounds) {
        var cells = ground.cells();
        var meetings = 0;
        for (var round = 0; round < rounds; round++) {
            var pair = pair(ground);
            var stored = read(ground, pair.stored());
            var asked = read(ground, pair.asked());
            var cover = cells.cover(JsonReader.parse(pair.stored()));
            assertThat(cover).hasSizeLessThanOrEqualTo(Limits.SHAPE_CELLS_MAX);
            assertThat(cover.isEmpty()).as(pair.stored()).isEqualTo(stored.isEmpty());
            if (stored.isEmpty() || asked.isEmpty()) {
                continue;
            }
            var spans = cells.search(JsonReader.parse(pair.asked()));
            assertThat(spans).hasSizeBetween(1, Limits.SHAPE_SEARCH_SPANS_MAX);
            var meet = stored.get().intersects(asked.get())
                    || stored.get().within(asked.get())
                    || asked.get().within(stored.get());
            if (meet) {
                meetings++;
                assertThat(finds(spans, cover)).as("%s", pair).isTrue();
            }
            var distance = stored.get().distance(asked.get()).orElseThrow();
            var wider = cells.search(JsonReader.parse(pair.asked()), distance);
            assertThat(wider).hasSizeBetween(1, Limits.SHAPE_SEARCH_SPANS_MAX);
            assertThat(finds(wider, cover)).as("%s within %s", pair, distance).isTrue();
        }
        assertThat(meetings).isGreaterThan(rounds / 10);
    }

    @Test
    void shapesOnTheGlobeThatMeetOrAreNearEnoughAreFound() {
        everythingIsFound(new Globe(), 3_000);
    }

    @Test
    void shapesOnAPlaneThatMeetOrAreNearEnoughAreFound() {
        everythingIsFound(new Plane(), 10_000);
    }

    /** Two shapes that have no more than a corner or an edge in common. */
    private Pair touching(Ground ground) {
        var corner = ground.anywhere();
        var size = size(ground) / 2;
        var turn = angle();
        var arm = ground.near(corner, turn, size);
        var polygon = json("Polygon", List.of(text(List.of(corner, arm, ground.near(corner, turn + 1, size), corner))));
        var stored = random.nextBoolean()
                ? point(random.nextBoolean() ? corner : arm)
                : json("Polygon", List.of(text(List.of(corner, ground.near(corner, turn - 1, size), arm, corner))));
        return random.nextBoolean() ? new Pair(stored, polygon) : new Pair(polygon, stored);
    }

    private void whatTouchesIsFound(Ground ground) {
        for (var round = 0; round < 2_000; round++) {
            var pair = touching(ground);
            var stored = read(ground, pair.stored());
            var asked = read(ground, pair.asked());
            if (stored.isPresent() && asked.isPresent() && stored.get().intersects(asked.get())) {
                var cover = ground.cells().cover(JsonReader.parse(pair.stored()));
                var spans = ground.cells().search(JsonReader.parse(pair.asked()));
                assertThat(finds(spans, cover)).as("%s", pair).isTrue();
            }
        }
    }

    @Test
    void shapesThatOnlyTouchAreFound() {
        whatTouchesIsFound(new Globe());
        whatTouchesIsFound(new Plane());
    }

    /** How many of the points around a place are found for each one that is near enough. */
    private double waste(Ground ground, double metresOfASize) {
        var cells = ground.cells();
        var near = 0;
        var found = 0;
        for (var round = 0; round < 50; round++) {
            var centre = within(ground, new Coordinate(40, 40), 10);
            var size = Math.pow(10, -random.nextDouble(0, 4));
            var asked = read(ground, point(centre)).orElseThrow();
            var spans = cells.search(JsonReader.parse(point(centre)), size * metresOfASize);
            for (var place = 0; place < 100; place++) {
                var stored = point(ground.near(centre, angle(), 4 * size * Math.sqrt(random.nextDouble())));
                var distance =
                        asked.distance(read(ground, stored).orElseThrow()).orElseThrow();
                near += distance <= size * metresOfASize ? 1 : 0;
                found += finds(spans, cells.cover(JsonReader.parse(stored))) ? 1 : 0;
            }
        }
        return (double) found / near;
    }

    @Test
    void fewPointsOutsideACircleAreFound() {
        assertThat(waste(new Globe(), 111_000)).isLessThan(4);
        assertThat(waste(new Plane(), 1)).isLessThan(4);
    }

    @Test
    void aSmallShapeIsInSmallCells() {
        var cells = new Globe().cells();
        var house = json("Polygon", "[[[11.0001,48],[11.0002,48],[11.0002,48.0001],[11.0001,48.0001],[11.0001,48]]]");
        assertThat(cells.cover(JsonReader.parse(house))).allMatch(cell -> cell.level() >= 19);
    }

    @Test
    void whatIsNoShapeIsInNoCellAndNothingIsNearIt() {
        var cells = new Globe().cells();
        for (var json : List.of("1", "{}", json("Point", "[0, 91]"), json("Polygon", "[]"))) {
            assertThat(cells.cover(JsonReader.parse(json))).isEmpty();
            assertThat(cells.search(JsonReader.parse(json))).isEmpty();
            assertThat(cells.search(JsonReader.parse(json), 1e9)).isEmpty();
        }
        assertThat(cells.search(JsonReader.parse(point(new Coordinate(1, 2))), -1))
                .isEmpty();
        assertThat(cells.cover(JsonReader.parse(json("MultiPolygon", "[]")))).isEmpty();
    }

    @Test
    void aLargeDistanceReachesEverything() {
        var spans = new Globe().cells().search(JsonReader.parse(point(new Coordinate(1, 2))), 2e7);
        assertThat(spans).hasSize(1);
        assertThat(IntStream.range(0, 6).mapToObj(Cell::ofRoot))
                .allMatch(cell -> spans.getFirst().contains(cell));
    }

    @Test
    void theNumbersOfCellsWithinACellAreInItsSpan() {
        for (var round = 0; round < 1_000; round++) {
            var place = new Direction(random.nextGaussian(), random.nextGaussian(), random.nextGaussian());
            var cell = new GlobeTiling().cellOf(new Place(place.x(), place.y(), place.z()));
            assertThat(cell.span()).isEqualTo(new CellSpan(cell.number(), cell.number()));
            for (; cell.level() > 0; cell = cell.parent()) {
                var inner = cell;
                var parent = cell.parent();
                assertThat(cell.number()).isPositive();
                assertThat(parent.span().contains(cell)).isTrue();
                assertThat(parent.quarters()).contains(cell);
                assertThat(parent.quarters().stream()
                                .filter(quarter -> quarter.span().contains(inner)))
                        .containsExactly(cell);
                assertThat(cell.span().contains(parent)).isFalse();
            }
        }
    }
}
