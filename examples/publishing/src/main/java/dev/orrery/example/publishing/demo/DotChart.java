package dev.orrery.example.publishing.demo;

import dev.orrery.example.publishing.demo.Diary.Event;
import dev.orrery.example.publishing.demo.Diary.Event.Kind;
import java.util.List;
import java.util.Locale;

/** Dots over the time of a run, with what happened meanwhile. */
final class DotChart {
    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 190;
    private static final int LEFT = 58;
    private static final int RIGHT = 12;
    private static final int TOP = 24;
    private static final int BOTTOM = 24;
    private static final int DOTS_MAX = 4_000;
    private static final int MARKS = 8;

    /** @param style a class of the page */
    record Dot(double atMillis, double millis, String style, boolean failed) {}

    private final Result result;
    private final LogScale scale = new LogScale(0, 5, HEIGHT - BOTTOM, TOP);

    DotChart(Result result) {
        this.result = result;
    }

    String svg(String words, List<Dot> dots) {
        var svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n".formatted(WIDTH, HEIGHT, words));
        svg.append(outage());
        for (double mark : scale.marks()) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    LEFT,
                    WIDTH - RIGHT,
                    scale.place(mark),
                    scale.place(mark)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"scale end\" x=\"%d\" y=\"%.1f\">%s</text>\n",
                    LEFT - 6,
                    scale.place(mark) + 4,
                    LogScale.words(mark)));
        }
        svg.append(seconds());
        int step = dots.size() / DOTS_MAX + 1;
        for (int i = 0; i < dots.size(); i++) {
            // Of very many some are enough, but of failures none is left out.
            if (dots.get(i).failed() || i % step == 0) {
                svg.append(dot(dots.get(i)));
            }
        }
        return svg.append(events()).append("</svg>").toString();
    }

    private String dot(Dot dot) {
        double x = x(dot.atMillis());
        double y = scale.place(dot.millis());
        if (dot.failed()) {
            return String.format(
                    Locale.ROOT,
                    "<path class=\"failed\" d=\"M%.1f %.1fl6 6m0 -6l-6 6\"><title>no answer after %s"
                            + " ms</title></path>\n",
                    x - 3,
                    y - 3,
                    TextReport.millis(dot.millis()));
        }
        return String.format(
                Locale.ROOT, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", dot.style(), x, y);
    }

    private double x(double atMillis) {
        double share = (atMillis - result.fromMillis()) / (result.toMillis() - result.fromMillis());
        return LEFT + Math.clamp(share, 0, 1) * (WIDTH - LEFT - RIGHT);
    }

    /** The time without a region. */
    private String outage() {
        var lost = time(Kind.LOST, result.toMillis());
        var back = time(Kind.BACK, result.toMillis());
        return lost >= back
                ? ""
                : String.format(
                        Locale.ROOT,
                        "<rect class=\"outage\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                        x(lost),
                        TOP,
                        x(back) - x(lost),
                        HEIGHT - TOP - BOTTOM);
    }

    private double time(Kind kind, double otherwise) {
        return result.events().stream()
                .filter(event -> event.kind() == kind)
                .mapToDouble(Event::atMillis)
                .findFirst()
                .orElse(otherwise);
    }

    private String events() {
        var svg = new StringBuilder();
        double free = 0;
        for (int i = 0; i < result.events().size(); i++) {
            double x = x(result.events().get(i).atMillis());
            // Numbers of events that follow each other at once stand side by side.
            double label = Math.max(x, free);
            free = label + 15;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"event\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
                    x,
                    x,
                    TOP,
                    HEIGHT - BOTTOM));
            svg.append(String.format(
                    Locale.ROOT,
                    "<g><title>%s</title><circle class=\"number\" cx=\"%.1f\" cy=\"12\" r=\"7.5\"/>"
                            + "<text class=\"numeral\" x=\"%.1f\" y=\"15.5\">%d</text></g>\n",
                    result.events().get(i).words(),
                    label,
                    label,
                    i + 1));
        }
        return svg.toString();
    }

    private String seconds() {
        double seconds = (result.toMillis() - result.fromMillis()) / 1e3;
        double step = Math.max(5, Math.ceil(seconds / MARKS / 5) * 5);
        var svg = new StringBuilder();
        for (double second = 0; second <= seconds; second += step) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"scale mid\" x=\"%.1f\" y=\"%d\">%.0f s</text>\n",
                    x(result.fromMillis() + second * 1e3),
                    HEIGHT - 6,
                    second));
        }
        return svg.toString();
    }
}
