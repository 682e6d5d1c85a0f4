package dev.orrery.example.publishing.demo;

import java.util.Locale;

/** What every method takes in each region, and what it takes to ask another region instead. */
final class PairChart {
    private static final int WIDTH = 1_000;
    private static final int LEFT = 190;
    private static final int RIGHT = 24;
    private static final int TOP = 22;
    private static final int ROW = 17;
    private static final int GAP = 14;

    private final Result result;
    private final LogScale scale = new LogScale(0, 3, LEFT, WIDTH - RIGHT);

    PairChart(Result result) {
        this.result = result;
    }

    String svg() {
        int group = result.regions().size() * ROW + GAP;
        int height = TOP + Method.values().length * group;
        var svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"milliseconds of each method, here and elsewhere\">\n"
                        .formatted(WIDTH, height));
        for (double mark : scale.marks()) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                            + "<text class=\"scale mid\" x=\"%.1f\" y=\"12\">%s</text>\n",
                    scale.place(mark),
                    scale.place(mark),
                    TOP,
                    height,
                    scale.place(mark),
                    LogScale.words(mark)));
        }
        int y = TOP + GAP / 2;
        for (var method : Method.values()) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"method end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                    LEFT - 14,
                    y + result.regions().size() * ROW / 2.0 + 4,
                    method.title()));
            for (var region : result.regions()) {
                svg.append(row(region, method, y + ROW / 2.0));
                y += ROW;
            }
            y += GAP;
        }
        return svg.append("</svg>").toString();
    }

    private String row(Region region, Method method, double y) {
        var near = result.times(region, method, false);
        var far = result.times(region, method, true);
        if (near.count() == 0) {
            return "";
        }
        var style = HtmlReport.style(region);
        var svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<g><title>%s in %s: %s ms, p99 %s ms; from another region %s ms</title>",
                method.title(),
                region,
                TextReport.millis(near.p50()),
                TextReport.millis(near.p99()),
                TextReport.millis(far.p50())));
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"range %s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                style,
                scale.place(near.p50()),
                scale.place(near.p99()),
                y,
                y));
        svg.append(String.format(
                Locale.ROOT,
                "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>",
                style,
                scale.place(near.p50()),
                y));
        if (far.count() > 0) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle class=\"ring %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"/>",
                    style,
                    scale.place(far.p50()),
                    y));
        }
        return svg.append("</g>\n").toString();
    }
}
