package dev.orrery.sql.syntax;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;

/**
 * Makes the refusals of one query text: a code that SDK users know, the place as offsets and as line and column, and
 * words.
 */
public final class QueryErrors {
    private static final int QUOTED_MAX = 60;

    private final String text;

    public QueryErrors(String text) {
        this.text = text;
    }

    /** The codes of the cloud service, for the mistakes that have one there. */
    public enum Code {
        SYNTAX("SC1001"),
        UNKNOWN_NAME("SC2001"),
        UNKNOWN_FUNCTION("SC2005"),
        DUPLICATE_NAME("SC2011"),
        STAR_NEEDS_ONE_SOURCE("SC2040"),
        STAR_WITH_GROUP_BY("SC2041"),
        ARGUMENT_COUNT("SC2050"),
        TOP("SC2060"),
        LIMIT("SC2061"),
        OFFSET("SC2062"),
        NESTED_AGGREGATE("SC2101"),
        NOT_GROUPED("SC2102"),
        MISPLACED_AGGREGATE("SC2103"),
        UNKNOWN_PARAMETER("SC2107"),
        ORDER_BY("2206"),
        TOO_LARGE("SC3001"),
        TOO_MANY_JOINS("SC3002"),
        TOO_DEEP("SC3003"),
        TOO_MANY_USER_CALLS("SC3005");

        private final String wire;

        Code(String wire) {
            this.wire = wire;
        }
    }

    public FailureException syntax(Span span, String expected) {
        return syntaxError(span, "incorrect syntax near", expected);
    }

    /** What is not even a word of the language, or is one that does not end. */
    FailureException invalidToken(Span span, String expected) {
        return syntaxError(span, "invalid token", expected);
    }

    private FailureException syntaxError(Span span, String what, String expected) {
        return at(span, Code.SYNTAX, "Syntax error, " + what + " " + near(span) + ". Expected " + expected + ".");
    }

    private String near(Span span) {
        if (span.start() >= text.length()) {
            return "the end of the query";
        }
        var end = Math.min(span.end(), text.length());
        return end - span.start() > QUOTED_MAX
                ? "'" + text.substring(span.start(), span.start() + QUOTED_MAX) + "...'"
                : "'" + text.substring(span.start(), end) + "'";
    }

    public FailureException at(Span span, Code code, String message) {
        var line = 1;
        var lineStart = 0;
        var end = Math.min(span.start(), text.length());
        for (var index = 0; index < end; index++) {
            if (text.charAt(index) == '\n') {
                line++;
                lineStart = index + 1;
            }
        }
        var column = span.start() - lineStart + 1;
        return new FailureException(new Failure.QuerySyntax(
                message + " (line " + line + ", column " + column + ")", code.wire, span.start(), span.end()));
    }
}
