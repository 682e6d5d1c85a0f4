package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.function.Aggregate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/** Does with a plan and the rows of several partitions what the official SDKs do. */
public final class SdkClient {
    private final Obj info;

    private SdkClient(Obj plan) {
        info = (Obj) plan.member("queryInfo");
    }

    /** The ranges of a container. */
    public interface Partitions {
        /** The rows of each of them for a query. */
        List<List<JsonValue>> ask(String text);
    }

    /** The rows of a query for which a plan was asked. */
    public static List<JsonValue> rows(Obj plan, String original, Partitions partitions) {
        if (plan.member("hybridSearchQueryInfo") instanceof Obj ranked) {
            return new SdkHybridSearch(ranked, partitions).rows();
        }
        var client = new SdkClient(plan);
        return client.merge(partitions.ask(client.textToSend(original)));
    }

    private String textToSend(String original) {
        var rewritten = text(info.member("rewrittenQuery"));
        return (rewritten.isEmpty() ? original : rewritten)
                .replace("{documentdb-formattableorderbyquery-filter}", "true");
    }

    private List<JsonValue> merge(List<List<JsonValue>> partitions) {
        var rows = new ArrayList<JsonValue>();
        partitions.forEach(rows::addAll);
        List<JsonValue> result = rows;
        if (!items("orderBy").isEmpty()) {
            rows.sort(sortOrder());
            result = rows.stream().map(row -> ((Obj) row).member("payload")).toList();
        }
        if (!items("groupByExpressions").isEmpty()) {
            result = groups(rows, row -> ((Obj) row).member("groupByItems"));
        } else if (!items("groupByAliases").isEmpty()) {
            result = groups(rows, _ -> JsonValue.NULL);
        } else if (!items("aggregates").isEmpty()) {
            result = defined(combine(aggregate(items("aggregates").getFirst()), rows));
        }
        if (!text(info.member("distinctType")).equals("None")) {
            result = List.copyOf(new LinkedHashSet<>(result));
        }
        if (info.member("dCountInfo") instanceof Obj counted) {
            var count = new Num(result.size());
            var alias = text(counted.member("dCountAlias"));
            result = List.of(
                    alias.isEmpty() ? count : Obj.builder().put(alias, count).build());
        }
        var offset = count("offset", 0);
        return result.stream()
                .skip(offset)
                .limit(Math.min(count("limit", Long.MAX_VALUE), count("top", Long.MAX_VALUE)))
                .toList();
    }

    private Comparator<JsonValue> sortOrder() {
        var directions = items("orderBy");
        return (left, right) -> {
            for (var index = 0; index < directions.size(); index++) {
                var order = JsonOrder.INSTANCE.compare(sortValue(left, index), sortValue(right, index));
                if (order != 0) {
                    return text(directions.get(index)).equals("Ascending") ? order : -Integer.signum(order);
                }
            }
            return 0;
        };
    }

    private static JsonValue sortValue(JsonValue row, int index) {
        return ((Obj) ((Arr) ((Obj) row).member("orderByItems")).at(index)).member("item");
    }

    private List<JsonValue> groups(List<JsonValue> rows, Function<JsonValue, JsonValue> key) {
        var groups = new LinkedHashMap<JsonValue, List<JsonValue>>();
        rows.forEach(row ->
                groups.computeIfAbsent(key.apply(row), _ -> new ArrayList<>()).add(((Obj) row).member("payload")));
        return groups.values().stream()
                .flatMap(payloads -> defined(group(payloads)).stream())
                .toList();
    }

    private JsonValue group(List<JsonValue> payloads) {
        if (info.member("hasSelectValue").equals(JsonValue.Bool.TRUE)) {
            return items("aggregates").isEmpty()
                    ? payloads.getFirst()
                    : combine(aggregate(items("aggregates").getFirst()), payloads);
        }
        var result = Obj.builder();
        var types = (Obj) info.member("groupByAliasToAggregateType");
        for (var alias : items("groupByAliases")) {
            var name = text(alias);
            var parts = payloads.stream()
                    .map(payload -> ((Obj) payload).member(name))
                    .toList();
            result.put(
                    name,
                    types.member(name) instanceof Str type ? combineParts(aggregate(type), parts) : parts.getFirst());
        }
        return result.build();
    }

    private static JsonValue combine(Aggregate aggregate, List<JsonValue> rows) {
        return combineParts(
                aggregate, rows.stream().map(row -> ((Arr) row).at(0)).toList());
    }

    private static JsonValue combineParts(Aggregate aggregate, List<JsonValue> parts) {
        var values = parts.stream().map(part -> ((Obj) part).member("item")).toList();
        return switch (aggregate) {
            case COUNT, COUNTIF, SUM -> fold(Aggregate.SUM, values);
            case AVG -> {
                var sum = fold(
                        Aggregate.SUM,
                        values.stream()
                                .map(value -> ((Obj) value).member("sum"))
                                .toList());
                var count = fold(
                        Aggregate.SUM,
                        values.stream()
                                .map(value -> ((Obj) value).member("count"))
                                .toList());
                yield sum instanceof Num(double total, var _)
                                && count instanceof Num(double number, var _)
                                && number > 0
                        ? new Num(total / number)
                        : JsonValue.UNDEFINED;
            }
            case MIN, MAX -> {
                var counted = parts.stream()
                        .map(part -> (Obj) ((Obj) part).member("item2"))
                        .filter(part -> !part.member("count").equals(new Num(0)))
                        .map(part -> part.member(aggregate == Aggregate.MIN ? "min" : "max"))
                        .toList();
                yield counted.isEmpty() ? JsonValue.UNDEFINED : fold(aggregate, counted);
            }
            case MAKELIST ->
                new Arr(values.stream()
                        .flatMap(value -> ((Arr) value).items().stream())
                        .toList());
            case MAKESET ->
                new Arr(values.stream()
                        .flatMap(value -> ((Arr) value).items().stream())
                        .distinct()
                        .toList());
        };
    }

    /** Unlike in the language, a part that is undefined makes the whole undefined. */
    private static JsonValue fold(Aggregate aggregate, List<JsonValue> values) {
        var accumulator = aggregate.start();
        for (var value : values) {
            if (value.isUndefined()) {
                return JsonValue.UNDEFINED;
            }
            accumulator.add(value);
        }
        return accumulator.result();
    }

    private static List<JsonValue> defined(JsonValue value) {
        return value.isUndefined() ? List.of() : List.of(value);
    }

    private static Aggregate aggregate(JsonValue planName) {
        return Arrays.stream(Aggregate.values())
                .filter(aggregate -> aggregate.planName().equals(text(planName)))
                .findFirst()
                .orElseThrow();
    }

    private List<JsonValue> items(String name) {
        return ((Arr) info.member(name)).items();
    }

    private long count(String name, long otherwise) {
        return info.member(name) instanceof Num(double number, var _) ? (long) number : otherwise;
    }

    private static String text(JsonValue value) {
        return ((Str) value).value();
    }
}
