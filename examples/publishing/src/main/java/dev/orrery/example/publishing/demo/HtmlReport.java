package dev.orrery.example.publishing.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The results as a page with charts that needs nothing else: those of the last layout, and the others beside it. */
final class HtmlReport {
    private HtmlReport() {}

    static String html(Comparison comparison) {
        var result = comparison.results().getLast();
        return template()
                .replace("{{layout}}", layout(result.layout()))
                .replace("{{lagOf}}", lagOf(result.layout()))
                .replace("{{comparison}}", comparison(comparison))
                .replace("{{conflicts}}", conflicts(result.settling()))
                .replace("{{count}}", result.regions().size() == 2 ? "two" : "three")
                .replace("{{apart}}", Integer.toString(result.apartMillis()))
                .replace("{{cards}}", cards(comparison, result))
                .replace("{{legend}}", legend(result))
                .replace("{{pairs}}", new PairChart(result).svg())
                .replace("{{waits}}", panels(result, "what people waited in ", HtmlReport::waits))
                .replace("{{sightings}}", panels(result, "what was seen in ", HtmlReport::sightings))
                .replace("{{lagPanels}}", panels(result, "how far behind copies were in ", HtmlReport::lagDots))
                .replace("{{events}}", events(result))
                .replace("{{latencies}}", latencies(result))
                .replace("{{lagHead}}", lagHead(result))
                .replace("{{lags}}", lags(result))
                .replace("{{facts}}", items(TextReport.facts(result)))
                .replace("{{complaints}}", complaints(comparison));
    }

    private static String layout(Layout layout) {
        return switch (layout) {
            case ACCOUNT_PER_REGION ->
                "Every region has an account of its own, which it writes; the accounts of the others it reads in copies"
                        + " next door.";
            case ONE_ACCOUNT ->
                "There is one account. Every region writes it and reads it next door; one of them settles what several"
                        + " have written at once.";
        };
    }

    private static String lagOf(Layout layout) {
        return switch (layout) {
            case ACCOUNT_PER_REGION ->
                "the age of the first change that a copy in that region did not have yet. The colour is where the"
                        + " account is written.";
            case ONE_ACCOUNT ->
                "the age of the first change that was settled and that region did not have yet. The colour is the"
                        + " region that settled at first.";
        };
    }

    private static String comparison(Comparison comparison) {
        if (comparison.results().size() < 2) {
            return "";
        }
        var head = comparison.titles().stream()
                .map(title -> "<th>" + title + "</th>")
                .collect(Collectors.joining());
        var rows = comparison.rows().stream()
                .map(row -> "<tr class=\"first\"><th scope=\"row\">" + row.words() + "</th>"
                        + row.figures().stream()
                                .map(figure -> "<td>" + figure + "</td>")
                                .collect(Collectors.joining())
                        + "</tr>")
                .collect(Collectors.joining("\n"));
        return """
            <h2>Beside each other</h2>
            <p>The same people on the same platform, laid out in two ways. Times are p50 / p99 in people's own region,
            while all regions were up. Everything below is about the last one.</p>
            <div class="wide">
            <table>
            <thead><tr><th></th>%s</tr></thead>
            <tbody>
            %s
            </tbody>
            </table>
            </div>
            """.formatted(head, rows);
    }

    private static String conflicts(Settling settling) {
        if (settling.allWrites() == 0) {
            return "";
        }
        var head = Settling.OUTCOMES.stream()
                .map(outcome -> "<th>" + outcome + "</th>")
                .collect(Collectors.joining());
        var rows = settling.kinds().stream()
                .map(kind -> "<tr class=\"first\"><th scope=\"row\">" + kind.replace('_', ' ') + "</th>"
                        + Settling.OUTCOMES.stream()
                                .map(outcome ->
                                        String.format(Locale.ROOT, "<td>%,d</td>", settling.count(kind, outcome)))
                                .collect(Collectors.joining())
                        + "</tr>")
                .collect(Collectors.joining("\n"));
        return """
            <h2>Conflicts, and how they were settled</h2>
            <p>Of %,d writes %,d met another one of the same item that their region did not know of. The merge procedure of
            the platform lets an article that was published in several regions at once remember the titles of all.</p>
            <div class="wide">
            <table>
            <thead><tr><th></th>%s</tr></thead>
            <tbody>
            %s
            </tbody>
            </table>
            </div>
            """.formatted(settling.allWrites(), settling.allConflicts(), head, rows);
    }

    /** The class that a region has on the page. */
    static String style(Region region) {
        return switch (region) {
            case WEST_US -> "west";
            case NORTH_EUROPE -> "north";
            case SOUTHEAST_ASIA -> "southeast";
        };
    }

    private static String cards(Comparison comparison, Result result) {
        var verdict = result.verdict();
        int complaints = complaintsOf(comparison).size();
        boolean right = complaints == 0;
        var cards = new ArrayList<String>();
        cards.add(card(
                right ? "good" : "bad",
                right ? "nothing lost" : complaints + " complaints",
                String.format(Locale.ROOT, "%,d acknowledged writes looked for in the end", verdict.acknowledged())));
        cards.add(card(
                right ? "good" : "bad",
                right ? "all regions agree" : "see below",
                String.format(Locale.ROOT, "%,d items compared with their copies", verdict.compared())));
        cards.add(card("", pair(result, true), "ms to write in this region, or in another (p50)"));
        cards.add(card("", pair(result, false), "ms to read in this region, or in another (p50)"));
        return String.join("\n", cards);
    }

    private static String card(String style, String figure, String words) {
        return "<div class=\"card %s\"><b>%s</b><span>%s</span></div>".formatted(style, figure, words);
    }

    /** The middle of all methods that write, or of all that read, here and elsewhere. */
    private static String pair(Result result, boolean write) {
        return TextReport.millis(middle(result, write, false)) + " <i>/</i> "
                + TextReport.millis(middle(result, write, true));
    }

    private static double middle(Result result, boolean write, boolean far) {
        return Quantiles.of(result.calls().stream()
                        .filter(call -> call.method().isWrite() == write && call.far() == far && !call.failed())
                        // Publishing is many requests.
                        .filter(call -> call.method() != Method.PUBLISH && result.isCalm(call.atMillis()))
                        .mapToDouble(Call::millis)
                        .toArray())
                .p50();
    }

    private static String legend(Result result) {
        return result.regions().stream()
                .map(region -> "<span><i class=\"swatch %s\"></i>%s</span>".formatted(style(region), region))
                .collect(Collectors.joining("\n"));
    }

    private static String panels(Result result, String words, BiFunction<Result, Region, List<DotChart.Dot>> dots) {
        return result.regions().stream()
                .map(region -> "<h3><i class=\"swatch %s\"></i>in %s</h3>\n<div class=\"wide chart\">%s</div>"
                        .formatted(
                                style(region),
                                region,
                                new DotChart(result).svg(words + region, dots.apply(result, region))))
                .collect(Collectors.joining("\n"));
    }

    private static List<DotChart.Dot> waits(Result result, Region here) {
        return result.calls().stream()
                .filter(call -> call.region() == here && !call.far() && call.atMillis() >= result.fromMillis())
                .map(call -> new DotChart.Dot(
                        call.atMillis(), call.millis(), call.method().isWrite() ? "write" : "read", call.failed()))
                .toList();
    }

    private static List<DotChart.Dot> sightings(Result result, Region here) {
        return result.sightings().stream()
                .filter(sighting -> sighting.here() == here && sighting.atMillis() >= result.fromMillis())
                .map(sighting -> new DotChart.Dot(
                        sighting.atMillis(), Math.max(1, sighting.laterMillis()), style(sighting.origin()), false))
                .toList();
    }

    private static List<DotChart.Dot> lagDots(Result result, Region here) {
        return result.lags().stream()
                .filter(lag -> lag.here() == here && lag.account() != here)
                .map(lag -> new DotChart.Dot(lag.atMillis(), Math.max(1, lag.millis()), style(lag.account()), false))
                .toList();
    }

    private static String events(Result result) {
        return result.events().stream()
                .map(event -> String.format(
                        Locale.ROOT,
                        "<li><b>%.1f s</b> %s</li>",
                        (event.atMillis() - result.fromMillis()) / 1e3,
                        event.words()))
                .collect(Collectors.joining("\n"));
    }

    private static String latencies(Result result) {
        var rows = new StringBuilder();
        for (var method : Method.values()) {
            boolean first = true;
            for (var region : result.regions()) {
                rows.append(first ? "<tr class=\"first\">" : "<tr>");
                if (first) {
                    rows.append("<th scope=\"rowgroup\" rowspan=\"%d\">%s</th>"
                            .formatted(result.regions().size(), method.title()));
                }
                rows.append("<td class=\"name\"><i class=\"swatch %s\"></i>%s</td>".formatted(style(region), region));
                for (boolean far : new boolean[] {false, true}) {
                    var times = result.times(region, method, far);
                    rows.append("<td>%s</td><td>%s</td><td>%d</td>"
                            .formatted(TextReport.millis(times.p50()), TextReport.millis(times.p99()), times.count()));
                }
                rows.append("</tr>\n");
                first = false;
            }
        }
        return rows.toString();
    }

    private static String lagHead(Result result) {
        return result.regions().stream()
                .map(region -> "<th colspan=\"2\">in " + region + "</th>")
                .collect(Collectors.joining());
    }

    private static String lags(Result result) {
        return result.regions().stream()
                .map(origin -> "<tr class=\"first\"><th scope=\"row\"><i class=\"swatch %s\"></i>%s</th>"
                                .formatted(style(origin), origin)
                        + result.regions().stream()
                                .map(here -> result.lag(origin, here))
                                .map(lag -> "<td>%s</td><td>%s</td>"
                                        .formatted(TextReport.millis(lag.p50()), TextReport.millis(lag.p99())))
                                .collect(Collectors.joining())
                        + "</tr>")
                .collect(Collectors.joining("\n"));
    }

    private static List<String> complaintsOf(Comparison comparison) {
        return comparison.results().stream()
                .flatMap(result -> result.verdict().complaints().stream())
                .toList();
    }

    private static String complaints(Comparison comparison) {
        var complaints = complaintsOf(comparison);
        return complaints.isEmpty()
                ? ""
                : "<h2>What is not as it should be</h2>\n<ul class=\"complaints\">\n" + items(complaints) + "\n</ul>";
    }

    private static String items(List<String> lines) {
        return lines.stream().map(line -> "<li>" + escape(line) + "</li>").collect(Collectors.joining("\n"));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String template() {
        try (var file = HtmlReport.class.getResourceAsStream("report.html")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
