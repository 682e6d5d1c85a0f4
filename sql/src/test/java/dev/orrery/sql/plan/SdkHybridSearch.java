package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a plan for ORDER BY RANK as the official SDKs do. */
final class SdkHybridSearch {
    private final Obj info;
    private final SdkClient.Partitions partitions;
    private final List<Obj> components;

    SdkHybridSearch(Obj info, SdkClient.Partitions partitions) {
        this.info = info;
        this.partitions = partitions;
        components = ((Arr) info.member("componentQueryInfos"))
                .items().stream().map(Obj.class::cast).toList();
    }

    List<JsonValue> rows() {
        var statistics = info.member("requiresGlobalStatistics").equals(JsonValue.Bool.TRUE)
                ? total(rows(text(info, "globalStatisticsQuery")))
                : Map.<String, String>of();
        var found = new LinkedHashMap<JsonValue, Obj>();
        for (var component : components) {
            var query =
                    text(component, "rewrittenQuery").replace("{documentdb-formattableorderbyquery-filter}", "true");
            for (var number : statistics.entrySet()) {
                query = query.replace(number.getKey(), number.getValue());
            }
            rows(query).forEach(row -> found.putIfAbsent(row.member("_rid"), row));
        }
        return fused(new ArrayList<>(found.values()));
    }

    private List<Obj> rows(String query) {
        return partitions.ask(query).stream()
                .flatMap(List::stream)
                .map(Obj.class::cast)
                .toList();
    }

    private static Map<String, String> total(List<Obj> parts) {
        var total = new LinkedHashMap<String, String>();
        total.put(
                "{documentdb-formattablehybridsearchquery-totaldocumentcount}",
                sum(parts.stream().map(part -> part.member("documentCount")).toList()));
        var texts =
                ((Arr) parts.getFirst().member("fullTextStatistics")).items().size();
        for (var index = 0; index < texts; index++) {
            var number = index;
            var ofText = parts.stream()
                    .map(part -> (Obj) ((Arr) part.member("fullTextStatistics")).at(number))
                    .toList();
            total.put(
                    "{documentdb-formattablehybridsearchquery-totalwordcount-" + index + "}",
                    sum(ofText.stream()
                            .map(text -> text.member("totalWordCount"))
                            .toList()));
            total.put("{documentdb-formattablehybridsearchquery-hitcountsarray-" + index + "}", hits(ofText));
        }
        return total;
    }

    private static String hits(List<Obj> ofText) {
        var sums = new ArrayList<String>();
        for (var term = 0;
                term < ((Arr) ofText.getFirst().member("hitCounts")).items().size();
                term++) {
            var number = term;
            sums.add(sum(ofText.stream()
                    .map(text -> ((Arr) text.member("hitCounts")).at(number))
                    .toList()));
        }
        return "[" + String.join(",", sums) + "]";
    }

    private static String sum(List<JsonValue> numbers) {
        return JsonWriter.text(new Num(
                numbers.stream().mapToDouble(number -> ((Num) number).value()).sum()));
    }

    private List<JsonValue> fused(List<Obj> rows) {
        var weights = ((Arr) info.member("componentWeights")).items();
        var scores = new LinkedHashMap<Obj, Double>();
        for (var index = 0; index < components.size(); index++) {
            var number = index;
            var descending = components.get(index).member("orderBy").equals(JsonValue.strings(List.of("Descending")));
            var order = descending ? JsonOrder.INSTANCE.reversed() : JsonOrder.INSTANCE;
            rows.sort(Comparator.comparing(row -> score(row, number), order));
            var rank = 0;
            JsonValue last = null;
            for (var row : rows) {
                rank += score(row, number).equals(last) ? 0 : 1;
                last = score(row, number);
                var weight = weights.isEmpty() ? 1 : ((Num) weights.get(index)).value();
                scores.merge(row, weight / (60 + rank), Double::sum);
            }
        }
        rows.sort(Comparator.<Obj>comparingDouble(row -> -scores.get(row)).thenComparing(row -> text(row, "_rid")));
        return rows.stream()
                .skip(info.member("skip") instanceof Num(double skip, var _) ? (long) skip : 0)
                .limit(info.member("take") instanceof Num(double take, var _) ? (long) take : Long.MAX_VALUE)
                .map(row -> ((Obj) row.member("payload")).member("payload"))
                .toList();
    }

    private static JsonValue score(Obj row, int component) {
        return ((Arr) ((Obj) row.member("payload")).member("componentScores")).at(component);
    }

    private static String text(Obj json, String name) {
        return ((Str) json.member(name)).value();
    }
}
