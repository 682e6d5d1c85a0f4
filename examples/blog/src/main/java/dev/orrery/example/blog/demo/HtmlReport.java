package dev.orrery.example.blog.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;

/** The result as a page for a browser, with charts, that needs nothing else. */
final class HtmlReport {
    private HtmlReport() {}

    static String html(Result result) {
        return template()
                .replace("{{facts}}", facts(result))
                .replace(
                        "{{latency}}",
                        new BarChart(
                                        "ms",
                                        Row::p50Millis,
                                        row -> row.reference().millis())
                                .svg(result.rows()))
                .replace(
                        "{{charge}}",
                        new BarChart("RU", Row::units, row -> row.reference().units()).svg(result.rows()))
                .replace("{{rows}}", rows(result))
                .replace("✅", drawn("lean", "M4.5 8.5l2.5 2.5 4.5-5.5"))
                .replace("⚠", drawn("costly", "M8 4v5M8 11v1"));
    }

    /** A mark that looks the same where no font has it. */
    private static String drawn(String mark, String path) {
        return "<svg class=\"mark %s\" viewBox=\"0 0 16 16\" role=\"img\" aria-label=\"%s\"><circle cx=\"8\" cy=\"8\" r=\"8\"/><path d=\"%s\"/></svg>"
                .formatted(mark, mark, path);
    }

    private static String facts(Result result) {
        return TextReport.facts(result).stream()
                .map(fact -> "<li>" + escape(fact) + "</li>")
                .collect(Collectors.joining("\n"));
    }

    private static String rows(Result result) {
        var rows = new StringBuilder();
        for (var request : Request.values()) {
            var versions = result.rows().stream()
                    .filter(row -> row.request() == request)
                    .toList();
            for (int i = 0; i < versions.size(); i++) {
                rows.append(i == 0 ? "<tr class=\"first\">" : "<tr>");
                if (i == 0) {
                    rows.append("<th rowspan=\"%d\" scope=\"rowgroup\">%s<span>%s</span></th>"
                            .formatted(versions.size(), request, escape(request.title())));
                }
                rows.append(cells(versions.get(i))).append("</tr>\n");
            }
        }
        return rows.toString();
    }

    private static String cells(Row row) {
        return String.format(
                Locale.ROOT,
                "<td>%s</td><td>%s</td><td>%d</td><td>%.2f</td><td>%.2f</td><td>%.2f</td><td>%.2f</td><td>%s</td><td>%s</td>",
                row.version(),
                row.mark(),
                row.reference().millis(),
                row.reference().units(),
                row.p50Millis(),
                row.p99Millis(),
                row.units(),
                TextReport.ratio(row.millisRatio()),
                TextReport.ratio(row.unitsRatio()));
    }

    static String escape(String text) {
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
