package dev.orrery.sql.syntax;

/**
 * Where something stands in a query text: character offsets, {@code end} exclusive.
 *
 * <p>All spans are equal, so that two pieces of syntax are equal when they say the same thing, wherever they were
 * written: {@code c.x} in SELECT is the {@code c.x} of GROUP BY.
 */
public record Span(int start, int end) {

    /** For syntax that was made and not read, as in rewritten queries. */
    public static final Span NOWHERE = new Span(0, 0);

    /** From the start of this span to the end of the other. */
    public Span to(Span last) {
        return new Span(start, last.end);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Span;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
