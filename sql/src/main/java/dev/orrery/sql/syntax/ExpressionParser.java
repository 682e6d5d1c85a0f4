package dev.orrery.sql.syntax;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.syntax.Expression.SubqueryKind;
import dev.orrery.sql.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads scalar expressions by operator precedence. */
final class ExpressionParser {
    private final TokenReader tokens;
    private final QueryParser queries;

    ExpressionParser(TokenReader tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    Expression expression() {
        return expression(Precedence.LOOSEST);
    }

    /** One or more expressions between commas. */
    List<Expression> expressions() {
        var expressions = new ArrayList<Expression>();
        do {
            expressions.add(expression());
        } while (tokens.takeIf(Kind.COMMA));
        return expressions;
    }

    private Expression expression(int loosest) {
        tokens.enter();
        var left = unary();
        while (true) {
            var extended = extend(left, loosest);
            if (extended == null) {
                tokens.leave();
                return left;
            }
            left = extended;
        }
    }

    /** The expression that the next operator makes of its left side, or null when no operator that binds follows. */
    private Expression extend(Expression left, int loosest) {
        var token = tokens.current();
        var operator = BinaryOperator.of(token.kind());
        if (operator != null) {
            return operator.precedence() < loosest ? null : binary(left, operator);
        }
        return switch (token.kind()) {
            case QUESTION -> loosest > Precedence.CONDITIONAL ? null : conditional(left);
            case COALESCE -> loosest > Precedence.COALESCE ? null : coalesce(left);
            case WORD -> extendByWord(left, token.keyword(), loosest);
            default -> null;
        };
    }

    private Expression extendByWord(Expression left, Keyword keyword, int loosest) {
        return switch (keyword) {
            case OR -> loosest > Precedence.OR ? null : or(left);
            case AND -> loosest > Precedence.AND ? null : and(left);
            case NOT, BETWEEN, IN, LIKE -> loosest > Precedence.PREDICATE ? null : predicate(left);
            default -> null;
        };
    }

    private Expression binary(Expression left, BinaryOperator operator) {
        tokens.take();
        var right = expression(operator.precedence() + 1);
        return new Expression.Binary(operator, left, right, from(left));
    }

    private Expression conditional(Expression condition) {
        tokens.expect(Kind.QUESTION);
        var then = expression(Precedence.CONDITIONAL);
        tokens.expect(Kind.COLON);
        var otherwise = expression(Precedence.CONDITIONAL);
        return new Expression.Conditional(condition, then, otherwise, from(condition));
    }

    private Expression coalesce(Expression value) {
        tokens.expect(Kind.COALESCE);
        var fallback = expression(Precedence.COALESCE);
        return new Expression.Coalesce(value, fallback, from(value));
    }

    private Expression or(Expression first) {
        return new Expression.Or(terms(first, Keyword.OR, Precedence.OR + 1), from(first));
    }

    private Expression and(Expression first) {
        return new Expression.And(terms(first, Keyword.AND, Precedence.AND + 1), from(first));
    }

    private List<Expression> terms(Expression first, Keyword between, int loosest) {
        var terms = new ArrayList<Expression>();
        terms.add(first);
        while (tokens.takeIf(between)) {
            terms.add(expression(loosest));
        }
        return terms;
    }

    private Expression predicate(Expression target) {
        var negated = tokens.takeIf(Keyword.NOT);
        Expression predicate;
        if (tokens.takeIf(Keyword.BETWEEN)) {
            predicate = between(target);
        } else if (tokens.takeIf(Keyword.IN)) {
            predicate = in(target);
        } else if (tokens.takeIf(Keyword.LIKE)) {
            predicate = like(target);
        } else {
            throw tokens.unexpected("BETWEEN, IN or LIKE");
        }
        return negated ? new Expression.Unary(UnaryOperator.NOT, predicate, from(target)) : predicate;
    }

    private Expression between(Expression target) {
        var low = expression(Precedence.PREDICATE + 1);
        tokens.expect(Keyword.AND);
        var high = expression(Precedence.PREDICATE + 1);
        return new Expression.Between(target, low, high, from(target));
    }

    private Expression in(Expression target) {
        tokens.expect(Kind.LEFT_PARENTHESIS);
        var choices = expressions();
        tokens.expect(Kind.RIGHT_PARENTHESIS);
        return new Expression.In(target, choices, from(target));
    }

    private Expression like(Expression target) {
        var pattern = expression(Precedence.PREDICATE + 1);
        Optional<String> escape = tokens.takeIf(Keyword.ESCAPE)
                ? Optional.of(tokens.expect(Kind.STRING).text())
                : Optional.empty();
        return new Expression.Like(target, pattern, escape, from(target));
    }

    private Expression unary() {
        var token = tokens.current();
        return switch (token.kind()) {
            case MINUS -> tokens.following().kind() == Kind.NUMBER ? negativeNumber() : unary(UnaryOperator.MINUS);
            case PLUS -> unary(UnaryOperator.PLUS);
            case BIT_NOT -> unary(UnaryOperator.BIT_NOT);
            default -> token.is(Keyword.NOT) ? unary(UnaryOperator.NOT) : operand();
        };
    }

    private Expression unary(UnaryOperator operator) {
        var start = tokens.take().span();
        tokens.enter();
        var operand = unary();
        tokens.leave();
        return new Expression.Unary(operator, operand, start.to(tokens.last()));
    }

    private Expression negativeNumber() {
        var start = tokens.take().span();
        var number = tokens.take();
        var value =
                number.number().value() == 0 ? number.number() : number.number().negated(); // never -0
        return postfix(new Expression.Literal(value, start.to(number.span())));
    }

    /** A value with the properties and elements after it, but without operators. */
    Expression operand() {
        return postfix(primary());
    }

    /** Properties and elements after a value. */
    Expression postfix(Expression value) {
        var target = value;
        while (true) {
            if (tokens.takeIf(Kind.DOT)) {
                var name = tokens.expectProperty();
                target = new Expression.Property(target, name, from(value));
            } else if (tokens.takeIf(Kind.LEFT_BRACKET)) {
                var index = expression();
                tokens.expect(Kind.RIGHT_BRACKET);
                target = index instanceof Expression.Literal(JsonValue.Str(String name), var _)
                        ? new Expression.Property(target, name, from(value))
                        : new Expression.Element(target, index, from(value));
            } else {
                return target;
            }
        }
    }

    private Expression primary() {
        var token = tokens.current();
        return switch (token.kind()) {
            case NUMBER -> literal(token.number());
            case STRING -> literal(new JsonValue.Str(token.text()));
            case PARAMETER -> new Expression.Parameter(tokens.take().text(), token.span());
            case LEFT_PARENTHESIS -> parenthesized();
            case LEFT_BRACKET -> newArray();
            case LEFT_BRACE -> newObject();
            case WORD -> word(token);
            default -> throw tokens.unexpected("an expression");
        };
    }

    private Expression literal(JsonValue value) {
        return new Expression.Literal(value, tokens.take().span());
    }

    private Expression word(Token token) {
        return switch (token.keyword()) {
            case TRUE -> literal(JsonValue.Bool.TRUE);
            case FALSE -> literal(JsonValue.Bool.FALSE);
            case NULL -> literal(JsonValue.NULL);
            case UNDEFINED -> literal(JsonValue.UNDEFINED);
            case EXISTS -> subquery(SubqueryKind.EXISTS);
            case ARRAY -> opensSubquery() ? subquery(SubqueryKind.ARRAY) : nameOrCall();
            case ALL -> opensSubquery() ? subquery(SubqueryKind.ALL) : nameOrCall();
            case FIRST -> opensSubquery() ? subquery(SubqueryKind.FIRST) : nameOrCall();
            case LAST -> opensSubquery() ? subquery(SubqueryKind.LAST) : nameOrCall();
            case UDF -> tokens.following().kind() == Kind.DOT ? userCallOrProperty() : nameOrCall();
            default -> nameOrCall();
        };
    }

    private boolean opensSubquery() {
        return tokens.following().kind() == Kind.LEFT_PARENTHESIS;
    }

    private Expression nameOrCall() {
        var span = tokens.current().span();
        var name = tokens.expectName("an expression");
        return tokens.at(Kind.LEFT_PARENTHESIS)
                ? new Expression.Call(name, arguments(), span, span.to(tokens.last()))
                : new Expression.Name(name, span);
    }

    private Expression userCallOrProperty() {
        var udf = tokens.take();
        tokens.expect(Kind.DOT);
        var name = tokens.expectName("the name of a user-defined function");
        var span = udf.span().to(tokens.last());
        return tokens.at(Kind.LEFT_PARENTHESIS)
                ? new Expression.UserCall(name, arguments(), udf.span().to(tokens.last()))
                : new Expression.Property(new Expression.Name(udf.text(), udf.span()), name, span);
    }

    private List<Expression> arguments() {
        tokens.expect(Kind.LEFT_PARENTHESIS);
        List<Expression> arguments = tokens.at(Kind.RIGHT_PARENTHESIS) ? List.of() : expressions();
        tokens.expect(Kind.RIGHT_PARENTHESIS);
        return arguments;
    }

    private Expression parenthesized() {
        if (tokens.following().is(Keyword.SELECT)) {
            var start = tokens.current().span();
            var query = queries.parenthesized();
            return new Expression.Subquery(SubqueryKind.SCALAR, query, start.to(tokens.last()));
        }
        tokens.expect(Kind.LEFT_PARENTHESIS);
        var expression = expression();
        tokens.expect(Kind.RIGHT_PARENTHESIS);
        return expression;
    }

    private Expression subquery(SubqueryKind kind) {
        var start = tokens.take().span();
        var query = queries.parenthesized();
        return new Expression.Subquery(kind, query, start.to(tokens.last()));
    }

    private Expression newArray() {
        var start = tokens.expect(Kind.LEFT_BRACKET).span();
        List<Expression> items = tokens.at(Kind.RIGHT_BRACKET) ? List.of() : expressions();
        tokens.expect(Kind.RIGHT_BRACKET);
        return new Expression.NewArray(items, start.to(tokens.last()));
    }

    private Expression newObject() {
        var start = tokens.expect(Kind.LEFT_BRACE).span();
        var members = new ArrayList<Expression.Member>();
        if (!tokens.at(Kind.RIGHT_BRACE)) {
            do {
                members.add(member());
            } while (tokens.takeIf(Kind.COMMA));
        }
        tokens.expect(Kind.RIGHT_BRACE);
        return new Expression.NewObject(members, start.to(tokens.last()));
    }

    private Expression.Member member() {
        // Any word will do here, reserved or not: the colon leaves no doubt.
        if (!tokens.at(Kind.STRING) && !tokens.at(Kind.WORD)) {
            throw tokens.unexpected("the name of a property");
        }
        var name = tokens.take().text();
        tokens.expect(Kind.COLON);
        return new Expression.Member(name, expression());
    }

    private Span from(Expression first) {
        return first.span().to(tokens.last());
    }
}
