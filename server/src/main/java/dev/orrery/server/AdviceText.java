package dev.orrery.server;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.server.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An {@link AdviceReport} as people read it: each piece of advice with what was seen, what to do, and what that saves. */
final class AdviceText {
    private static final int COLUMNS_MAX = 110;
    private static final int REQUESTS_MIN = 100;
    private static final int CALLS_MIN = 20;
    private static final double FAN_OUT_MIN = 1.5;
    private static final String INDENT = "   ";
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private static final List<Column> QUERIES = List.of(
            Column.ofNames("container"),
            Column.ofNames("query"),
            Column.ofFigures("calls"),
            Column.ofFigures("RU/call"),
            Column.ofFigures("partitions"),
            Column.ofFigures("items loaded"),
            Column.ofFigures("rows"));

    private final Obj report;
    private final List<Obj> containers;
    private final List<Obj> findings;
    private final Optional<String> database;

    /** @param database the only one that matters, if not all do */
    AdviceText(Obj report, Optional<String> database) {
        this.report = report;
        this.database = database;
        this.containers = wanted("containers");
        this.findings = wanted("findings");
    }

    private List<Obj> wanted(String name) {
        return objects(report, name)
                .filter(one -> database.isEmpty() || database.get().equals(text(one, "database")))
                .toList();
    }

    /** Without what is about other databases. */
    Obj json() {
        return Obj.builder()
                .putAll(report)
                .put("requests", sum("requests"))
                .put("charge", sum("charge"))
                .put("containers", new Arr(List.<JsonValue>copyOf(containers)))
                .put("findings", new Arr(List.<JsonValue>copyOf(findings)))
                .build();
    }

    List<String> lines(int columns) {
        int width = Math.min(columns, COLUMNS_MAX);
        var lines = new ArrayList<String>();
        var seen = String.format(
                Locale.ROOT,
                "%,.0f requests since %s, %,.2f RU",
                sum("requests"),
                text(report, "since"),
                sum("charge"));
        if (findings.isEmpty()) {
            addNothing(seen, width, lines);
            return lines;
        }
        add("Of " + seen + ". What would save the most comes first.", "", "", width, lines);
        for (int number = 1; number <= findings.size(); number++) {
            var finding = findings.get(number - 1);
            lines.add("");
            add(
                    text(finding, "database") + "/" + text(finding, "container") + ": " + text(finding, "title") + ".",
                    number + ". ",
                    INDENT,
                    width,
                    lines);
            for (var fact : ((Arr) finding.member("seen")).items()) {
                add(((Str) fact).value(), INDENT + "- ", INDENT + "  ", width, lines);
            }
            add(text(finding, "proposal"), INDENT + "> ", INDENT + "  ", width, lines);
            add(charge(finding), INDENT + "= ", INDENT + "  ", width, lines);
        }
        return lines;
    }

    /** What was asked, and what that took: a line for each shape of query. */
    List<String> queries(int columns) {
        var rows = containers.stream()
                .flatMap(container -> objects(container, "queries").map(query -> row(container, query)))
                .toList();
        return rows.isEmpty()
                ? List.of("No queries since " + text(report, "since") + ".")
                : new TextTable(QUERIES, rows).lines(columns);
    }

    private static List<String> row(Obj container, Obj query) {
        return List.of(
                RowTable.shown(text(container, "database") + "/" + text(container, "container")),
                RowTable.shown(text(query, "query")),
                figure("%,.0f", query, "calls"),
                figure("%,.2f", query, "chargePerCall"),
                figure("%,.1f", query, "partitionsPerCall"),
                figure("%,.1f", query, "itemsLoadedPerCall"),
                figure("%,.1f", query, "rowsPerCall"));
    }

    private double sum(String name) {
        return containers.stream()
                .mapToDouble(container -> number(container, name))
                .sum();
    }

    private static Stream<Obj> objects(Obj from, String name) {
        return ((Arr) from.member(name)).items().stream().map(Obj.class::cast);
    }

    private void addNothing(String seen, int width, List<String> lines) {
        if (database.isPresent() && containers.isEmpty()) {
            add(
                    "Nobody has asked anything of a database '" + database.get() + "' since " + text(report, "since")
                            + ". Is that its name?",
                    "",
                    "",
                    width,
                    lines);
            return;
        }
        add(
                "There is nothing to advise"
                        + database.map(name -> " for the database '" + name + "'")
                                .orElse("") + ": " + seen + ".",
                "",
                "",
                width,
                lines);
        add(
                sum("requests") < REQUESTS_MIN
                        ? "That is too little to tell anything by. Use the application for a while, and ask again."
                        : "Nothing that it knows would make what is asked again and again much cheaper. It has seen"
                                + " only what was asked since it was started." + dear(),
                "",
                "",
                width,
                lines);
    }

    /** What is dear all the same. */
    private String dear() {
        var asked = containers.stream()
                .flatMap(container -> objects(container, "queries"))
                .filter(query ->
                        number(query, "calls") >= CALLS_MIN && number(query, "partitionsPerCall") >= FAN_OUT_MIN)
                .toList();
        return asked.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        " %,d of the kinds of queries %s several physical partitions, for %,.2f RU so far: --queries"
                                + " lists them.",
                        asked.size(),
                        asked.size() == 1 ? "asks" : "ask",
                        asked.stream()
                                .mapToDouble(query -> number(query, "calls") * number(query, "chargePerCall"))
                                .sum());
    }

    private static String charge(Obj finding) {
        double before = number(finding, "before");
        double after = number(finding, "after");
        double count = number(finding, "count");
        if (count == 0) {
            return String.format(
                    Locale.ROOT,
                    "%,.0f -> %,.0f RU/s have to be provided for each %s",
                    before,
                    after,
                    text(finding, "unit"));
        }
        if (after > before) {
            return String.format(
                    Locale.ROOT,
                    "%,.2f -> %,.2f RU for each %s, of which there were %,.0f",
                    before,
                    after,
                    text(finding, "unit"),
                    count);
        }
        double upkeep = number(finding, "upkeep");
        return String.format(
                        Locale.ROOT,
                        "%,.2f -> %,.2f RU for each %s; %,.2f RU less for the %,.0f so far",
                        before,
                        after,
                        text(finding, "unit"),
                        (before - after) * count,
                        count)
                + (upkeep == 0 ? "" : String.format(Locale.ROOT, ", and %,.2f RU more for writes", upkeep));
    }

    /** Adds a text over as many lines as it needs; the first one begins with something else than the others. */
    private static void add(String text, String first, String others, int width, List<String> lines) {
        var line = new StringBuilder(first);
        boolean empty = true;
        for (var word : printable(text).split(" ", -1)) {
            if (!empty && TextWidth.of(line.toString()) + 1 + TextWidth.of(word) > width) {
                lines.add(line.toString());
                line = new StringBuilder(others);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
    }

    /** Names of properties may have anything in them, also what moves the cursor of a terminal. */
    private static String printable(String text) {
        return CONTROL.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(String.format(
                        Locale.ROOT, "\\u%04x", (int) found.group().charAt(0))));
    }

    private static String figure(String format, Obj from, String name) {
        return String.format(Locale.ROOT, format, number(from, name));
    }

    private static String text(Obj from, String name) {
        return ((Str) from.member(name)).value();
    }

    private static double number(Obj from, String name) {
        return ((Num) from.member(name)).value();
    }
}
