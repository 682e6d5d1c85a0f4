package dev.orrery.example.modeling.demo;

import dev.orrery.example.modeling.Row;
import dev.orrery.example.modeling.TradeOff;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The figures of a trade-off, in columns that can be read as they are and are Markdown as well. */
final class Table {
    private Table() {}

    static String of(TradeOff tradeOff) {
        var rows = new ArrayList<List<String>>();
        var pattern = tradeOff.pattern();
        var opposite = tradeOff.opposite();
        rows.add(List.of("to …", pattern + ": RU", "ms", opposite + ": RU", "ms", "RU: " + opposite + " / " + pattern));
        tradeOff.rows().stream().map(Table::cells).forEach(rows::add);
        return text(rows);
    }

    private static List<String> cells(Row row) {
        return List.of(
                row.task(),
                figure(row.pattern().requestUnits()),
                figure(row.pattern().millis()),
                figure(row.opposite().requestUnits()),
                figure(row.opposite().millis()),
                figure(row.opposite().requestUnits() / row.pattern().requestUnits()));
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    /** @param rows the first one is the head */
    private static String text(List<List<String>> rows) {
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
