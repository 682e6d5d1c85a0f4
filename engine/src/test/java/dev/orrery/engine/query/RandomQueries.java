package dev.orrery.engine.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Makes small items whose properties are of any kind or missing, and queries that have something to find in them. */
final class RandomQueries {
    /** Index entries keep less of a string. */
    private static final String LONG = "long ".repeat(40);

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "1",
            "2",
            "-1.5",
            "2.5",
            "\"\"",
            "\"a\"",
            "\"ab\"",
            "\"b\"",
            "\"ä😀\"",
            '"' + LONG + "1\"",
            '"' + LONG + "2\"",
            '"' + LONG + '"',
            "[]",
            "[1]",
            "[2,1]",
            "{}",
            "{\"x\":1}",
            "{\"x\":\"a\"}");
    private static final List<String> NUMBERS = List.of("0", "1", "2", "-1.5", "2.5");
    private static final List<String> PATHS = List.of(
            "c.a", "c.b", "c.n", "c.id", "c.pk", "c.o.x", "c.o.a", "c[\"tags\"][0]", "c.missing", "c.low", "c.own");
    private static final List<String> COMPARISONS = List.of("=", "!=", "<", ">", "<=", ">=");

    private final RandomGenerator random;

    RandomQueries(RandomGenerator random) {
        this.random = random;
    }

    /** An item in one of a few logical partitions. */
    String item(int number) {
        var members = new ArrayList<String>();
        members.add("\"id\":\"i" + number + "\"");
        members.add("\"pk\":\"" + partition(number) + "\"");
        sometimes(() -> members.add("\"a\":" + pick(VALUES)));
        sometimes(() -> members.add("\"b\":" + pick(VALUES)));
        sometimes(() -> members.add("\"n\":" + pick(NUMBERS)));
        sometimes(() -> members.add("\"o\":{\"x\":" + pick(VALUES) + ",\"a\":" + pick(VALUES) + "}"));
        sometimes(() -> members.add("\"own\":" + pick(VALUES)));
        sometimes(() -> members.add("\"tags\":" + array()));
        sometimes(() -> members.add("\"objects\":" + objects()));
        return "{" + String.join(",", members) + "}";
    }

    static String partition(int number) {
        return "p" + number % 13;
    }

    private String objects() {
        return several(3, () -> "{\"k\":" + pick(NUMBERS) + ",\"l\":" + pick(NUMBERS) + "}").stream()
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String array() {
        return several(4, () -> pick(VALUES)).stream().collect(Collectors.joining(",", "[", "]"));
    }

    /** Composite indexes that some queries sort by. */
    static final String COMPOSITES = """
        [[{"path":"/a","order":"ascending"},{"path":"/b","order":"ascending"}],
         [{"path":"/b","order":"descending"},{"path":"/n","order":"ascending"},{"path":"/id","order":"ascending"}],
         [{"path":"/n","order":"descending"},{"path":"/o/x","order":"descending"}],
         [{"path":"/low","order":"ascending"},{"path":"/n","order":"descending"}],
         [{"path":"/pk","order":"ascending"},{"path":"/a","order":"descending"}]]\
        """;

    /** Computed properties, one of which takes the place of a stored one. */
    static final String COMPUTED = """
        [{"name":"low","query":"SELECT VALUE LOWER(c.a) FROM c"},
         {"name":"own","query":"SELECT VALUE c.own ?? c.n FROM c"}]\
        """;

    private static final List<List<String>> SORTED_TOGETHER = List.of(
            List.of("c.a", "c.b ASC"),
            List.of("c.a DESC", "c.b DESC"),
            List.of("c.b DESC", "c.n", "c.id"),
            List.of("c.b", "c.n DESC", "c.id DESC"),
            List.of("c.n DESC", "c.o.x DESC"),
            List.of("c.n", "c.o.x"),
            List.of("c.low", "c.n DESC"),
            List.of("c.low DESC", "c.n"),
            List.of("c.pk", "c.a DESC"),
            List.of("c.pk DESC", "c.a"));

    /** A query over a container with {@link #COMPOSITES} and {@link #COMPUTED}. */
    String query() {
        return switch (random.nextInt(12)) {
            case 10 -> "SELECT VALUE COUNT(1) FROM c WHERE " + predicate(2);
            case 0, 1 -> grouped();
            case 2 -> "SELECT " + (random.nextBoolean() ? "VALUE " : "") + aggregate() + from() + where();
            case 3 -> "SELECT " + aggregate() + " AS x, " + aggregate() + " AS y" + from() + where();
            case 4 -> "SELECT DISTINCT " + top() + projection("c") + from() + where();
            case 5 -> "SELECT DISTINCT VALUE " + pick(PATHS) + from() + where() + counts();
            case 6 -> "SELECT VALUE s FROM s IN c.tags" + counts();
            case 7 -> "SELECT " + top() + projection("c") + from() + where();
            case 8 -> "SELECT " + projection("c") + from() + where() + counts();
            default -> sorted();
        };
    }

    /** Whether no two rows are equal for ORDER BY: SDKs take ties in the order of ranges, whichever way they sort. */
    static boolean hasOneOrder(String query) {
        return !query.contains("ORDER BY")
                || (query.matches(".*c\\.id( ASC| DESC)?( OFFSET.*)?") && !query.contains("JOIN"));
    }

    private String sorted() {
        var keys = random.nextInt(3) == 0 ? pick(SORTED_TOGETHER) : List.of(pick(PATHS) + direction());
        boolean topped = random.nextBoolean();
        return "SELECT " + (topped ? top() : "") + projection("c") + from() + where() + " ORDER BY "
                + String.join(", ", keys) + (topped ? "" : counts());
    }

    private String grouped() {
        var key = pick(PATHS);
        return switch (random.nextInt(4)) {
            case 0 -> "SELECT " + key + " AS k" + from() + where() + " GROUP BY " + key;
            case 1 -> "SELECT VALUE " + aggregate() + from() + where() + " GROUP BY " + key;
            case 2 ->
                "SELECT " + key + " AS k, " + aggregate() + " AS x" + from() + where() + " GROUP BY " + key + counts();
            default -> {
                var second = pick(PATHS);
                yield "SELECT " + second + " AS k, " + aggregate() + " AS x, " + aggregate() + " AS y" + from()
                        + where() + " GROUP BY " + key + ", " + second;
            }
        };
    }

    private String aggregate() {
        return switch (random.nextInt(7)) {
            case 0 -> "COUNT(1)";
            case 1 -> "COUNT(" + pick(PATHS) + ")";
            case 2 -> "SUM(c.n)";
            case 3 -> "AVG(c.n)";
            case 4 -> "MIN(" + pick(PATHS) + ")";
            case 5 -> "MAX(" + pick(PATHS) + ")";
            default -> "COUNTIF(" + predicate(1) + ")";
        };
    }

    private String from() {
        return switch (random.nextInt(6)) {
            case 0 -> " FROM c JOIN t IN c.tags";
            case 1 -> " FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE IS_NUMBER(t)) AS t";
            default -> " FROM c";
        };
    }

    private String where() {
        return random.nextInt(3) == 0 ? "" : " WHERE " + predicate(2);
    }

    private String predicate(int depth) {
        if (depth == 0) {
            return comparison();
        }
        return switch (random.nextInt(10)) {
            case 0 -> "(" + predicate(depth - 1) + " AND " + predicate(depth - 1) + ")";
            case 1 -> "(" + predicate(depth - 1) + " OR " + predicate(depth - 1) + ")";
            case 2 -> "NOT " + predicate(depth - 1);
            case 3 ->
                random.nextBoolean()
                        ? "c.pk = \"" + partition(random.nextInt(20)) + "\""
                        : "c.pk IN (\"" + partition(random.nextInt(20)) + "\", \"" + partition(random.nextInt(20))
                                + "\")";
            case 4 -> "EXISTS(SELECT VALUE e FROM e IN c.tags WHERE e = " + pick(VALUES) + ")";
            case 5 -> type();
            case 6 -> array(1 + random.nextInt(4));
            default -> comparison();
        };
    }

    private String type() {
        return pick(List.of("IS_DEFINED", "IS_NULL", "IS_NUMBER", "IS_STRING", "IS_BOOL", "IS_PRIMITIVE", "IS_ARRAY"))
                + "(" + pick(PATHS) + ")" + pick(List.of("", "", " = true", " = false"));
    }

    private String array(int kind) {
        return switch (kind) {
            case 1 -> "ARRAY_CONTAINS(c.tags, " + pick(VALUES) + pick(List.of("", ", true")) + ")";
            case 2 -> "ARRAY_CONTAINS_ANY(c.tags, " + pick(VALUES) + ", " + pick(VALUES) + ")";
            case 3 ->
                "EXISTS(SELECT VALUE e FROM e IN c.objects WHERE e.k = " + pick(NUMBERS) + " AND e.l = " + pick(NUMBERS)
                        + ")";
            default -> "ARRAY_CONTAINS(c.objects, {\"k\": " + pick(NUMBERS) + "}, true)";
        };
    }

    private String comparison() {
        return switch (random.nextInt(10)) {
            case 2 -> pick(PATHS) + " BETWEEN " + pick(VALUES) + " AND " + pick(VALUES);
            case 3 -> pick(PATHS) + " IN (" + pick(VALUES) + ", " + pick(VALUES) + ", " + pick(VALUES) + ")";
            case 4 -> "STARTSWITH(" + pick(PATHS) + ", " + pick(List.of("\"\"", "\"a\"", '"' + LONG + '"')) + ")";
            case 5 -> pick(PATHS) + " LIKE " + pick(List.of("'a%'", "'a'", "'%b'", "'a_'", "'" + LONG + "%'"));
            case 0 -> "c.pk = \"" + partition(random.nextInt(20)) + "\"";
            case 1 -> "c.id = \"i" + random.nextInt(20) + "\"";
            default ->
                pick(PATHS) + " " + pick(COMPARISONS) + " " + (random.nextBoolean() ? pick(VALUES) : pick(PATHS));
        };
    }

    private String projection(String item) {
        return switch (random.nextInt(5)) {
            case 0 -> "*";
            case 1 -> "VALUE " + pick(PATHS);
            case 2 -> "VALUE {\"k\": " + pick(PATHS) + ", \"l\": [" + pick(PATHS) + ", 1]}";
            case 3 -> pick(PATHS) + " AS p, " + pick(PATHS) + " ?? " + pick(VALUES) + " AS q";
            default -> item + ".id, ARRAY(SELECT VALUE e FROM e IN " + item + ".tags WHERE e != 1) AS some";
        };
    }

    private String top() {
        return random.nextInt(3) == 0 ? "TOP " + random.nextInt(12) + " " : "";
    }

    private String counts() {
        return random.nextInt(3) == 0 ? " OFFSET " + random.nextInt(5) + " LIMIT " + random.nextInt(12) : "";
    }

    private String direction() {
        return pick(List.of("", " ASC", " DESC"));
    }

    private <T> List<T> several(int most, Supplier<T> part) {
        var parts = new ArrayList<T>();
        for (var count = random.nextInt(most + 1); count > 0; count--) {
            parts.add(part.get());
        }
        return parts;
    }

    private void sometimes(Runnable action) {
        if (random.nextInt(4) != 0) {
            action.run();
        }
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
