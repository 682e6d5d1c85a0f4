package dev.orrery.server;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.server.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** A {@link StatusReport} as people read it: a table of the containers and one of the operations. */
final class StatusTables {
    private static final List<Column> NAMES = List.of(Column.ofNames("database"), Column.ofNames("container"));
    private static final List<Column> CONTENTS = List.of(
            Column.ofFigures("documents"),
            Column.ofFigures("size"),
            Column.ofFigures("partitions"),
            Column.ofFigures("RU/s"));
    private static final List<Column> TRAFFIC = List.of(
            Column.ofFigures("requests"),
            Column.ofFigures("RU"),
            Column.ofFigures("throttled"),
            Column.ofFigures("p50 ms"),
            Column.ofFigures("p99 ms"));
    private static final List<Column> OPERATIONS = List.of(
            Column.ofNames("operation"),
            Column.ofFigures("requests"),
            Column.ofFigures("RU"),
            Column.ofFigures("RU/request"),
            Column.ofFigures("throttled"),
            Column.ofFigures("p50 ms"),
            Column.ofFigures("p99 ms"));

    private static final List<String> SIZES = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final int KIB = 1024;

    private final Obj report;

    StatusTables(Obj report) {
        this.report = report;
    }

    /** The lines of both, none wider than the given number of columns of a terminal if that can be. */
    List<String> lines(int widthMax) {
        var lines = new ArrayList<String>();
        var containers = rows("containers");
        if (containers.isEmpty()) {
            lines.add("There are no containers.");
        } else {
            lines.addAll(ofContainers(containers, widthMax));
        }
        lines.add("");
        var operations = rows("operations");
        var since = text(report, "since");
        if (operations.isEmpty()) {
            lines.add("No requests since " + since + ".");
        } else {
            lines.add("Requests since " + since + ":");
            lines.add("");
            var cells = operations.stream().map(StatusTables::operation).toList();
            lines.addAll(new TextTable(OPERATIONS, cells).lines(widthMax));
        }
        if (report.member("directPort") instanceof Num port) {
            lines.add("");
            lines.add("Direct mode is served on port " + (int) port.value() + ".");
        }
        return lines;
    }

    private List<Obj> rows(String name) {
        return report.member(name) instanceof Arr(var rows)
                ? rows.stream().map(Obj.class::cast).toList()
                : List.of();
    }

    /** One table, or two where that is too wide: what there is, and what was asked for. */
    private static List<String> ofContainers(List<Obj> rows, int widthMax) {
        var contents = new Part(CONTENTS, StatusTables::contents);
        var traffic = new Part(TRAFFIC, StatusTables::traffic);
        var whole = table(rows, List.of(contents, traffic), widthMax);
        if (whole.stream().allMatch(line -> TextWidth.of(line) <= widthMax)) {
            return whole;
        }
        var both = new ArrayList<>(table(rows, List.of(contents), widthMax));
        both.add("");
        both.addAll(table(rows, List.of(traffic), widthMax));
        return both;
    }

    private record Part(List<Column> columns, Function<Obj, List<String>> cells) {}

    private static List<String> table(List<Obj> rows, List<Part> parts, int widthMax) {
        var columns = new ArrayList<>(NAMES);
        parts.forEach(part -> columns.addAll(part.columns()));
        var cells = rows.stream()
                .map(row -> {
                    var line = new ArrayList<>(names(row));
                    parts.forEach(part -> line.addAll(part.cells().apply(row)));
                    return (List<String>) line;
                })
                .toList();
        return new TextTable(columns, cells).lines(widthMax);
    }

    private static List<String> names(Obj row) {
        return List.of(RowTable.shown(text(row, "database")), RowTable.shown(text(row, "container")));
    }

    private static List<String> contents(Obj row) {
        return List.of(
                whole(row, "documents"),
                size(number(row, "bytes")),
                whole(row, "partitions"),
                throughput(row.member("throughput")));
    }

    private static List<String> traffic(Obj row) {
        return List.of(
                whole(row, "requests"),
                decimal(row, "requestUnits"),
                whole(row, "throttled"),
                millis(row, "p50Millis"),
                millis(row, "p99Millis"));
    }

    private static List<String> operation(Obj row) {
        double requests = number(row, "requests");
        return List.of(
                text(row, "operation"),
                whole(row, "requests"),
                decimal(row, "requestUnits"),
                decimal(requests == 0 ? 0 : number(row, "requestUnits") / requests),
                whole(row, "throttled"),
                millis(row, "p50Millis"),
                millis(row, "p99Millis"));
    }

    /** What is set; what scales by itself only up to there, and what belongs to the database is marked as such. */
    private static String throughput(JsonValue throughput) {
        if (!(throughput instanceof Obj set)) {
            return "";
        }
        var most = whole(set, "requestUnits");
        return (text(set, "mode").equals("autoscale") ? "up to " : "")
                + most
                + (set.member("shared").equals(Bool.TRUE) ? " shared" : "");
    }

    static String size(double bytes) {
        double left = bytes;
        int unit = 0;
        for (; left >= KIB && unit < SIZES.size() - 1; unit++) {
            left /= KIB;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%,.0f %s" : "%,.1f %s", left, SIZES.get(unit));
    }

    private static String whole(Obj row, String name) {
        return String.format(Locale.ROOT, "%,.0f", number(row, name));
    }

    private static String decimal(Obj row, String name) {
        return decimal(number(row, name));
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%,.2f", number);
    }

    /** Blank where nothing was timed. */
    private static String millis(Obj row, String name) {
        return row.member(name) instanceof Num ? decimal(row, name) : "";
    }

    private static double number(Obj row, String name) {
        return ((Num) row.member(name)).value();
    }

    private static String text(Obj row, String name) {
        return ((Str) row.member(name)).value();
    }
}
