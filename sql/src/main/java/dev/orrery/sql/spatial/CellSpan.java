package dev.orrery.sql.spatial;

/** The cells whose numbers are not below the first and not above the last. */
public record CellSpan(long first, long last) {
    public boolean contains(Cell cell) {
        var number = cell.number();
        return first <= number && number <= last;
    }
}
