package dev.orrery.bench.harness;

import dev.orrery.bench.harness.Contender.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The results as a page of Markdown, whose tables are aligned so that they can be read as they are. */
public final class Report {
    private static final String UNKNOWN = "–";

    private final String begin;
    private final String end;
    private final List<String> blocks = new ArrayList<>();

    /** Of one kind of measurements, whose name is in the marks of the page. */
    public Report(String name) {
        begin = "<!-- bench " + name + ": begin -->";
        end = "<!-- bench " + name + ": end -->";
    }

    public void add(String block) {
        blocks.add(block);
    }

    /**
     * Adds a table.
     *
     * @param rows the first one is the head
     */
    public void addTable(String title, List<List<String>> rows) {
        blocks.add("### " + title);
        blocks.add(table(rows));
    }

    public String text() {
        return String.join("\n\n", blocks) + "\n";
    }

    /** Puts the report between the two marks of a page, in place of what is there. */
    public void writeInto(Path page) {
        try {
            Files.writeString(page, replaceSection(Files.readString(page), text()));
        } catch (IOException e) {
            throw new BenchException("Cannot write the report to " + page + ": " + e, e);
        }
    }

    public String replaceSection(String page, String section) {
        int start = page.indexOf(begin);
        int stop = page.indexOf(end);
        if (start < 0 || stop < start) {
            throw new BenchException(
                    "The page has no place for the report: it needs the lines " + begin + " and " + end);
        }
        return page.substring(0, start + begin.length()) + "\n\n" + section + "\n" + page.substring(stop);
    }

    /** One line for a number of connections: what each contender does, and the rate of the first against the second. */
    public static List<String> row(int connections, List<Sample> samples) {
        var cells = new ArrayList<String>();
        cells.add(Integer.toString(connections));
        for (Sample sample : samples) {
            cells.add(whole(sample.requestsPerSecond()));
            cells.add(whole(sample.cpuMicros()));
        }
        cells.add(percent(samples.get(0).requestsPerSecond() / samples.get(1).requestsPerSecond()));
        return cells;
    }

    public static List<String> head(List<String> contenders) {
        var cells = new ArrayList<String>();
        cells.add("connections");
        for (String name : contenders) {
            cells.add(name + " req/s");
            cells.add("CPU µs");
        }
        cells.add(contenders.get(0) + " / " + contenders.get(1));
        return cells;
    }

    /** Each figure's own median: one disturbed round changes nothing. */
    public static Sample median(Collection<Sample> samples) {
        return new Sample(
                median(samples.stream().mapToDouble(Sample::requestsPerSecond).toArray()),
                median(samples.stream().mapToDouble(Sample::cpuMicros).toArray()));
    }

    public static double median(double... values) {
        var sorted = Arrays.stream(values).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public static String whole(double value) {
        return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%,.0f", value);
    }

    public static String percent(double share) {
        return Double.isNaN(share) ? UNKNOWN : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    public static String measured(OptionalDouble value, String pattern) {
        return value.isPresent() ? String.format(Locale.ROOT, pattern, value.getAsDouble()) : UNKNOWN;
    }

    public static String table(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.getFirst().size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        var lines = rows.stream()
                .map(row -> IntStream.range(0, widths.length)
                        .mapToObj(column -> aligned(column, row.get(column), widths[column]))
                        .collect(Collectors.joining(" | ", "| ", " |")))
                .collect(Collectors.toCollection(ArrayList::new));
        lines.add(
                1,
                IntStream.range(0, widths.length)
                        .mapToObj(column -> "-".repeat(widths[column]) + (column == 0 ? "-" : ":"))
                        .collect(Collectors.joining("|-", "|-", "|")));
        return String.join("\n", lines);
    }

    /** The first column says what a row is about, the others hold figures. */
    private static String aligned(int column, String cell, int width) {
        var blanks = " ".repeat(width - cell.length());
        return column == 0 ? cell + blanks : blanks + cell;
    }
}
