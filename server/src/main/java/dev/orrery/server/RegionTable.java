package dev.orrery.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.server.TextTable.Column;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The regions of an account for people, from what one of them says. */
final class RegionTable {
    static final int WIDTH_MAX = 120;
    private static final List<Column> COLUMNS = List.of(
            Column.ofNames("region"),
            Column.ofNames("role"),
            Column.ofFigures("behind"),
            Column.ofFigures("for"),
            Column.ofFigures("heard"),
            Column.ofNames("endpoint"));

    private RegionTable() {}

    static List<String> lines(JsonNode status) {
        var rows = new ArrayList<List<String>>();
        for (var region : status.path("regions")) {
            boolean asked =
                    region.path("name").asText().equals(status.path("region").asText());
            rows.add(List.of(
                    region.path("name").asText() + (asked ? " *" : ""),
                    role(region, status.has("takesItems")),
                    region.has("lagLsns") ? region.path("lagLsns").asLong() + " changes" : "-",
                    region.has("lagSeconds")
                            ? String.format(
                                    Locale.ROOT,
                                    "%.1f s",
                                    region.path("lagSeconds").asDouble())
                            : "-",
                    heard(region.path("silentSeconds")),
                    region.path("endpoint").asText()));
        }
        var lines = new ArrayList<>(new TextTable(COLUMNS, rows).lines(WIDTH_MAX));
        lines.add("epoch " + status.path("epoch").asLong() + "; * is the region that was asked");
        if (status.has("lastFailover")) {
            var last = status.path("lastFailover");
            lines.add("last failover: to " + last.path("to").asText()
                    + (last.has("at")
                            ? ", at " + Instant.ofEpochSecond(last.path("at").asLong())
                            : ", while this region was away"));
        }
        status.path("faults")
                .properties()
                .forEach(fault -> lines.add("fault: the link to " + fault.getKey() + " is "
                        + fault.getValue().asText()));
        if (status.path("lostChanges").asLong() > 0) {
            lines.add(status.path("lostChanges").asLong()
                    + " changes of this region were lost in a failover; they are in the conflicts feeds.");
        }
        lines.addAll(WritingReport.lines(status));
        return lines;
    }

    private static String role(JsonNode region, boolean allWrite) {
        if (region.path("witness").asBoolean()) {
            return "votes";
        }
        boolean writes = region.path("writes").asBoolean();
        return allWrite ? (writes ? "hub" : "writes") : writes ? "writes" : "follows";
    }

    private static String heard(JsonNode silent) {
        return silent.isMissingNode() ? "-" : String.format(Locale.ROOT, "%.1f s ago", silent.asDouble());
    }
}
