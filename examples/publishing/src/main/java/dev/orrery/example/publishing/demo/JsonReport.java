package dev.orrery.example.publishing.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The result for programs. */
final class JsonReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonReport() {}

    static String text(Result result) {
        return json(result).toPrettyString() + "\n";
    }

    /** All results, by their layouts. */
    static String text(Comparison comparison) {
        var root = JSON.createObjectNode();
        comparison
                .results()
                .forEach(result -> root.set(
                        switch (result.layout()) {
                            case ACCOUNT_PER_REGION -> "accountPerRegion";
                            case ONE_ACCOUNT -> "oneAccount";
                        },
                        json(result)));
        return root.toPrettyString() + "\n";
    }

    private static ObjectNode json(Result result) {
        var root = JSON.createObjectNode()
                .put("apartMillis", result.apartMillis())
                .put("startSeconds", round(result.startSeconds()));
        var latencies = root.putArray("latencies");
        for (var region : result.regions()) {
            for (var method : Method.values()) {
                for (boolean far : new boolean[] {false, true}) {
                    var row =
                            latencies.addObject().put("region", region.title()).put("method", method.title());
                    put(row.put("remote", far), result.times(region, method, far));
                }
            }
        }
        var lags = root.putArray("seenLater");
        for (var origin : result.regions()) {
            for (var here : result.regions()) {
                var row = lags.addObject().put("writtenIn", origin.title()).put("seenIn", here.title());
                put(row, result.lag(origin, here));
            }
        }
        var events = root.putArray("events");
        for (var event : result.events()) {
            events.addObject()
                    .put("seconds", round((event.atMillis() - result.fromMillis()) / 1e3))
                    .put("kind", event.kind().name())
                    .put("words", event.words());
        }
        var processes = root.putArray("processes");
        for (var process : result.processes()) {
            processes
                    .addObject()
                    .put("account", process.account())
                    .put("region", process.region().title())
                    .put("bytesMax", process.bytesMax());
        }
        var verdict = result.verdict();
        root.put("acknowledged", verdict.acknowledged())
                .put("unknown", verdict.unknown())
                .put("inConflictsFeed", verdict.told())
                .put("merged", verdict.merged())
                .put("publishedEverywhere", result.news().published())
                .put("foundAlike", result.news().alike())
                .put("items", verdict.items())
                .put("compared", verdict.compared());
        var complaints = root.putArray("complaints");
        verdict.complaints().forEach(complaints::add);
        if (result.settling().allWrites() > 0) {
            root.set("settled", settled(result.settling()));
        }
        return root;
    }

    private static ObjectNode settled(Settling settling) {
        var settled = JSON.createObjectNode();
        settling.writes().forEach(settled::put);
        var conflicts = settled.putObject("conflicts");
        for (var kind : settling.kinds()) {
            var outcomes = conflicts.putObject(kind);
            Settling.OUTCOMES.forEach(outcome -> outcomes.put(outcome, settling.count(kind, outcome)));
        }
        var confirmed = settled.putObject("confirmedMs");
        settling.confirmMillis().forEach((region, millis) -> confirmed.put(region.title(), round(millis)));
        return settled;
    }

    private static void put(ObjectNode row, Quantiles times) {
        row.put("count", times.count());
        if (times.count() > 0) {
            row.put("p50Ms", round(times.p50())).put("p99Ms", round(times.p99()));
        }
    }

    private static double round(double value) {
        return Math.round(value * 1_000) / 1_000.0;
    }
}
