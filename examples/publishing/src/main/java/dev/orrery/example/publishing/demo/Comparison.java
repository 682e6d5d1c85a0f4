package dev.orrery.example.publishing.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The same people on the same platform, laid out in two ways.
 *
 * @param results one for each layout
 */
record Comparison(List<Result> results) {
    /**
     * One figure of each layout.
     *
     * @param figures in the order of the results
     */
    record Row(String words, List<String> figures) {
        Row {
            figures = List.copyOf(figures);
        }
    }

    Comparison {
        results = List.copyOf(results);
    }

    List<String> titles() {
        return results.stream().map(result -> result.layout().title()).toList();
    }

    List<Row> rows() {
        var rows = new ArrayList<Row>();
        for (var method : Method.values()) {
            rows.add(row(method.title() + ", ms", result -> pair(result.times(method))));
        }
        rows.add(row("a review seen in another region after, ms", result -> pair(result.lagElsewhere())));
        rows.add(row("calls without an answer", result -> Long.toString(result.unanswered())));
        rows.add(row(
                "news of all regions at once, of which all find the same",
                result -> "%d of %d"
                        .formatted(result.news().alike(), result.news().published())));
        rows.add(row(
                "acknowledged writes",
                result -> String.format(Locale.ROOT, "%,d", result.verdict().acknowledged())));
        rows.add(row("processes", result -> Long.toString(result.processCount())));
        rows.add(row("their largest, MB", result -> String.format(Locale.ROOT, "%.0f", result.bytesMax() / 1e6)));
        return rows;
    }

    private Row row(String words, Function<Result, String> figure) {
        return new Row(words, results.stream().map(figure).toList());
    }

    private static String pair(Quantiles times) {
        return TextReport.millis(times.p50()) + " / " + TextReport.millis(times.p99());
    }
}
