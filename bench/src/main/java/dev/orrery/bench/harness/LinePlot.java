package dev.orrery.bench.harness;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Lines over two logarithmic axes, as an SVG picture that can be read without a legend. */
public record LinePlot(String title, String horizontal, String vertical, List<Line> lines) {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 190;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final int LABEL_DISTANCE = 18;
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#7a4fa3", "#444444");
    private static final double[] STEPS = {1, 2, 5};

    /** One of the lines, whose name stands at its right end. */
    public record Line(String name, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /** Both are greater than zero. */
    public record Point(double x, double y) {}

    public LinePlot {
        lines = List.copyOf(lines);
    }

    public String svg() {
        var out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT));
        out.append(String.format(Locale.ROOT, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, HEIGHT));
        text(out, LEFT, 28, "start", title, "font-size=\"16\" font-weight=\"bold\"");
        text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, "middle", horizontal, "");
        text(out, LEFT - 10, TOP - 8, "end", vertical, "");
        verticalAxis(out);
        horizontalAxis(out);
        lines(out);
        return out.append("</svg>\n").toString();
    }

    private void verticalAxis(StringBuilder out) {
        for (double power = Math.pow(10, Math.floor(Math.log10(lowest()))); power <= highest(); power *= 10) {
            for (double step : STEPS) {
                double value = power * step;
                if (value >= lowest() && value <= highest()) {
                    rule(out, LEFT, y(value), WIDTH - RIGHT, y(value));
                    text(out, LEFT - 10, y(value) + 4, "end", number(value), "");
                }
            }
        }
    }

    private void horizontalAxis(StringBuilder out) {
        var values = points().map(Point::x).distinct().sorted().toList();
        for (double value : values) {
            rule(out, x(value), TOP, x(value), HEIGHT - BOTTOM);
            text(out, x(value), HEIGHT - BOTTOM + 20, "middle", number(value), "");
        }
    }

    private void lines(StringBuilder out) {
        var sorted = lines.stream()
                .sorted(Comparator.comparingDouble(
                        (Line line) -> -line.points().getLast().y()))
                .toList();
        double label = TOP - LABEL_DISTANCE;
        for (var line : sorted) {
            var colour = COLOURS.get(lines.indexOf(line) % COLOURS.size());
            var path = new StringBuilder();
            for (var point : line.points()) {
                path.append(String.format(
                        Locale.ROOT, "%s%.1f %.1f ", path.isEmpty() ? "M" : "L", x(point.x()), y(point.y())));
                out.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n",
                        x(point.x()),
                        y(point.y()),
                        colour));
            }
            out.append(String.format(
                    Locale.ROOT,
                    "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                    path.toString().strip(),
                    colour));
            // Names of lines that end close together stand below each other.
            label = Math.max(label + LABEL_DISTANCE, y(line.points().getLast().y()) + 4);
            text(out, WIDTH - RIGHT + 12, label, "start", line.name(), "fill=\"" + colour + "\"");
        }
    }

    private double x(double value) {
        return LEFT + share(value, extreme(Point::x, false), extreme(Point::x, true)) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - share(value, lowest(), highest()) * (HEIGHT - TOP - BOTTOM);
    }

    private static double share(double value, double lowest, double highest) {
        return lowest == highest ? 0.5 : Math.log(value / lowest) / Math.log(highest / lowest);
    }

    /** The axis begins and ends at a line of its own. */
    private double lowest() {
        double power = Math.pow(10, Math.floor(Math.log10(extreme(Point::y, false))));
        double lowest = power;
        for (double step : STEPS) {
            lowest = power * step <= extreme(Point::y, false) ? power * step : lowest;
        }
        return lowest;
    }

    private double highest() {
        double power = Math.pow(10, Math.floor(Math.log10(extreme(Point::y, true))));
        for (double step : STEPS) {
            if (power * step > extreme(Point::y, true)) {
                return power * step;
            }
        }
        return power * 10;
    }

    private double extreme(ToDoubleFunction<Point> side, boolean most) {
        var all = points().mapToDouble(side);
        return (most ? all.max() : all.min()).orElseThrow();
    }

    private Stream<Point> points() {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    private static String number(double value) {
        return value < 10 && value != Math.rint(value)
                ? String.format(Locale.ROOT, "%.1f", value)
                : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static void rule(StringBuilder out, double x1, double y1, double x2, double y2) {
        out.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String words, String more) {
        var escaped = words.replace("&", "&amp;").replace("<", "&lt;");
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n",
                x,
                y,
                anchor,
                more,
                escaped));
    }
}
