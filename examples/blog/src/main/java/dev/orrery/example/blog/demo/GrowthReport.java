package dev.orrery.example.blog.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

/** How every request grows with the number of users, from the results of several runs. */
final class GrowthReport {
    private static final ObjectMapper JSON = new ObjectMapper();

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
            return JSON.readTree(file.toFile());
        } catch (FileNotFoundException _) {
            throw new DemoException("There is no file " + file + " to read.");
        } catch (JsonProcessingException _) {
            throw new DemoException(file + " is not what a run writes with --json.");
        } catch (IOException failure) {
            throw new DemoException("Cannot read " + file + ": " + failure.getMessage());
        }
    }

    private void add(Path file, JsonNode result) {
        int users = result.path("users").asInt();
        var rows = result.path("rows");
        if (users < 1 || rows.isEmpty()) {
            throw new DemoException(file + " is not what a run writes with --json.");
        }
        sizes.add(users);
        for (var row : rows) {
            cells.computeIfAbsent(new Cell(text(row, "request"), text(row, "version")), _ -> new TreeMap<>())
                    .put(
                            users,
                            new Figures(
                                    row.path("ru").asDouble(), row.path("p50Ms").asDouble()));
        }
    }

    private static String text(JsonNode row, String name) {
        return row.path(name).asText();
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
