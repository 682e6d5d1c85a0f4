package dev.orrery.server;

import dev.orrery.engine.catalog.Location;
import dev.orrery.engine.resource.Census.RangeFigures;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The physical partitions of all containers, and how busy they have been, as programs read it. */
final class RangeReport {
    private RangeReport() {}

    static Obj json(List<RangeFigures> ranges, Narrowing narrowing) {
        Map<Location, List<RangeFigures>> containers = ranges.stream()
                .collect(Collectors.groupingBy(RangeFigures::location, LinkedHashMap::new, Collectors.toList()));
        return Obj.builder()
                .put(
                        "containers",
                        new Arr(narrowing
                                .of(containers.entrySet().stream(), Map.Entry::getKey)
                                .map(entry -> container(entry.getKey(), entry.getValue()))
                                .toList()))
                .build();
    }

    private static JsonValue container(Location location, List<RangeFigures> ranges) {
        return Obj.builder()
                .put("database", location.database())
                .put("container", location.container())
                .put("ranges", new Arr(ranges.stream().map(RangeReport::range).toList()))
                .build();
    }

    private static JsonValue range(RangeFigures figures) {
        var usage = figures.usage();
        return Obj.builder()
                .put("id", figures.range().name())
                .put("min", figures.range().epks().min().toString())
                .put("max", figures.range().epks().max().toString())
                .put("documents", (double) figures.items())
                .put("bytes", (double) figures.itemBytes())
                .put("indexBytes", (double) figures.indexBytes())
                .put("requestUnits", hundredths(usage.total()))
                .put("peak", hundredths(usage.peak()))
                .put(
                        "minutes",
                        new Arr(usage.minutes().stream()
                                .<JsonValue>map(used -> new Num(hundredths(used)))
                                .toList()))
                .build();
    }

    private static double hundredths(double figure) {
        return Math.round(figure * 100) / 100.0;
    }
}
