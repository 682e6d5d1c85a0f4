package dev.orrery.engine.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random items with shapes, texts and vectors, and queries that search for them. */
final class RandomSearches {
    static final int DIMENSIONS = 3;

    private static final List<String> WORDS =
            List.of("red", "bicycle", "bicycles", "lamp", "the", "fast", "run", "running", "old", "sea");

    private final RandomGenerator random;
    private final boolean flat;

    /** @param flat whether shapes are on a plane */
    RandomSearches(RandomGenerator random, boolean flat) {
        this.random = random;
        this.flat = flat;
    }

    // ---- items ----

    String item(int number) {
        var members = new ArrayList<String>();
        members.add("\"id\":\"i" + number + "\",\"pk\":\"" + partition(number) + "\",\"n\":" + random.nextInt(5));
        maybe(members, "place", this::shape);
        maybe(members, "text", () -> "\"" + text(1 + random.nextInt(8)) + "\"");
        maybe(members, "vector", this::vector);
        maybe(members, "more", () -> "{\"place\":" + shape() + ",\"text\":\"" + text(3) + "\"}");
        maybe(members, "places", () -> "[" + shape() + "," + shape() + "]");
        return "{" + String.join(",", members) + "}";
    }

    static String partition(int number) {
        return "p" + number % 7;
    }

    private void maybe(List<String> members, String name, Supplier<String> value) {
        switch (random.nextInt(12)) {
            case 0 -> {}
            case 1 ->
                members.add("\"" + name + "\":"
                        + List.of("1", "null", "[]", "{\"type\":\"Point\"}", "\"x\"")
                                .get(random.nextInt(5)));
            default -> members.add("\"" + name + "\":" + value.get());
        }
    }

    private String text(int words) {
        return IntStream.range(0, words)
                .mapToObj(_ -> WORDS.get(random.nextInt(WORDS.size())))
                .collect(Collectors.joining(" "));
    }

    private String vector() {
        int length = random.nextInt(10) == 0 ? DIMENSIONS + 1 : DIMENSIONS;
        boolean whole = random.nextBoolean();
        return IntStream.range(0, length)
                .mapToObj(_ -> whole ? "" + random.nextInt(-2, 3) : "" + random.nextDouble(-1, 1))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String shape() {
        double x = coordinate();
        double y = coordinate() / 2;
        return switch (random.nextInt(4)) {
            case 0, 1 -> "{\"type\":\"Point\",\"coordinates\":" + point(x, y) + "}";
            case 2 -> "{\"type\":\"LineString\",\"coordinates\":[" + point(x, y) + "," + point(x + 2, y + 1) + "]}";
            default -> {
                double size = random.nextDouble(0.1, 8);
                yield "{\"type\":\"Polygon\",\"coordinates\":[[" + point(x, y) + "," + point(x + size, y) + ","
                        + point(x + size, y + size) + "," + point(x, y + size) + "," + point(x, y) + "]]}";
            }
        };
    }

    /** Few places, so that shapes often meet. */
    private double coordinate() {
        return random.nextInt(3) == 0 ? random.nextDouble(-100, 100) : random.nextDouble(-10, 10);
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "[%.4f, %.4f]", x, y);
    }

    // ---- queries ----

    String query() {
        return switch (random.nextInt(4)) {
            case 0 -> "SELECT * FROM c WHERE " + filter();
            case 1 -> "SELECT VALUE c.id FROM c JOIN p IN c.places WHERE " + nearness("p");
            case 2 -> nearest();
            default -> "SELECT c.id, c.n FROM c WHERE " + filter() + (random.nextBoolean() ? " ORDER BY c.n" : "");
        };
    }

    private String nearest() {
        var select = switch (random.nextInt(3)) {
            case 0 -> "c.id";
            case 1 -> "VALUE c.text";
            default -> "*";
        };
        var order = " ORDER BY VectorDistance(c.vector, " + vector() + option() + ")";
        var where = random.nextBoolean() ? "" : " WHERE " + filter();
        return random.nextBoolean()
                ? "SELECT TOP " + random.nextInt(12) + " " + select + " FROM c" + where + order
                : "SELECT " + select + " FROM c" + where + order + " OFFSET " + random.nextInt(5) + " LIMIT "
                        + random.nextInt(12);
    }

    private String option() {
        return switch (random.nextInt(5)) {
            case 0 -> ", true";
            case 1 -> ", false, {distanceFunction: 'euclidean'}";
            case 2 -> ", false, {distanceFunction: 'dotproduct'}";
            default -> "";
        };
    }

    private String filter() {
        return switch (random.nextInt(6)) {
            case 0 -> condition() + " AND " + condition();
            case 1 -> condition() + " OR " + condition();
            case 2 -> "NOT (" + condition() + ")";
            default -> condition();
        };
    }

    private String condition() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> nearness(random.nextInt(3) == 0 ? "c.more.place" : "c.place");
            case 2, 3 -> words(random.nextInt(4) == 0 ? "c.more.text" : "c.text");
            default -> "c.n " + (random.nextBoolean() ? "=" : "<") + " " + random.nextInt(5);
        };
    }

    private String nearness(String path) {
        boolean turned = random.nextBoolean();
        var arguments = "(" + (turned ? shape() : path) + ", " + (turned ? path : shape()) + ")";
        double distance = flat ? random.nextDouble(20) : random.nextDouble(3_000_000);
        return switch (random.nextInt(7)) {
            case 0 -> "ST_WITHIN" + arguments;
            case 1 -> "ST_INTERSECTS" + arguments;
            case 2 -> "ST_INTERSECTS" + arguments + " = true";
            case 3 -> "ST_DISTANCE" + arguments + " < " + distance;
            case 4 -> distance + " >= ST_DISTANCE" + arguments;
            case 5 -> "ST_DISTANCE" + arguments + " BETWEEN 1 AND " + distance;
            default -> "ST_DISTANCE" + arguments + " = 0";
        };
    }

    private String words(String path) {
        var terms =
                IntStream.range(0, 1 + random.nextInt(2)).mapToObj(_ -> term()).collect(Collectors.joining(", "));
        return switch (random.nextInt(3)) {
            case 0 -> "FullTextContains(" + path + ", " + term() + ")";
            case 1 -> "FullTextContainsAll(" + path + ", " + terms + ")";
            default -> "FullTextContainsAny(" + path + ", " + terms + ")";
        };
    }

    private String term() {
        return switch (random.nextInt(6)) {
            case 0 -> "{term: '" + text(1) + "', distance: 1}";
            case 1 -> "'" + text(2) + "'";
            default -> "'" + text(1) + "'";
        };
    }

    /** A ranking by how well texts fit. */
    String ranking() {
        var score = "FullTextScore(c.text, " + term() + ", " + term() + ")";
        return "SELECT TOP " + (1 + random.nextInt(20)) + " VALUE c.id FROM c"
                + (random.nextBoolean() ? "" : " WHERE " + condition()) + " ORDER BY RANK "
                + (random.nextBoolean() ? score : "RRF(" + score + ", VectorDistance(c.vector, " + vector() + "))");
    }
}
