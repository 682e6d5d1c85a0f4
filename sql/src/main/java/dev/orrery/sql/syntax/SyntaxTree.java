package dev.orrery.sql.syntax;

import dev.orrery.model.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Walks over syntax. */
public final class SyntaxTree {
    private SyntaxTree() {}

    /** The expressions that an expression is made of directly; those of its subquery, if it is one. */
    public static List<Expression> children(Expression expression) {
        return switch (expression) {
            case Expression.Literal _, Expression.Parameter _, Expression.Name _ -> List.of();
            case Expression.Property property -> List.of(property.target());
            case Expression.Element element -> List.of(element.target(), element.index());
            case Expression.Unary unary -> List.of(unary.operand());
            case Expression.Binary binary -> List.of(binary.left(), binary.right());
            case Expression.And and -> and.terms();
            case Expression.Or or -> or.terms();
            case Expression.Between between -> List.of(between.target(), between.low(), between.high());
            case Expression.In in -> with(in.target(), in.choices());
            case Expression.Like like -> List.of(like.target(), like.pattern());
            case Expression.Conditional conditional ->
                List.of(conditional.condition(), conditional.then(), conditional.otherwise());
            case Expression.Coalesce coalesce -> List.of(coalesce.value(), coalesce.fallback());
            case Expression.Call call -> call.arguments();
            case Expression.UserCall call -> call.arguments();
            case Expression.NewArray array -> array.items();
            case Expression.NewObject object ->
                object.members().stream().map(Expression.Member::value).toList();
            case Expression.Subquery subquery -> expressions(subquery.query());
        };
    }

    /**
     * The parameters that stand for the names of properties, as in {@code c[@name]}, in the order of the text. Without
     * those that would also give their name to a property of the result.
     */
    public static List<Expression.Parameter> parametersForNames(SelectQuery query) {
        var found = new ArrayList<Expression.Parameter>();
        var inResults = new HashSet<>(namingResults(query));
        var left = new ArrayDeque<>(expressions(query));
        while (!left.isEmpty()) {
            var expression = left.pop();
            switch (expression) {
                case Expression.Element(var _, Expression.Parameter name, var _) -> found.add(name);
                case Expression.Subquery(var _, var inner, var _) -> inResults.addAll(namingResults(inner));
                default -> {}
            }
            left.addAll(children(expression));
        }
        found.removeIf(inResults::contains);
        found.sort(Comparator.comparingInt(parameter -> parameter.span().start()));
        return found;
    }

    private static List<Expression.Parameter> namingResults(SelectQuery query) {
        var found = new ArrayList<Expression.Parameter>();
        if (query.select().projection() instanceof SelectQuery.Projection.Items(var items)) {
            for (var item : items) {
                if (item.alias().isEmpty()
                        && item.value() instanceof Expression.Element(var _, Expression.Parameter name, var _)) {
                    found.add(name);
                }
            }
        }
        query.from().stream()
                .flatMap(from -> Stream.concat(Stream.of(from.first()), from.joins().stream()))
                .forEach(source -> {
                    if (source.collection() instanceof SelectQuery.Collection.Derived(SelectQuery inner)) {
                        found.addAll(namingResults(inner));
                    }
                });
        return found;
    }

    private static List<Expression> with(Expression first, List<Expression> others) {
        var all = new ArrayList<Expression>(others.size() + 1);
        all.add(first);
        all.addAll(others);
        return all;
    }

    /** The outermost expressions of all clauses of a query, those of derived tables included. */
    public static List<Expression> expressions(SelectQuery query) {
        var all = new ArrayList<Expression>();
        query.select().top().ifPresent(all::add);
        switch (query.select().projection()) {
            case SelectQuery.Projection.Star _ -> {}
            case SelectQuery.Projection.Value(Expression value) -> all.add(value);
            case SelectQuery.Projection.Items(var items) -> items.forEach(item -> all.add(item.value()));
        }
        query.from().ifPresent(from -> {
            addCollection(from.first().collection(), all);
            from.joins().forEach(join -> addCollection(join.collection(), all));
        });
        query.where().ifPresent(all::add);
        all.addAll(query.groupBy());
        query.orderBy().ifPresent(orderBy -> orderBy.items().forEach(item -> all.add(item.value())));
        query.offsetLimit().ifPresent(counts -> {
            all.add(counts.offset());
            all.add(counts.limit());
        });
        return all;
    }

    private static void addCollection(SelectQuery.Collection collection, List<Expression> all) {
        switch (collection) {
            case SelectQuery.Collection.Path(Expression path) -> all.add(path);
            case SelectQuery.Collection.Derived(SelectQuery query) -> all.addAll(expressions(query));
        }
    }

    /**
     * Where a tree is higher than the limit, if it is. A chain of operators such as {@code 1 + 1 + 1} is read in a loop
     * and yet makes a high tree, so this is asked once after parsing, without recursion; from then on every walk may
     * recurse.
     */
    static Optional<Span> tooDeep(SelectQuery query) {
        record Visit(Expression expression, int depth) {}
        var open = new ArrayDeque<Visit>();
        expressions(query).forEach(expression -> open.push(new Visit(expression, 1)));
        while (!open.isEmpty()) {
            var visit = open.pop();
            if (visit.depth() > Limits.QUERY_DEPTH_MAX) {
                return Optional.of(visit.expression().span());
            }
            children(visit.expression()).forEach(child -> open.push(new Visit(child, visit.depth() + 1)));
        }
        return Optional.empty();
    }
}
