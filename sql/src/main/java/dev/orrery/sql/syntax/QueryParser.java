package dev.orrery.sql.syntax;

import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.From;
import dev.orrery.sql.syntax.SelectQuery.Item;
import dev.orrery.sql.syntax.SelectQuery.OffsetLimit;
import dev.orrery.sql.syntax.SelectQuery.OrderBy;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Select;
import dev.orrery.sql.syntax.SelectQuery.SortItem;
import dev.orrery.sql.syntax.SelectQuery.SortOrder;
import dev.orrery.sql.syntax.SelectQuery.Source;
import dev.orrery.sql.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a query text into syntax, in one pass and in time proportional to its length. */
public final class QueryParser {
    private final TokenReader tokens;
    private final ExpressionParser expressions;

    private QueryParser(String text) {
        tokens = new TokenReader(text);
        expressions = new ExpressionParser(tokens, this);
    }

    public static SelectQuery parse(String text) {
        var parser = new QueryParser(text);
        var query = parser.query();
        parser.finish(query);
        return query;
    }

    /** Reads the condition of a patch, {@code FROM c WHERE ...}, as the query that selects the item if it holds. */
    public static SelectQuery parseCondition(String text) {
        var parser = new QueryParser(text);
        if (parser.tokens.at(Keyword.SELECT)) {
            return parse(text);
        }
        var everything = new Select(false, Optional.empty(), new Projection.Star(Span.NOWHERE));
        var query = new SelectQuery(
                everything, Optional.of(parser.from()), parser.where(), List.of(), Optional.empty(), Optional.empty());
        parser.finish(query);
        return query;
    }

    private void finish(SelectQuery query) {
        if (!tokens.at(Kind.END)) {
            throw tokens.unexpected("an operator, the next clause or the end of the query");
        }
        SyntaxTree.tooDeep(query).ifPresent(span -> {
            throw tokens.tooDeep(span);
        });
    }

    SelectQuery parenthesized() {
        tokens.expect(Kind.LEFT_PARENTHESIS);
        tokens.enter();
        var query = query();
        tokens.leave();
        tokens.expect(Kind.RIGHT_PARENTHESIS);
        return query;
    }

    private SelectQuery query() {
        var select = select();
        Optional<From> from = tokens.at(Keyword.FROM) ? Optional.of(from()) : Optional.empty();
        return new SelectQuery(select, from, where(), groupBy(), orderBy(), offsetLimit());
    }

    private Select select() {
        tokens.expect(Keyword.SELECT);
        var distinct = tokens.takeIf(Keyword.DISTINCT);
        Optional<Expression> top = tokens.takeIf(Keyword.TOP) ? Optional.of(count()) : Optional.empty();
        return new Select(distinct, top, projection());
    }

    private Projection projection() {
        if (tokens.at(Kind.STAR)) {
            return new Projection.Star(tokens.take().span());
        }
        if (tokens.takeIf(Keyword.VALUE)) {
            var value = expressions.expression();
            // An alias of the only value is allowed and means nothing.
            alias();
            return new Projection.Value(value);
        }
        var items = new ArrayList<Item>();
        do {
            var value = expressions.expression();
            items.add(new Item(value, alias()));
        } while (tokens.takeIf(Kind.COMMA));
        return new Projection.Items(items);
    }

    private Optional<String> alias() {
        if (tokens.takeIf(Keyword.AS)) {
            return Optional.of(tokens.expectName("an alias, which cannot be a reserved word"));
        }
        return tokens.atName() ? Optional.of(tokens.take().text()) : Optional.empty();
    }

    private From from() {
        tokens.expect(Keyword.FROM);
        var first = source();
        var joins = new ArrayList<Source>();
        while (tokens.takeIf(Keyword.JOIN)) {
            joins.add(source());
        }
        return new From(first, joins);
    }

    private Source source() {
        var start = tokens.current().span();
        if (tokens.atName() && tokens.following().is(Keyword.IN)) {
            var alias = tokens.take().text();
            tokens.expect(Keyword.IN);
            var collection = tokens.following().kind() == Kind.LEFT_PARENTHESIS
                    ? new Collection.Path(expressions.operand())
                    : collection();
            return new Source.Iterated(alias, collection, start.to(tokens.last()));
        }
        var collection = collection();
        return new Source.Aliased(collection, alias(), start.to(tokens.last()));
    }

    private Collection collection() {
        if (tokens.at(Kind.LEFT_PARENTHESIS)) {
            return new Collection.Derived(parenthesized());
        }
        var span = tokens.current().span();
        var root = tokens.expectName("the name of a collection or a subquery");
        var path = expressions.postfix(new Expression.Name(root, span));
        return new Collection.Path(path);
    }

    private Optional<Expression> where() {
        return tokens.takeIf(Keyword.WHERE) ? Optional.of(expressions.expression()) : Optional.empty();
    }

    private List<Expression> groupBy() {
        if (!tokens.takeIf(Keyword.GROUP)) {
            return List.of();
        }
        tokens.expect(Keyword.BY);
        return expressions.expressions();
    }

    private Optional<OrderBy> orderBy() {
        if (!tokens.takeIf(Keyword.ORDER)) {
            return Optional.empty();
        }
        tokens.expect(Keyword.BY);
        // RANK is a word like any other unless a search function follows it. No function has that name itself.
        var rank = tokens.at(Keyword.RANK)
                && (tokens.following().kind() == Kind.LEFT_PARENTHESIS
                        || (tokens.following().kind() == Kind.WORD && !isSortOrder(tokens.following())));
        if (rank) {
            tokens.take();
        }
        var items = new ArrayList<SortItem>();
        do {
            items.add(sortItem());
        } while (tokens.takeIf(Kind.COMMA));
        return Optional.of(new OrderBy(rank, items));
    }

    private static boolean isSortOrder(Token token) {
        return token.is(Keyword.ASC) || token.is(Keyword.DESC) || token.is(Keyword.OFFSET);
    }

    private SortItem sortItem() {
        var value = expressions.expression();
        if (tokens.takeIf(Keyword.DESC)) {
            return new SortItem(value, SortOrder.DESCENDING);
        }
        return new SortItem(value, tokens.takeIf(Keyword.ASC) ? SortOrder.ASCENDING : SortOrder.DEFAULT);
    }

    private Optional<OffsetLimit> offsetLimit() {
        if (!tokens.takeIf(Keyword.OFFSET)) {
            return Optional.empty();
        }
        var offset = count();
        tokens.expect(Keyword.LIMIT);
        return Optional.of(new OffsetLimit(offset, count()));
    }

    private Expression count() {
        if (tokens.at(Kind.NUMBER)) {
            var number = tokens.take();
            return new Expression.Literal(number.number(), number.span());
        }
        if (tokens.at(Kind.PARAMETER)) {
            var parameter = tokens.take();
            return new Expression.Parameter(parameter.text(), parameter.span());
        }
        throw tokens.unexpected("a number or a parameter");
    }
}
