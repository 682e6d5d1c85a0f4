package dev.orrery.example.blog.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.example.blog.Version;
import dev.orrery.example.common.DemoException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** How every request grows with the number of users, from the results of several runs. */
final class GrowthReport {
    private static final ObjectMapper WHOLE = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** What is measured of a request of a data model. */
    private record Figures(double units, double millis) {}

    private record Cell(String request, String version) implements Comparable<Cell> {
        @Override
        public int compareTo(Cell other) {
            return (request + version).compareTo(other.request + other.version);
        }
    }

    private final SortedSet<Integer> sizes = new TreeSet<>();
    private final SortedMap<Cell, SortedMap<Integer, Figures>> cells = new TreeMap<>();

    private GrowthReport() {}

    /** @param files what {@link JsonReport} has written; the data models of one size may be in several of them */
    static GrowthReport of(List<Path> files) {
        var report = new GrowthReport();
        for (var file : files) {
            report.add(file, read(file));
        }
        return report;
    }

    private static JsonNode read(Path file) {
        try {
            return WHOLE.readTree(file.toFile());
        } catch (FileNotFoundException _) {
            throw new DemoException("There is no file " + file + " to read.");
        } catch (JsonProcessingException _) {
            throw new DemoException(file + " is not what a run writes with --json.");
        } catch (IOException failure) {
            throw new DemoException("Cannot read " + file + ": " + failure.getMessage());
        }
    }

    private void add(Path file, JsonNode result) {
        var rows = result.path("rows");
        if (!result.path("users").isInt()
                || rows.isEmpty()
                || !StreamSupport.stream(rows.spliterator(), false).allMatch(GrowthReport::isRow)) {
            throw new DemoException(file + " is not what a run writes with --json.");
        }
        int users = result.path("users").intValue();
        sizes.add(users);
        for (var row : rows) {
            var cell = new Cell(
                    row.path("request").textValue(), row.path("version").textValue());
            var figures =
                    new Figures(row.path("ru").doubleValue(), row.path("p50Ms").doubleValue());
            if (cells.computeIfAbsent(cell, _ -> new TreeMap<>()).put(users, figures) != null) {
                throw new DemoException(file + " tells of " + cell.request() + " in " + cell.version() + " with "
                        + TextReport.count(users, "user") + ", and so does another file.");
            }
        }
    }

    private static boolean isRow(JsonNode row) {
        return Stream.of(Request.values())
                        .anyMatch(request ->
                                request.name().equals(row.path("request").textValue()))
                && Stream.of(Version.values())
                        .anyMatch(version ->
                                version.name().equals(row.path("version").textValue()))
                && row.path("ru").isNumber()
                && row.path("p50Ms").isNumber();
    }

    /** As a table in Markdown. */
    void print(PrintStream out) {
        var heads = new ArrayList<>(List.of("request", "model"));
        heads.addAll(heads("RU", "RU ×"));
        heads.addAll(heads("p50 ms", "p50 ×"));
        out.println(line(heads));
        out.println(line(heads.stream().map(_ -> "---").toList()));
        for (var cell : cells.entrySet()) {
            var line = new ArrayList<>(
                    List.of(cell.getKey().request(), cell.getKey().version()));
            line.addAll(values(cell.getValue(), Figures::units));
            line.addAll(values(cell.getValue(), Figures::millis));
            out.println(line(line));
        }
    }

    private List<String> heads(String what, String growth) {
        var heads = sizes.stream()
                .map(users -> what + ", " + TextReport.count(users, "user"))
                .collect(Collectors.toCollection(ArrayList::new));
        heads.add(growth);
        return heads;
    }

    /** A figure at every size, and how many times that of the smallest the largest is. */
    private List<String> values(Map<Integer, Figures> measured, Function<Figures, Double> figure) {
        var values = sizes.stream()
                .map(users -> measured.containsKey(users) ? number(figure.apply(measured.get(users))) : "")
                .collect(Collectors.toCollection(ArrayList::new));
        boolean whole = measured.containsKey(sizes.first()) && measured.containsKey(sizes.last());
        values.add(
                whole
                        ? number(figure.apply(measured.get(sizes.last())) / figure.apply(measured.get(sizes.first())))
                        : "");
        return values;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    private static String line(List<String> fields) {
        return "| " + String.join(" | ", fields) + " |";
    }
}
