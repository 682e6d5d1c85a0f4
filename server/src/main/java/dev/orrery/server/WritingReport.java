package dev.orrery.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.engine.hub.Hub;
import dev.orrery.engine.item.Ruling;
import dev.orrery.engine.item.Ruling.Kind;
import dev.orrery.engine.item.Ruling.Verdict;
import dev.orrery.region.Surroundings.Writing;
import dev.orrery.server.TextTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a region of an account that several regions write to tells of its writes, as JSON, and for people. */
final class WritingReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double NANOS_PER_MILLI = 1e6;

    /** Of which a server tells how often it has given them, in this order. */
    private static final List<Verdict> OUTCOMES =
            List.of(Verdict.ACCEPTED, Verdict.PATCHED, Verdict.WON, Verdict.LOST, Verdict.MERGED, Verdict.KEPT);

    private WritingReport() {}

    static boolean isOutcome(Ruling ruling) {
        return OUTCOMES.contains(ruling.verdict());
    }

    static String word(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    static void add(ObjectNode json, Writing mine) {
        json.put("takesItems", mine.fronts().isGranted());
        json.put("unsettledWrites", mine.fronts().pending());
        var times = mine.fronts().times();
        if (times.writes() > 0) {
            json.putObject("confirmed")
                    .put("timed", times.writes())
                    .put("averageMillis", times.nanos() / times.writes() / NANOS_PER_MILLI)
                    .put("lastMillis", times.lastNanos() / NANOS_PER_MILLI);
        }
        json.set("settled", settled(mine.hub()));
    }

    /** What this region has settled as the hub since its start: all writes, and those of them that were conflicts. */
    private static ObjectNode settled(Hub hub) {
        var all = JSON.createObjectNode();
        OUTCOMES.forEach(verdict -> all.put(word(verdict), 0L));
        var conflicts = JSON.createObjectNode();
        hub.rulings().stream().filter(WritingReport::isOutcome).forEach(ruling -> {
            var outcome = word(ruling.verdict());
            long count = hub.count(ruling);
            all.put(outcome, all.path(outcome).asLong() + count);
            ruling.conflict()
                    .ifPresent(kind -> conflicts.withObjectProperty(word(kind)).put(outcome, count));
        });
        return all.set("conflicts", conflicts);
    }

    /** For people; nothing where one region writes. */
    static List<String> lines(JsonNode status) {
        if (!status.has("takesItems")) {
            return List.of();
        }
        var lines = new ArrayList<String>();
        lines.add("");
        lines.add("All regions take writes of items. "
                + status.path("unsettledWrites").asLong() + " of this one are not settled yet"
                + confirmed(status.path("confirmed")) + ".");
        var settled = status.path("settled");
        long all = OUTCOMES.stream()
                .mapToLong(verdict -> settled.path(word(verdict)).asLong())
                .sum();
        if (all > 0) {
            lines.add("As the hub it has settled " + all + " writes since its start; "
                    + (settled.path("conflicts").isEmpty() ? "there was no conflict." : "the conflicts among them:"));
        }
        if (!settled.path("conflicts").isEmpty()) {
            lines.add("");
            lines.addAll(conflicts(settled.path("conflicts")));
        }
        return lines;
    }

    private static String confirmed(JsonNode times) {
        return times.isMissingNode()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; it takes %.0f ms until one is, %.0f ms last time",
                        times.path("averageMillis").asDouble(),
                        times.path("lastMillis").asDouble());
    }

    private static List<String> conflicts(JsonNode kinds) {
        var outcomes = OUTCOMES.subList(1, OUTCOMES.size());
        var columns = Stream.concat(
                        Stream.of(Column.ofNames("conflict")),
                        outcomes.stream().map(verdict -> Column.ofFigures(word(verdict))))
                .toList();
        var rows = Stream.of(Kind.values())
                .filter(kind -> kinds.has(word(kind)))
                .map(kind -> Stream.concat(
                                Stream.of(word(kind).replace('_', ' ')),
                                outcomes.stream()
                                        .map(verdict -> kinds.path(word(kind))
                                                .path(word(verdict))
                                                .asText("0")))
                        .toList())
                .toList();
        return new TextTable(columns, rows).lines(RegionTable.WIDTH_MAX);
    }
}
