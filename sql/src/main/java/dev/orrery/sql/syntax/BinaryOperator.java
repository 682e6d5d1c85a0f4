package dev.orrery.sql.syntax;

import java.util.EnumMap;
import java.util.Map;

/** Operators between two values, from the loosest binding to the tightest; AND, OR and {@code ??} are nodes of their own. */
public enum BinaryOperator {
    CONCAT("||", Precedence.CONCAT, Token.Kind.CONCAT),
    BIT_OR("|", Precedence.BIT_OR, Token.Kind.BIT_OR),
    BIT_XOR("^", Precedence.BIT_XOR, Token.Kind.BIT_XOR),
    BIT_AND("&", Precedence.BIT_AND, Token.Kind.BIT_AND),
    EQUAL("=", Precedence.EQUALITY, Token.Kind.EQUAL),
    NOT_EQUAL("!=", Precedence.EQUALITY, Token.Kind.NOT_EQUAL),
    LESS("<", Precedence.COMPARISON, Token.Kind.LESS),
    LESS_OR_EQUAL("<=", Precedence.COMPARISON, Token.Kind.LESS_OR_EQUAL),
    GREATER(">", Precedence.COMPARISON, Token.Kind.GREATER),
    GREATER_OR_EQUAL(">=", Precedence.COMPARISON, Token.Kind.GREATER_OR_EQUAL),
    SHIFT_LEFT("<<", Precedence.SHIFT, Token.Kind.SHIFT_LEFT),
    SHIFT_RIGHT(">>", Precedence.SHIFT, Token.Kind.SHIFT_RIGHT),
    SHIFT_RIGHT_UNSIGNED(">>>", Precedence.SHIFT, Token.Kind.SHIFT_RIGHT_UNSIGNED),
    ADD("+", Precedence.SUM, Token.Kind.PLUS),
    SUBTRACT("-", Precedence.SUM, Token.Kind.MINUS),
    MULTIPLY("*", Precedence.PRODUCT, Token.Kind.STAR),
    DIVIDE("/", Precedence.PRODUCT, Token.Kind.SLASH),
    REMAINDER("%", Precedence.PRODUCT, Token.Kind.PERCENT);

    private static final Map<Token.Kind, BinaryOperator> BY_TOKEN = new EnumMap<>(Token.Kind.class);

    static {
        for (var operator : values()) {
            BY_TOKEN.put(operator.token, operator);
        }
    }

    private final String symbol;
    private final int precedence;
    private final Token.Kind token;

    BinaryOperator(String symbol, int precedence, Token.Kind token) {
        this.symbol = symbol;
        this.precedence = precedence;
        this.token = token;
    }

    public String symbol() {
        return symbol;
    }

    int precedence() {
        return precedence;
    }

    /** The operator that a sign stands for between two operands, or null when it stands for none. */
    static BinaryOperator of(Token.Kind token) {
        return BY_TOKEN.get(token);
    }
}
