package dev.orrery.server;

import dev.orrery.gateway.client.QueryClient.BillLine;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How a query found its rows, in words. */
final class QueryReport {
    private QueryReport() {}

    static List<String> lines(QueryRows run) {
        var explanation = run.explanation().orElse(Obj.EMPTY);
        var lines = new ArrayList<String>();
        lines.add("access   " + access(explanation));
        lines.addAll(list("index    ", explanation.member("indexes")));
        lines.addAll(list("plan     ", explanation.member("steps")));
        lines.add("read     " + entries(run) + QueryCommand.count(run.itemsRead(), "item") + ", "
                + size(run.bytesRead()));
        lines.add("returned " + QueryCommand.count(run.rows(), "row") + " in " + QueryCommand.count(run.pages(), "page")
                + (run.pages() > 1 && explanation.member("resumes").equals(JsonValue.Bool.FALSE)
                        ? ", each of which read everything again"
                        : "")
                + (run.hasMore() ? "; there are more" : ""));
        lines.add(String.format(Locale.ROOT, "charge   %.2f request units", run.charge()));
        run.bill().forEach(line -> lines.add(line(line)));
        lines.add(String.format(Locale.ROOT, "time     %.1f ms in the server", run.millis()));
        lines.addAll(list("hint     ", explanation.member("hints")));
        return lines;
    }

    private static String line(BillLine line) {
        var size = line.bytes() == 0 ? "" : ", " + size(line.bytes());
        return String.format(
                Locale.ROOT, "         %8.2f %s: %d%s", line.requestUnits(), line.what(), line.count(), size);
    }

    /** A line for each text, the first of them with a label. */
    private static List<String> list(String label, JsonValue texts) {
        var lines = new ArrayList<String>();
        if (texts instanceof Arr(var items)) {
            for (var item : items) {
                lines.add((lines.isEmpty() ? label : " ".repeat(label.length()))
                        + (item instanceof Str(var text) ? text : ""));
            }
        }
        return lines;
    }

    /** How many entries of indexes a page was made from. */
    static long entries(Obj explanation) {
        return number(explanation, "entriesRead");
    }

    private static String entries(QueryRows run) {
        long entries = run.entriesRead();
        return entries == 0 ? "" : entries + (entries == 1 ? " index entry, " : " index entries, ");
    }

    private static String access(Obj explanation) {
        long places = number(explanation, "places");
        var where = " in " + number(explanation, "ranges") + " of "
                + QueryCommand.count(number(explanation, "rangesOfContainer"), "physical partition");
        var access = explanation.member("access") instanceof Str(var text) ? text : "";
        return switch (access) {
            case "none" -> "none: the rows follow from the query alone";
            case "items" -> "key lookup: " + QueryCommand.count(places, "item") + where;
            case "partitions" -> QueryCommand.count(places, "logical partition") + where;
            case "prefix" -> "all logical partitions whose key begins as given," + where;
            case "index" -> "index" + where;
            case "scan" -> "full scan: every item" + where;
            default -> "not told: the server is not an Orrery of this version";
        };
    }

    private static long number(Obj explanation, String name) {
        return explanation.member(name) instanceof Num(double value, var _) ? (long) value : 0;
    }

    private static String size(long bytes) {
        return bytes < 1024 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f KB", bytes / 1024.0);
    }
}
