package dev.orrery.server;

import dev.orrery.engine.advice.Advice;
import dev.orrery.engine.advice.Finding;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.time.temporal.ChronoUnit;

/** Advice as programs read it. */
final class AdviceReport {
    private AdviceReport() {}

    static Obj json(Advice advice) {
        return Obj.builder()
                .put("since", advice.since().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("requests", (double) advice.requests())
                .put("charge", hundredths(advice.charge()))
                .put(
                        "findings",
                        new Arr(advice.findings().stream()
                                .map(AdviceReport::json)
                                .toList()))
                .build();
    }

    private static JsonValue json(Finding finding) {
        var charge = finding.charge();
        return Obj.builder()
                .put("kind", finding.kind().label())
                .put("database", finding.location().database())
                .put("container", finding.location().container())
                .put("title", finding.title())
                .put(
                        "seen",
                        new Arr(finding.seen().stream().<JsonValue>map(Str::new).toList()))
                .put("proposal", finding.proposal())
                .put("unit", charge.unit())
                .put("count", (double) charge.count())
                .put("before", hundredths(charge.before()))
                .put("after", hundredths(charge.after()))
                .put("saved", hundredths(charge.saved()))
                .build();
    }

    private static double hundredths(double requestUnits) {
        return Math.round(requestUnits * 100) / 100.0;
    }
}
