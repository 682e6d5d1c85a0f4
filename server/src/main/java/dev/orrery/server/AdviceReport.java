package dev.orrery.server;

import dev.orrery.engine.advice.Advice;
import dev.orrery.engine.advice.ContainerUse;
import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.advice.Finding;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

/** Advice as programs read it. */
final class AdviceReport {
    private AdviceReport() {}

    static Obj json(Advice advice) {
        return Obj.builder()
                .put("since", advice.since().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("requests", (double) advice.requests())
                .put("charge", hundredths(advice.charge()))
                .put("containers", array(advice.containers(), AdviceReport::json))
                .put("findings", array(advice.findings(), AdviceReport::json))
                .build();
    }

    private static JsonValue json(ContainerUse use) {
        return Obj.builder()
                .put("database", use.location().database())
                .put("container", use.location().container())
                .put("requests", (double) use.requests())
                .put("charge", hundredths(use.charge()))
                .put("queries", array(use.queries(), AdviceReport::json))
                .build();
    }

    private static JsonValue json(QueryUse use) {
        return Obj.builder()
                .put("query", use.text())
                .put("namesPartitionKey", use.keyed())
                .put("calls", (double) use.calls())
                .put("chargePerCall", hundredths(use.charge()))
                .put("partitionsPerCall", hundredths(use.partitions()))
                .put("itemsLoadedPerCall", hundredths(use.itemsLoaded()))
                .put("rowsPerCall", hundredths(use.rows()))
                .build();
    }

    private static JsonValue json(Finding finding) {
        var charge = finding.charge();
        return Obj.builder()
                .put("kind", finding.kind().label())
                .put("database", finding.location().database())
                .put("container", finding.location().container())
                .put("title", finding.title())
                .put("seen", array(finding.seen(), Str::new))
                .put("proposal", finding.proposal())
                .put("unit", charge.unit())
                .put("count", (double) charge.count())
                .put("before", hundredths(charge.before()))
                .put("after", hundredths(charge.after()))
                .put("upkeep", hundredths(charge.upkeep()))
                .put("saved", hundredths(charge.saved()))
                .build();
    }

    private static <T> Arr array(List<T> all, Function<T, JsonValue> json) {
        return new Arr(all.stream().map(json).toList());
    }

    private static double hundredths(double figure) {
        return Math.round(figure * 100) / 100.0;
    }
}
