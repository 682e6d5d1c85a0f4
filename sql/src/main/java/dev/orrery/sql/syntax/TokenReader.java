package dev.orrery.sql.syntax;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.sql.syntax.Token.Kind;

/** The tokens of a query with one token of look-ahead, and the questions that a parser asks of them. */
final class TokenReader {
    private final QueryErrors errors;
    private final Lexer lexer;
    private Token current;
    private Token following;
    private Span last = Span.NOWHERE;
    private int depth;

    TokenReader(String text) {
        errors = new QueryErrors(text);
        if (text.length() > Limits.QUERY_TEXT_BYTES_MAX) {
            throw errors.at(
                    new Span(0, text.length()),
                    QueryErrors.Code.TOO_LARGE,
                    "The query text is longer than the limit of " + Limits.QUERY_TEXT_BYTES_MAX + " bytes.");
        }
        lexer = new Lexer(text, errors);
        current = lexer.next();
        following = lexer.next();
    }

    Token current() {
        return current;
    }

    Token following() {
        return following;
    }

    /** Where the token before the current one stands. */
    Span last() {
        return last;
    }

    Token take() {
        var taken = current;
        last = taken.span();
        current = following;
        following = current.kind() == Kind.END ? current : lexer.next();
        return taken;
    }

    boolean at(Kind kind) {
        return current.kind() == kind;
    }

    boolean at(Keyword keyword) {
        return current.is(keyword);
    }

    /** Whether the current token can be a name. */
    boolean atName() {
        return current.kind() == Kind.WORD && !current.keyword().reserved();
    }

    boolean takeIf(Kind kind) {
        var found = at(kind);
        if (found) {
            take();
        }
        return found;
    }

    boolean takeIf(Keyword keyword) {
        var found = at(keyword);
        if (found) {
            take();
        }
        return found;
    }

    Token expect(Kind kind) {
        if (!at(kind)) {
            throw unexpected(kind == Kind.STRING ? kind.spelling() : "'" + kind.spelling() + "'");
        }
        return take();
    }

    void expect(Keyword keyword) {
        if (!at(keyword)) {
            throw unexpected(keyword.name());
        }
        take();
    }

    String expectName(String expected) {
        if (!atName()) {
            throw unexpected(expected);
        }
        return take().text();
    }

    String expectProperty() {
        if (at(Kind.WORD) && current.keyword().reserved()) {
            throw unexpected(
                    "a name that is not a reserved word; this one can be written [\"" + current.text() + "\"]");
        }
        return expectName("the name of a property");
    }

    FailureException unexpected(String expected) {
        return errors.syntax(current.span(), expected);
    }

    /** Guards the stack: called before a parser calls itself. */
    void enter() {
        if (++depth > Limits.QUERY_DEPTH_MAX) {
            throw tooDeep(current.span());
        }
    }

    void leave() {
        depth--;
    }

    FailureException tooDeep(Span span) {
        return errors.at(
                span,
                QueryErrors.Code.TOO_DEEP,
                "The query is nested deeper than the limit of " + Limits.QUERY_DEPTH_MAX + " levels.");
    }
}
