package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.SelectNames;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.Expression.Member;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.From;
import dev.orrery.sql.syntax.SelectQuery.Item;
import dev.orrery.sql.syntax.SelectQuery.OffsetLimit;
import dev.orrery.sql.syntax.SelectQuery.OrderBy;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Select;
import dev.orrery.sql.syntax.SelectQuery.SortItem;
import dev.orrery.sql.syntax.SelectQuery.Source;
import dev.orrery.sql.syntax.Span;
import dev.orrery.sql.syntax.SyntaxTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Turns a query into the one that each partition is asked, in the shape in which SDKs expect its rows. */
final class PlanRewrite {
    /** SDKs replace this text by {@code true}, or by a condition that skips what they have already seen. */
    private static final String RESUME_FILTER = "({documentdb-formattableorderbyquery-filter})";

    private PlanRewrite() {}

    /** The aggregate that an expression is, if it is nothing else. */
    static Optional<Aggregate> aggregate(Expression expression) {
        return expression instanceof Expression.Call call ? Aggregate.find(call.function()) : Optional.empty();
    }

    static boolean hasAggregate(Expression expression) {
        if (aggregate(expression).isPresent()) {
            return true;
        }
        if (expression instanceof Expression.Subquery) {
            return false;
        }
        for (var child : SyntaxTree.children(expression)) {
            if (hasAggregate(child)) {
                return true;
            }
        }
        return false;
    }

    static boolean hasAggregate(Projection projection) {
        return switch (projection) {
            case Projection.Star _ -> false;
            case Projection.Value(Expression value) -> hasAggregate(value);
            case Projection.Items(var items) -> items.stream().anyMatch(item -> hasAggregate(item.value()));
        };
    }

    /** Rows {@code [{"item": ...}]} for one value, rows {@code {"payload": {...}}} for a list. */
    static SelectQuery aggregates(SelectQuery query) {
        var projection = payload(query);
        return clauses(
                query,
                query.select().projection() instanceof Projection.Value
                        ? new Projection.Value(projection)
                        : new Projection.Items(List.of(item(projection, "payload"))));
    }

    /** Rows {@code {"groupByItems": [...], "payload": ...}}. */
    static SelectQuery groups(SelectQuery query) {
        return clauses(
                query,
                new Projection.Items(
                        List.of(item(items(query.groupBy()), "groupByItems"), item(payload(query), "payload"))));
    }

    private static SelectQuery clauses(SelectQuery query, Projection projection) {
        return new SelectQuery(
                new Select(false, Optional.empty(), projection),
                query.from(),
                query.where(),
                query.groupBy(),
                Optional.empty(),
                Optional.empty());
    }

    /** The projection as one expression, with aggregates in parts that can be put together. */
    private static Expression payload(SelectQuery query) {
        return switch (query.select().projection()) {
            case Projection.Star _ -> throw new IllegalStateException("SELECT * cannot be grouped.");
            case Projection.Value(Expression value) ->
                aggregate(value).isPresent() ? array(List.of(parts(value))) : value;
            case Projection.Items(var items) -> object(items);
        };
    }

    private static Expression object(List<Item> items) {
        var names = SelectNames.of(items);
        var members = new ArrayList<Member>();
        for (var index = 0; index < items.size(); index++) {
            members.add(new Member(names.get(index), parts(items.get(index).value())));
        }
        return new Expression.NewObject(members, Span.NOWHERE);
    }

    /** What a partition tells about an aggregate so that the results of several partitions can be put together. */
    private static Expression parts(Expression value) {
        var aggregate = aggregate(value);
        if (aggregate.isEmpty()) {
            return value;
        }
        var arguments = ((Expression.Call) value).arguments();
        var count = new Member("count", call("COUNT", arguments));
        return switch (aggregate.get()) {
            case COUNT, SUM, COUNTIF, MAKELIST, MAKESET -> object(new Member("item", value));
            case AVG -> object(new Member("item", object(new Member("sum", call("SUM", arguments)), count)));
            case MIN -> object(new Member("item", value), new Member("item2", object(new Member("min", value), count)));
            case MAX -> object(new Member("item", value), new Member("item2", object(new Member("max", value), count)));
        };
    }

    /**
     * Rows {@code {"_rid": ..., "orderByItems": [...], "payload": ...}}; empty when the rows of the query have no item,
     * because FROM is a subquery.
     */
    static Optional<SelectQuery> sorted(SelectQuery query) {
        return rooted(query.from().orElseThrow()).map(rooted -> sorted(query, rooted));
    }

    /**
     * The first rows by one score, {@code {"_rid": ..., "orderByItems": [...], "payload": {"payload": ...,
     * "componentScores": [...]}}} with all scores.
     */
    static SelectQuery scored(SelectQuery query, SortItem order, List<Expression> scores, Optional<Long> rows) {
        var rooted = rooted(query.from().orElseThrow()).orElseThrow();
        var payload =
                object(new Member("payload", payload(query, rooted)), new Member("componentScores", array(scores)));
        var projection = new Projection.Items(List.of(
                new Item(property(name(rooted.root()), "_rid"), Optional.empty()),
                item(items(List.of(order.value())), "orderByItems"),
                item(payload, "payload")));
        return new SelectQuery(
                new Select(false, rows.map(PlanRewrite::number), projection),
                query.from(),
                Optional.of(filter(query)),
                List.of(),
                Optional.of(new OrderBy(false, List.of(order))),
                Optional.empty());
    }

    private static SelectQuery sorted(SelectQuery query, Rooted rooted) {
        var keys = query.orderBy().orElseThrow().items().stream()
                .map(SelectQuery.SortItem::value)
                .toList();
        var projection = new Projection.Items(List.of(
                new Item(property(name(rooted.root()), "_rid"), Optional.empty()),
                item(items(keys), "orderByItems"),
                item(payload(query, rooted), "payload")));
        return new SelectQuery(
                new Select(false, query.select().top(), projection),
                Optional.of(rooted.from()),
                Optional.of(filter(query)),
                List.of(),
                query.orderBy(),
                query.offsetLimit());
    }

    private static Expression payload(SelectQuery query, Rooted rooted) {
        return switch (query.select().projection()) {
            case Projection.Star _ -> name(rooted.only());
            case Projection.Value(Expression value) -> value;
            case Projection.Items(var items) -> object(items);
        };
    }

    private static Expression filter(SelectQuery query) {
        var resume = name(RESUME_FILTER);
        var filter = query.where().map(where -> and(where, resume)).orElse(resume);
        return query.select().projection() instanceof Projection.Value(Expression value)
                ? and(filter, call("IS_DEFINED", List.of(value)))
                : filter;
    }

    /**
     * A FROM clause with an alias for the item itself.
     *
     * @param only the alias that {@code SELECT *} means
     */
    private record Rooted(From from, String root, String only) {}

    private static Optional<Rooted> rooted(From from) {
        return switch (from.first()) {
            case Source.Aliased(Collection.Path(Expression.Name(var name, var _)), var alias, var _) -> {
                var root = alias.orElse(name);
                yield Optional.of(new Rooted(from, root, root));
            }
            case Source.Aliased(Collection.Path(Expression path), var alias, var _) ->
                Optional.of(rooted(
                        from,
                        item -> new Source.Aliased(new Collection.Path(below(item, path)), alias, Span.NOWHERE),
                        alias.orElseGet(() -> lastName(path))));
            case Source.Iterated(var alias, Collection.Path(Expression path), var _) ->
                Optional.of(rooted(
                        from,
                        item -> new Source.Iterated(alias, new Collection.Path(below(item, path)), Span.NOWHERE),
                        alias));
            case Source.Aliased _, Source.Iterated _ -> Optional.empty();
        };
    }

    /** Puts the item in front of a path into it: {@code FROM t IN c.tags} is {@code FROM c JOIN t IN c.tags}. */
    private static Rooted rooted(From from, Function<String, Source> first, String only) {
        var root = freshName(from);
        var item = new Source.Aliased(new Collection.Path(name(root)), Optional.empty(), Span.NOWHERE);
        var joins = new ArrayList<Source>();
        joins.add(first.apply(root));
        joins.addAll(from.joins());
        return new Rooted(new From(item, joins), root, only);
    }

    private static String freshName(From from) {
        var taken = new HashSet<String>();
        taken.add(from.first() instanceof Source.Iterated(var alias, var _, var _) ? alias : "");
        from.joins().forEach(join -> {
            switch (join) {
                case Source.Iterated(var alias, var _, var _) -> taken.add(alias);
                case Source.Aliased(var _, var alias, var _) -> alias.ifPresent(taken::add);
            }
        });
        var name = new StringBuilder("_item");
        while (taken.contains(name.toString())) {
            name.append('_');
        }
        return name.toString();
    }

    private static Expression below(String root, Expression path) {
        return switch (path) {
            case Expression.Property(var target, var name, var span) ->
                new Expression.Property(below(root, target), name, span);
            case Expression.Element(var target, var index, var span) ->
                new Expression.Element(below(root, target), index, span);
            default -> name(root);
        };
    }

    private static String lastName(Expression path) {
        return path instanceof Expression.Property(var _, var name, var _) ? name : "";
    }

    static SelectQuery withoutCounts(SelectQuery query) {
        var select = query.select();
        return new SelectQuery(
                new Select(select.distinct(), Optional.empty(), select.projection()),
                query.from(),
                query.where(),
                query.groupBy(),
                query.orderBy(),
                Optional.empty());
    }

    /** The query without TOP and with another LIMIT. */
    static SelectQuery withLimit(SelectQuery query, long limit) {
        return withCounts(
                query, new OffsetLimit(query.offsetLimit().orElseThrow().offset(), number(limit)));
    }

    /** The query without TOP that gives the first so many rows. */
    static SelectQuery withFirst(SelectQuery query, long rows) {
        return withCounts(query, new OffsetLimit(number(0), number(rows)));
    }

    private static SelectQuery withCounts(SelectQuery query, OffsetLimit counts) {
        var select = query.select();
        return new SelectQuery(
                new Select(select.distinct(), Optional.empty(), select.projection()),
                query.from(),
                query.where(),
                query.groupBy(),
                query.orderBy(),
                Optional.of(counts));
    }

    static Item item(Expression value, String alias) {
        return new Item(value, Optional.of(alias));
    }

    /** {@code [{"item": a}, {"item": b}]}. */
    private static Expression items(List<Expression> values) {
        return array(
                values.stream().map(value -> object(new Member("item", value))).toList());
    }

    static Expression object(Member... members) {
        return new Expression.NewObject(List.of(members), Span.NOWHERE);
    }

    static Expression array(List<Expression> items) {
        return new Expression.NewArray(items, Span.NOWHERE);
    }

    static Expression call(String function, List<Expression> arguments) {
        return new Expression.Call(function, arguments, Span.NOWHERE, Span.NOWHERE);
    }

    private static Expression and(Expression left, Expression right) {
        return new Expression.And(List.of(left, right), Span.NOWHERE);
    }

    private static Expression property(Expression target, String name) {
        return new Expression.Property(target, name, Span.NOWHERE);
    }

    static Expression name(String name) {
        return new Expression.Name(name, Span.NOWHERE);
    }

    static Expression number(long number) {
        return new Expression.Literal(new JsonValue.Num(number), Span.NOWHERE);
    }
}
