package dev.orrery.sql.function;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the manual of all functions from the tables that the query language works with. */
final class FunctionManual {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final JsonValue ITEM = JsonReader.parse("{\"id\":\"1\",\"_rid\":\"AQIDBIAAAAENAAAAAAAAAA==\"}");

    private static final String INTRODUCTION = """
        # Functions of the query language

        *This page is made from the table of functions in the sources. To change it, change the rows there and run the tests of the
        module `sql` with `-Dgolden.update=true`.*

        Names can be written in any case. Arguments in brackets may be left out, and those with dots may be repeated. Unless a row says
        otherwise, the result is undefined if an argument is undefined or of the wrong kind, and a property that is undefined is left out
        of the result of a query. Positions in text and arrays count from 0, and characters are Unicode code points. The examples
        can be tried with `SELECT VALUE`; the tests do that with all of them. In examples `c` is an item, and the current time is
        2026-01-02T03:04:05.678Z.

        An argument called integer must be a whole number of 64 bits. Numbers are doubles; a whole number beyond 2<sup>53</sup> that no
        double is keeps its digits as long as only functions with integer arguments calculate with it, and is compared as the double
        next to it.
        """;

    /** The functions that have no value of their own: golden/order_by_rank.query shows and tests them. */
    private static final String RANKING = """

        ## Ranking

        `ORDER BY RANK score` gives the best rows first. It needs `TOP`, or `OFFSET` and `LIMIT`, and reads the items of a container
        without `JOIN`, `DISTINCT`, `GROUP BY` and aggregates. These functions can be used nowhere else:

        - `FULLTEXTSCORE(path, term...)`: how well terms fit a text (BM25); terms as for FULLTEXTCONTAINS. All items of the container
          count when it is found out how rare a term is.
        - `RRF(score, score...[, weights])`: what the ranks by several scores, FULLTEXTSCORE or VECTORDISTANCE, add up to (reciprocal
          rank fusion). Weights are an array with a number for each score; one below 0 turns its score round.

        ```sql
        SELECT TOP 10 * FROM c ORDER BY RANK RRF(FullTextScore(c.text, "bicycle"), VectorDistance(c.vector, [1, 2, 3]), [2, 1])
        ```
        """;

    private static final String AGGREGATES = "Aggregates";
    private static final String SUBQUERIES = "Subqueries and operators";

    /** What is not called like a function but answers like one. */
    private static final List<Entry> OPERATORS = List.of(
            entry(
                    "`ALL(query)`",
                    "Whether all rows of a subquery are true.",
                    "ALL(SELECT VALUE n > 1 FROM n IN (SELECT VALUE [1, 2]))"),
            entry(
                    "`ARRAY(query)`",
                    "The rows of a subquery as an array.",
                    "ARRAY(SELECT VALUE n * n FROM n IN (SELECT VALUE [1, 2, 3]))"),
            entry(
                    "`EXISTS(query)`",
                    "Whether a subquery has a row.",
                    "EXISTS(SELECT VALUE n FROM n IN (SELECT VALUE [1, 2, 3]) WHERE n > 2)"),
            entry(
                    "`FIRST(query)`",
                    "The first row of a subquery.",
                    "FIRST(SELECT VALUE n FROM n IN (SELECT VALUE [3, 1, 2]))"),
            entry(
                    "`LAST(query)`",
                    "The last row of a subquery.",
                    "LAST(SELECT VALUE n FROM n IN (SELECT VALUE [3, 1, 2]))"),
            entry(
                    "`(query)`",
                    "The only row of a subquery.",
                    "(SELECT VALUE COUNT(1) FROM n IN (SELECT VALUE [3, 1, 2]))"),
            entry(
                    "`value [NOT] BETWEEN low AND high`",
                    "Whether a value lies between two others or is one.",
                    "5 BETWEEN 1 AND 5"),
            entry("`value [NOT] IN (choice, ...)`", "Whether a value is one of several.", "'b' IN ('a', 'b')"),
            entry(
                    "`text [NOT] LIKE pattern [ESCAPE character]`",
                    "Whether a whole text matches a pattern, in which `%` stands for any characters, `_` for one,"
                            + " `[a-f]` for one of a set and `[^a-f]` for one that is not in it.",
                    "'100%' LIKE '1_0!%' ESCAPE '!'"),
            entry("`condition ? then : otherwise`", "One of two values, as IIF.", "1 < 2 ? 'yes' : 'no'"),
            entry("`value ?? otherwise`", "A value, or another one if it is undefined.", "c.missing ?? 'none'"),
            entry("`text || text`", "Two texts one after another.", "'a' || 'b'"),
            entry("`<< >> >>> & | ^ ~`", "The operators on the bits of 32-bit integers.", "-1 >>> 28"));

    /** One row of a section. */
    private record Entry(String call, String description, String example, String result) {
        String line() {
            return "| " + cell(call) + " | " + cell(description) + " | `" + cell(example) + "` | `" + cell(result)
                    + "` |";
        }

        private static String cell(String text) {
            return text.replace("|", "\\|");
        }
    }

    private FunctionManual() {}

    static String text() {
        var out = new StringBuilder(INTRODUCTION).append('\n');
        sections()
                .forEach((title, entries) -> out.append("- [")
                        .append(title)
                        .append("](#")
                        .append(title.toLowerCase(Locale.ROOT).replace(' ', '-'))
                        .append("): ")
                        .append(names(entries))
                        .append('\n'));
        sections().forEach((title, entries) -> {
            out.append("\n## ").append(title).append("\n\n| call | gives | example | result |\n|---|---|---|---|\n");
            entries.forEach(entry -> out.append(entry.line()).append('\n'));
        });
        return out.append(RANKING).toString();
    }

    private static String names(List<Entry> entries) {
        return entries.stream()
                .map(Entry::call)
                .map(call -> call.replaceAll("\\(.*", "").replace("`", ""))
                .filter(name -> name.matches("[A-Z0-9_]+"))
                .collect(Collectors.joining(", "));
    }

    private static Map<String, List<Entry>> sections() {
        var sections = new LinkedHashMap<String, List<Entry>>();
        for (var group : Builtin.Group.values()) {
            sections.put(
                    group.title(),
                    Builtins.all().stream()
                            .filter(builtin ->
                                    builtin.group() == group && !builtin.name().startsWith("_"))
                            .sorted((one, other) -> one.name().compareTo(other.name()))
                            .map(FunctionManual::entry)
                            .toList());
        }
        sections.put(
                AGGREGATES,
                Arrays.stream(Aggregate.values()).map(FunctionManual::entry).toList());
        sections.put(SUBQUERIES, OPERATORS);
        return sections;
    }

    private static Entry entry(Builtin builtin) {
        // Names that start with an underscore are for SDKs only.
        var spellings = builtin.names().stream()
                .skip(1)
                .filter(name -> !name.startsWith("_"))
                .collect(Collectors.joining(", "));
        var others = spellings.isEmpty() ? "" : " Also " + spellings + ".";
        return new Entry(
                "`" + builtin.name() + "(" + parameters(builtin) + ")`",
                builtin.description() + others,
                builtin.example(),
                builtin.result());
    }

    private static String parameters(Builtin builtin) {
        var out = new StringBuilder();
        for (var parameter : builtin.parameters()) {
            var optional = parameter.endsWith("?");
            var comma = out.isEmpty() ? "" : ", ";
            out.append(optional ? "[" + comma + parameter.replace("?", "") + "]" : comma + parameter);
        }
        return out.toString();
    }

    private static Entry entry(Aggregate aggregate) {
        return entry(
                "`" + aggregate + "(value)`",
                aggregate.description(),
                "(SELECT VALUE " + aggregate + "(" + (aggregate == Aggregate.COUNTIF ? "n > 1" : "n")
                        + ") FROM n IN (SELECT VALUE [2, 1, 2]))");
    }

    private static Entry entry(String call, String description, String example) {
        return new Entry(call, description, example, evaluate(example));
    }

    /** What an expression gives for an item, as JSON, or {@code undefined}. */
    static String evaluate(String expression) {
        var rows = new ArrayList<String>();
        var run = Query.of("SELECT VALUE " + expression + " FROM c")
                .run(QueryInputs.of(Map.of(), NOW, new SplittableRandom(1)), row -> rows.add(JsonWriter.text(row)));
        run.add(ITEM, 13);
        run.finish();
        return Stream.concat(rows.stream(), Stream.of("undefined")).findFirst().orElseThrow();
    }
}
