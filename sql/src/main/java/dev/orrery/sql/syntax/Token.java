package dev.orrery.sql.syntax;

import dev.orrery.model.json.JsonValue.Num;

/**
 * One word, number, string or sign of a query text.
 *
 * @param text the word or sign as written, the name of a parameter with its {@code @}, or the content of a string with
 *     its escapes resolved
 * @param number the value when the kind is a number, otherwise 0
 */
record Token(Kind kind, Keyword keyword, String text, Num number, Span span) {

    enum Kind {
        WORD("a name"),
        PARAMETER("a parameter"),
        NUMBER("a number"),
        STRING("a string"),
        LEFT_PARENTHESIS("("),
        RIGHT_PARENTHESIS(")"),
        LEFT_BRACKET("["),
        RIGHT_BRACKET("]"),
        LEFT_BRACE("{"),
        RIGHT_BRACE("}"),
        COMMA(","),
        COLON(":"),
        DOT("."),
        QUESTION("?"),
        COALESCE("??"),
        CONCAT("||"),
        BIT_OR("|"),
        BIT_XOR("^"),
        BIT_AND("&"),
        BIT_NOT("~"),
        EQUAL("="),
        NOT_EQUAL("!="),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">="),
        SHIFT_LEFT("<<"),
        SHIFT_RIGHT(">>"),
        SHIFT_RIGHT_UNSIGNED(">>>"),
        PLUS("+"),
        MINUS("-"),
        STAR("*"),
        SLASH("/"),
        PERCENT("%"),
        END("the end of the query");

        private final String spelling;

        Kind(String spelling) {
            this.spelling = spelling;
        }

        /** The sign itself, or words for the kinds that have many spellings. */
        String spelling() {
            return spelling;
        }
    }

    boolean is(Keyword expected) {
        return kind == Kind.WORD && keyword == expected;
    }
}
