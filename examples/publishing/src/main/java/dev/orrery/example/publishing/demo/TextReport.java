package dev.orrery.example.publishing.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The result as tables for a terminal. */
final class TextReport {
    private TextReport() {}

    static void print(Result result, PrintStream out) {
        out.println();
        out.println("A publishing platform on " + result.layout().title());
        out.println();
        out.println("Milliseconds               this region              another region, " + result.apartMillis()
                + " ms apart");
        out.println("                           p50      p99    calls        p50      p99    calls");
        for (var region : result.regions()) {
            out.println(region);
            for (var method : Method.values()) {
                var near = result.times(region, method, false);
                var far = result.times(region, method, true);
                out.printf(
                        Locale.ROOT,
                        "  %-22s %6s %8s %8d     %6s %8s %8d%n",
                        method.title(),
                        millis(near.p50()),
                        millis(near.p99()),
                        near.count(),
                        millis(far.p50()),
                        millis(far.p99()),
                        far.count());
            }
        }
        out.println();
        out.println("Milliseconds until what was written is seen, p50 and p99");
        out.printf("%-18s", "written in");
        result.regions().forEach(here -> out.printf("%20s", "in " + here));
        out.println();
        for (var origin : result.regions()) {
            out.printf("%-18s", origin);
            for (var here : result.regions()) {
                var lag = result.lag(origin, here);
                out.printf("%20s", millis(lag.p50()) + " / " + millis(lag.p99()));
            }
            out.println();
        }
        out.println();
        for (var event : result.events()) {
            out.printf(Locale.ROOT, "%6.1f s  %s%n", (event.atMillis() - result.fromMillis()) / 1e3, event.words());
        }
        out.println();
        conflicts(result.settling()).forEach(out::println);
        facts(result).forEach(out::println);
        result.verdict().complaints().forEach(complaint -> out.println("  " + complaint));
    }

    /** What kinds of conflicts there were and what has become of them; nothing where there can be none. */
    private static List<String> conflicts(Settling settling) {
        if (settling.allWrites() == 0) {
            return List.of();
        }
        var lines = new ArrayList<String>();
        lines.add("Conflicts, and how they were settled");
        lines.add(String.format("%-18s", "conflict")
                + Settling.OUTCOMES.stream()
                        .map(outcome -> String.format("%10s", outcome))
                        .collect(Collectors.joining()));
        for (var kind : settling.kinds()) {
            lines.add(String.format("%-18s", kind.replace('_', ' '))
                    + Settling.OUTCOMES.stream()
                            .map(outcome -> String.format(Locale.ROOT, "%,10d", settling.count(kind, outcome)))
                            .collect(Collectors.joining()));
        }
        lines.add("");
        return lines;
    }

    /** The figures of several layouts beside each other. */
    static void print(Comparison comparison, PrintStream out) {
        out.println();
        out.println("Beside each other, in people's own region, p50 / p99");
        out.printf("%-58s", "");
        comparison.titles().forEach(title -> out.printf("  %s", title));
        out.println();
        for (var row : comparison.rows()) {
            out.printf("%-58s", row.words());
            for (int i = 0; i < row.figures().size(); i++) {
                int width = comparison.titles().get(i).length();
                out.printf("  %" + width + "s", row.figures().get(i));
            }
            out.println();
        }
    }

    static String millis(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
    }

    /** What was proved, and what one has to know to read the figures. */
    static List<String> facts(Result result) {
        var verdict = result.verdict();
        var facts = new ArrayList<String>();
        facts.add(String.format(
                Locale.ROOT,
                "%,d writes were acknowledged, and %s; %,d got no answer.",
                verdict.acknowledged(),
                verdict.complaints().isEmpty() ? "every one is accounted for in the end" : "NOT all is as it should be",
                verdict.unknown()));
        if (verdict.told() > 0) {
            facts.add(String.format(
                    Locale.ROOT,
                    switch (result.layout()) {
                        case ACCOUNT_PER_REGION ->
                            "%,d of them had not left the lost region when another took over; they are in the"
                                    + " conflicts feed.";
                        case ONE_ACCOUNT -> "%,d of them are in the conflicts feed.";
                    },
                    verdict.told()));
        }
        if (verdict.merged() > 0) {
            facts.add(String.format(
                    Locale.ROOT,
                    "%,d of them met one of another region at the same article, which tells of both.",
                    verdict.merged()));
        }
        facts.add(String.format(
                Locale.ROOT,
                "%,d articles were published in all regions at once; of %,d of them readers of all regions find the"
                        + " same.",
                result.news().published(),
                result.news().alike()));
        var settling = result.settling();
        if (settling.allWrites() > 0) {
            facts.add(String.format(
                    Locale.ROOT,
                    "%,d writes were settled, %,d of them conflicts; it took %s on average until a write was settled"
                            + " and shown where it was made.",
                    settling.allWrites(),
                    settling.allConflicts(),
                    result.regions().stream()
                            .filter(settling.confirmMillis()::containsKey)
                            .map(region -> millis(settling.confirmMillis().get(region)) + " ms in " + region)
                            .collect(Collectors.joining(", "))));
        }
        facts.add(String.format(
                Locale.ROOT,
                "%,d items were compared with their copies in other regions, %,d comparisons in all.",
                verdict.items(),
                verdict.compared()));
        facts.add(String.format(
                Locale.ROOT,
                "%,d processes, ready after %.1f s; the largest has needed %.0f MB.",
                result.processCount(),
                result.startSeconds(),
                result.bytesMax() / 1e6));
        return facts;
    }
}
