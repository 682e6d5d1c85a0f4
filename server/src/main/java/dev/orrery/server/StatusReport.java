package dev.orrery.server;

import dev.orrery.engine.resource.Census;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What a server holds and what it has done.
 *
 * @param since when it began to count
 * @param backlogBytes what the store has still to put in order
 * @param operations what came of requests, by operation
 */
record StatusReport(
        Instant since, long backlogBytes, List<CountedContainer> containers, Map<String, Tally> operations) {

    record CountedContainer(Census.Figures figures, Tally tally) {}

    Obj json() {
        return json(Narrowing.NONE);
    }

    Obj json(Narrowing narrowing) {
        return Obj.builder()
                .put("since", since.truncatedTo(ChronoUnit.SECONDS).toString())
                .put("backlogBytes", (double) backlogBytes)
                .put("containerCount", containers.size())
                .put(
                        "containers",
                        new Arr(narrowing
                                .of(containers.stream(), one -> one.figures().location())
                                .map(StatusReport::json)
                                .toList()))
                .put("operations", new Arr(byFrequency()))
                .build();
    }

    private static JsonValue json(CountedContainer container) {
        var figures = container.figures();
        var json = Obj.builder()
                .put("database", figures.location().database())
                .put("container", figures.location().container())
                .put("documents", (double) figures.items())
                .put("bytes", (double) figures.itemBytes())
                .put("partitions", figures.ranges());
        figures.throughput()
                .ifPresent(set -> json.put(
                        "throughput",
                        Obj.builder()
                                .put("mode", Metrics.mode(set))
                                .put("requestUnits", set.requestUnitsMax())
                                .put("shared", figures.shared())
                                .build()));
        return put(json, container.tally()).build();
    }

    /** What is asked for most comes first. */
    private List<JsonValue> byFrequency() {
        return operations.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, Tally> entry) ->
                                -entry.getValue().requests())
                        .thenComparing(Map.Entry::getKey))
                .<JsonValue>map(entry -> put(Obj.builder().put("operation", entry.getKey()), entry.getValue())
                        .build())
                .toList();
    }

    private static Obj.Builder put(Obj.Builder json, Tally tally) {
        json.put("requests", (double) tally.requests())
                .put("requestUnits", rounded(tally.requestUnits(), 100))
                .put("throttled", (double) tally.throttled());
        return tally.requests() == 0
                ? json
                : json.put("p50Millis", rounded(tally.millis(0.5), 1000))
                        .put("p99Millis", rounded(tally.millis(0.99), 1000));
    }

    /** Sums of decimal fractions have tails that nobody wants to read. */
    private static double rounded(double figure, int parts) {
        return (double) Math.round(figure * parts) / parts;
    }
}
