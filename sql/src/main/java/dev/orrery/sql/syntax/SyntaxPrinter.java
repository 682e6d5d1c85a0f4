package dev.orrery.sql.syntax;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.Item;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.SortItem;
import dev.orrery.sql.syntax.SelectQuery.Source;
import java.util.List;
import java.util.function.Consumer;

/** Writes syntax as text that reads back as the same syntax: double quotes, and parentheses around every operator. */
public final class SyntaxPrinter {
    private final StringBuilder out = new StringBuilder();

    private SyntaxPrinter() {}

    public static String print(SelectQuery query) {
        var printer = new SyntaxPrinter();
        printer.query(query);
        return printer.out.toString();
    }

    public static String print(Expression expression) {
        var printer = new SyntaxPrinter();
        printer.expression(expression);
        return printer.out.toString();
    }

    private void query(SelectQuery query) {
        out.append("SELECT ");
        if (query.select().distinct()) {
            out.append("DISTINCT ");
        }
        query.select().top().ifPresent(top -> {
            out.append("TOP ");
            expression(top);
            out.append(' ');
        });
        projection(query.select().projection());
        query.from().ifPresent(from -> {
            out.append(" FROM ");
            source(from.first());
            from.joins().forEach(join -> {
                out.append(" JOIN ");
                source(join);
            });
        });
        query.where().ifPresent(where -> {
            out.append(" WHERE ");
            expression(where);
        });
        if (!query.groupBy().isEmpty()) {
            out.append(" GROUP BY ");
            list(query.groupBy(), this::expression);
        }
        query.orderBy().ifPresent(orderBy -> {
            out.append(orderBy.rank() ? " ORDER BY RANK " : " ORDER BY ");
            list(orderBy.items(), this::sortItem);
        });
        query.offsetLimit().ifPresent(counts -> {
            out.append(" OFFSET ");
            expression(counts.offset());
            out.append(" LIMIT ");
            expression(counts.limit());
        });
    }

    private void projection(Projection projection) {
        switch (projection) {
            case Projection.Star _ -> out.append('*');
            case Projection.Value(Expression value) -> {
                out.append("VALUE ");
                expression(value);
            }
            case Projection.Items(var items) -> list(items, this::item);
        }
    }

    private void item(Item item) {
        expression(item.value());
        item.alias().ifPresent(alias -> out.append(" AS ").append(alias));
    }

    private void source(Source source) {
        switch (source) {
            case Source.Aliased(var collection, var alias, var _) -> {
                collection(collection);
                alias.ifPresent(name -> out.append(" AS ").append(name));
            }
            case Source.Iterated(var alias, var collection, var _) -> {
                out.append(alias).append(" IN ");
                collection(collection);
            }
        }
    }

    private void collection(Collection collection) {
        switch (collection) {
            case Collection.Path(Expression path) -> expression(path);
            case Collection.Derived(SelectQuery query) -> parenthesized(query);
        }
    }

    private void parenthesized(SelectQuery query) {
        out.append('(');
        query(query);
        out.append(')');
    }

    private void sortItem(SortItem item) {
        expression(item.value());
        switch (item.order()) {
            case DEFAULT -> {}
            case ASCENDING -> out.append(" ASC");
            case DESCENDING -> out.append(" DESC");
        }
    }

    private void expression(Expression expression) {
        switch (expression) {
            case Expression.Literal(var value, var _) ->
                out.append(value.isUndefined() ? "undefined" : JsonWriter.text(value));
            case Expression.Parameter(var name, var _) -> out.append(name);
            case Expression.Name(var name, var _) -> out.append(name);
            case Expression.Property(var target, var name, var _) -> property(target, name);
            case Expression.Element(var target, var index, var _) -> {
                target(target);
                out.append('[');
                expression(index);
                out.append(']');
            }
            case Expression.Unary(var operator, var operand, var _) -> unary(operator, operand);
            case Expression.Binary(var operator, var left, var right, var _) ->
                infix(List.of(left, right), " " + operator.symbol() + " ");
            case Expression.And(var terms, var _) -> infix(terms, " AND ");
            case Expression.Or(var terms, var _) -> infix(terms, " OR ");
            case Expression.Coalesce(var value, var fallback, var _) -> infix(List.of(value, fallback), " ?? ");
            case Expression.Between(var target, var low, var high, var _) -> between(target, low, high);
            case Expression.In(var target, var choices, var _) -> in(target, choices);
            case Expression.Like(var target, var pattern, var escape, var _) -> {
                out.append('(');
                expression(target);
                out.append(" LIKE ");
                expression(pattern);
                escape.ifPresent(text -> out.append(" ESCAPE ").append(quoted(text)));
                out.append(')');
            }
            case Expression.Conditional(var condition, var then, var otherwise, var _) -> {
                out.append('(');
                expression(condition);
                out.append(" ? ");
                expression(then);
                out.append(" : ");
                expression(otherwise);
                out.append(')');
            }
            case Expression.Call(var function, var arguments, var _, var _) -> call(function, arguments);
            case Expression.UserCall(var function, var arguments, var _) -> call("udf." + function, arguments);
            case Expression.NewArray(var items, var _) -> {
                out.append('[');
                list(items, this::expression);
                out.append(']');
            }
            case Expression.NewObject(var members, var _) -> {
                out.append('{');
                list(members, this::member);
                out.append('}');
            }
            case Expression.Subquery(var kind, var query, var _) -> {
                out.append(kind.word());
                parenthesized(query);
            }
        }
    }

    private void property(Expression target, String name) {
        target(target);
        if (Lexer.isWord(name) && !Keyword.of(name).reserved()) {
            out.append('.').append(name);
        } else {
            out.append('[').append(quoted(name)).append(']');
        }
    }

    /** What stands before a dot or a bracket; without parentheses {@code (1).x} would be the number 1. and a name. */
    private void target(Expression target) {
        if (target instanceof Expression.Literal) {
            out.append('(');
            expression(target);
            out.append(')');
        } else {
            expression(target);
        }
    }

    private void unary(UnaryOperator operator, Expression operand) {
        // The parentheses around a nested minus keep two of them from starting a comment.
        out.append('(').append(operator.symbol());
        var parenthesize = operand instanceof Expression.Literal;
        out.append(parenthesize ? "(" : "");
        expression(operand);
        out.append(parenthesize ? "))" : ")");
    }

    private void between(Expression target, Expression low, Expression high) {
        out.append('(');
        expression(target);
        out.append(" BETWEEN ");
        expression(low);
        out.append(" AND ");
        expression(high);
        out.append(')');
    }

    private void in(Expression target, List<Expression> choices) {
        out.append('(');
        expression(target);
        out.append(" IN (");
        list(choices, this::expression);
        out.append("))");
    }

    private void call(String function, List<Expression> arguments) {
        out.append(function).append('(');
        list(arguments, this::expression);
        out.append(')');
    }

    private void member(Expression.Member member) {
        out.append(quoted(member.name())).append(": ");
        expression(member.value());
    }

    private void infix(List<Expression> operands, String separator) {
        out.append('(');
        list(operands, separator, this::expression);
        out.append(')');
    }

    private <T> void list(List<T> elements, Consumer<T> print) {
        list(elements, ", ", print);
    }

    private <T> void list(List<T> elements, String separator, Consumer<T> print) {
        for (var index = 0; index < elements.size(); index++) {
            out.append(index == 0 ? "" : separator);
            print.accept(elements.get(index));
        }
    }

    private static String quoted(String text) {
        return JsonWriter.text(new JsonValue.Str(text));
    }
}
