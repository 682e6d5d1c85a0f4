package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Version;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Bars for the versions of each request on a logarithmic scale, each with a mark where the reference is. */
final class BarChart {
    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 360;
    private static final int LEFT = 56;
    private static final int TOP = 12;
    private static final int BOTTOM = 48;
    private static final int BAR = 24;
    private static final int GAP = 3;

    private final String unit;
    private final ToDoubleFunction<Row> ours;
    private final ToDoubleFunction<Row> reference;

    BarChart(String unit, ToDoubleFunction<Row> ours, ToDoubleFunction<Row> reference) {
        this.unit = unit;
        this.ours = ours;
        this.reference = reference;
    }

    String svg(List<Row> rows) {
        var scale = scale(rows);
        var svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s of each request and version\">\n"
                        .formatted(WIDTH, HEIGHT, unit));
        for (int power = scale.low(); power <= scale.high(); power++) {
            svg.append(gridLine(scale, power));
        }
        var requests = Request.values();
        double group = (double) (WIDTH - LEFT) / requests.length;
        for (int i = 0; i < requests.length; i++) {
            var request = requests[i];
            double left = LEFT + i * group + (group - Version.values().length * (BAR + GAP)) / 2;
            rows.stream().filter(row -> row.request() == request).forEach(row -> svg.append(bar(scale, row, left)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"request\" x=\"%.1f\" y=\"%d\">%s</text>\n",
                    LEFT + (i + 0.5) * group,
                    HEIGHT - 8,
                    request));
        }
        return svg.append("</svg>").toString();
    }

    /** From which power of ten to which. */
    private record Scale(int low, int high) {
        double y(double value) {
            double share = (Math.log10(value) - low) / (high - low);
            return HEIGHT - BOTTOM - Math.clamp(share, 0, 1) * (HEIGHT - BOTTOM - TOP);
        }
    }

    private Scale scale(List<Row> rows) {
        var values = rows.stream()
                .flatMapToDouble(row -> DoubleStream.of(ours.applyAsDouble(row), reference.applyAsDouble(row)))
                .summaryStatistics();
        // The smallest must still be seen as a bar, also when it is a power of ten.
        int low = (int) Math.ceil(Math.log10(values.getMin())) - 1;
        return new Scale(low, Math.max(low + 1, (int) Math.ceil(Math.log10(values.getMax()))));
    }

    private String gridLine(Scale scale, int power) {
        double y = scale.y(Math.pow(10, power));
        return String.format(
                        Locale.ROOT,
                        "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                        LEFT,
                        WIDTH,
                        y,
                        y)
                + String.format(
                        Locale.ROOT,
                        "<text class=\"scale\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                        LEFT - 6,
                        y + 4,
                        power < 0
                                ? String.format(Locale.ROOT, "%." + -power + "f", Math.pow(10, power))
                                : String.format(Locale.ROOT, "%,.0f", Math.pow(10, power)));
    }

    private String bar(Scale scale, Row row, double left) {
        int place = switch (row.version()) {
            case V1 -> 0;
            case V2 -> 1;
            case V3 -> 2;
        };
        double x = left + place * (BAR + GAP);
        double y = scale.y(ours.applyAsDouble(row));
        double mark = scale.y(reference.applyAsDouble(row));
        return String.format(
                        Locale.ROOT,
                        "<g><title>%s %s: %.2f %s, reference %.2f %s</title>",
                        row.request(),
                        row.version(),
                        ours.applyAsDouble(row),
                        unit,
                        reference.applyAsDouble(row),
                        unit)
                + String.format(
                        Locale.ROOT,
                        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" rx=\"2\"/>",
                        row.version().name().toLowerCase(Locale.ROOT),
                        x,
                        y,
                        BAR,
                        HEIGHT - BOTTOM - y)
                + String.format(
                        Locale.ROOT,
                        "<line class=\"reference\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                        x - 1,
                        x + BAR + 1,
                        mark,
                        mark)
                + String.format(
                        Locale.ROOT,
                        "<text class=\"version\" x=\"%.1f\" y=\"%d\">%s</text></g>\n",
                        x + BAR / 2.0,
                        HEIGHT - BOTTOM + 16,
                        row.version());
    }
}
