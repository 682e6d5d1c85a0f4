package dev.orrery.sql.syntax;

/** Operators before one value; all bind tighter than those between two. */
public enum UnaryOperator {
    NOT("NOT "),
    MINUS("-"),
    PLUS("+"),
    BIT_NOT("~");

    private final String symbol;

    UnaryOperator(String symbol) {
        this.symbol = symbol;
    }

    public String symbol() {
        return symbol;
    }
}
