package dev.orrery.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Cells in columns below headings, as wide as a terminal allows. */
final class TextTable {
    private static final String GAP = "  ";
    private static final int NAME_WIDTH_MIN = 16;

    private final List<Column> columns;
    private final List<List<String>> rows;

    /**
     * How a column is laid out.
     *
     * @param right whether its cells end at the same place, as those of numbers do
     * @param widthMin how narrow it may become when there is little room, by cutting the ends of its cells
     */
    record Column(String heading, boolean right, int widthMin) {
        static Column ofNames(String heading) {
            return new Column(heading, false, NAME_WIDTH_MIN);
        }

        /** A number without its end would be another one. */
        static Column ofFigures(String heading) {
            return new Column(heading, true, Integer.MAX_VALUE);
        }
    }

    TextTable(List<Column> columns, List<List<String>> rows) {
        this.columns = List.copyOf(columns);
        this.rows = List.copyOf(rows);
    }

    /** The lines of the table, none wider than the given number of columns of a terminal if that can be. */
    List<String> lines(int widthMax) {
        var widths = widths(widthMax);
        var lines = new ArrayList<String>();
        lines.add(line(columns.stream().map(Column::heading).toList(), widths));
        lines.add(line(Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    /** Narrows the widest columns first, until all fit. */
    private int[] widths(int widthMax) {
        var widths = IntStream.range(0, columns.size()).map(this::widthOf).toArray();
        int excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - widthMax;
        for (; excess > 0; excess--) {
            var widest = widestToCut(widths);
            if (widest.isEmpty()) {
                break;
            }
            widths[widest.get()]--;
        }
        return widths;
    }

    private int widthOf(int column) {
        int widest = rows.stream()
                .mapToInt(row -> TextWidth.of(row.get(column)))
                .max()
                .orElse(0);
        return Math.max(TextWidth.of(columns.get(column).heading()), widest);
    }

    private Optional<Integer> widestToCut(int[] widths) {
        return IntStream.range(0, widths.length)
                .filter(column -> widths[column] > columns.get(column).widthMin())
                .boxed()
                .max(Comparator.comparingInt(column -> widths[column]));
    }

    private String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            if (column > 0) {
                line.append(GAP);
            }
            var cut = TextWidth.cut(cells.get(column), widths[column]);
            line.append(
                    TextWidth.padded(cut, widths[column], columns.get(column).right()));
        }
        return line.toString().stripTrailing();
    }
}
