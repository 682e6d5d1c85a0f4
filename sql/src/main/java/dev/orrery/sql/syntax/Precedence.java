package dev.orrery.sql.syntax;

/** How tightly operators bind: the larger, the tighter. The order is that of the public grammar of the SDKs. */
final class Precedence {
    static final int LOOSEST = 1;
    static final int CONDITIONAL = 1;
    static final int COALESCE = 2;
    static final int OR = 3;
    static final int AND = 4;
    /** BETWEEN, IN and LIKE. */
    static final int PREDICATE = 5;

    static final int CONCAT = 6;
    static final int BIT_OR = 7;
    static final int BIT_XOR = 8;
    static final int BIT_AND = 9;
    static final int EQUALITY = 10;
    static final int COMPARISON = 11;
    static final int SHIFT = 12;
    static final int SUM = 13;
    static final int PRODUCT = 14;

    private Precedence() {}
}
