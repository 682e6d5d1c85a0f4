package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.Expression.Member;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Item;
import dev.orrery.sql.syntax.SelectQuery.OffsetLimit;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Select;
import dev.orrery.sql.syntax.Span;
import dev.orrery.sql.syntax.SyntaxPrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The text that queries share which differ in their values only: values of the filter are left out, and what
 * {@link PlanRewrite} made for an SDK is again what the application wrote.
 */
public final class QueryPattern {
    private static final Expression OPEN = new Expression.Name("?", Span.NOWHERE);
    private static final Expression MORE = new Expression.Name("...", Span.NOWHERE);
    private static final int ALTERNATIVES_MAX = 3;
    private static final int CHARACTERS_MAX = 1_000;

    private QueryPattern() {}

    public static String of(SelectQuery query) {
        var projection = written(query.select().projection());
        var select = new Select(query.select().distinct(), query.select().top(), projection);
        var head = SyntaxPrinter.print(
                new SelectQuery(select, query.from(), Optional.empty(), List.of(), Optional.empty(), Optional.empty()));
        var whole = SyntaxPrinter.print(new SelectQuery(
                select,
                query.from(),
                Optional.empty(),
                query.groupBy(),
                query.orderBy(),
                query.offsetLimit().map(_ -> new OffsetLimit(OPEN, OPEN))));
        var text = head + filter(query) + whole.substring(head.length());
        return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "...";
    }

    // ---- what an SDK sends ----

    private static Projection written(Projection projection) {
        return switch (projection) {
            case Projection.Star _ -> projection;
            case Projection.Value(Expression value) -> new Projection.Value(element(value));
            case Projection.Items(var items) ->
                hasAlias(items.getLast(), "payload")
                                && (items.size() == 1
                                        || hasAlias(items.get(items.size() - 2), "orderByItems")
                                        || hasAlias(items.get(items.size() - 2), "groupByItems"))
                        ? selected(items.getLast().value())
                        : projection;
        };
    }

    private static boolean hasAlias(Item item, String alias) {
        return item.alias().filter(alias::equals).isPresent();
    }

    private static Projection selected(Expression payload) {
        return switch (payload) {
            case Expression.Name _ -> new Projection.Star(Span.NOWHERE);
            case Expression.NewObject(var members, var _) ->
                new Projection.Items(members.stream().map(QueryPattern::item).toList());
            default -> new Projection.Value(element(payload));
        };
    }

    private static Item item(Member member) {
        var value = aggregate(member.value());
        boolean named = value instanceof Expression.Property(var _, var name, var _) && name.equals(member.name());
        boolean numbered = member.name().startsWith("$");
        return new Item(value, named || numbered ? Optional.empty() : Optional.of(member.name()));
    }

    /** {@code [{"item": COUNT(1)}]} stands for {@code COUNT(1)}. */
    private static Expression element(Expression value) {
        return value instanceof Expression.NewArray(var items, var _) && items.size() == 1
                ? aggregate(items.getFirst())
                : value;
    }

    /** The aggregate whose parts are an object. */
    private static Expression aggregate(Expression value) {
        if (!(value instanceof Expression.NewObject(var members, var _))
                || members.isEmpty()
                || !members.getFirst().name().equals("item")) {
            return value;
        }
        var whole = members.getFirst().value();
        return whole instanceof Expression.NewObject(var parts, var _)
                        && parts.getFirst().name().equals("sum")
                        && parts.getFirst().value() instanceof Expression.Call sum
                ? PlanRewrite.call("AVG", sum.arguments())
                : whole;
    }

    // ---- the filter ----

    private static String filter(SelectQuery query) {
        var terms = new ArrayList<Expression>();
        query.where().ifPresent(where -> addTerms(where, terms));
        return terms.isEmpty()
                ? ""
                : terms.stream()
                        .map(term -> terms.size() > 1 && bindsLess(term) ? printed(term) : bare(printed(term)))
                        .collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    private static String printed(Expression term) {
        return SyntaxPrinter.print(open(term));
    }

    /** Whether it would fall apart beside AND. */
    private static boolean bindsLess(Expression term) {
        return term instanceof Expression.Or
                || term instanceof Expression.Conditional
                || term instanceof Expression.Coalesce;
    }

    private static void addTerms(Expression filter, List<Expression> terms) {
        if (filter instanceof Expression.And(var parts, var _)) {
            parts.forEach(part -> addTerms(part, terms));
        } else if (!isAlwaysTrue(filter)) {
            terms.add(filter);
        }
    }

    /** What an SDK puts where it could leave out what it has seen before. */
    private static boolean isAlwaysTrue(Expression term) {
        return term instanceof Expression.Literal(var value, var _) && value.equals(JsonValue.Bool.TRUE);
    }

    /** Without parentheses around all of it. */
    private static String bare(String term) {
        return term.startsWith("(") && end(term) == term.length() - 1 ? term.substring(1, term.length() - 1) : term;
    }

    /** Where the first parenthesis is closed. */
    private static int end(String term) {
        int open = 0;
        for (int at = 0; at < term.length(); at++) {
            open += term.charAt(at) == '(' ? 1 : term.charAt(at) == ')' ? -1 : 0;
            if (open == 0) {
                return at;
            }
        }
        return -1;
    }

    /** The same with its values left out. */
    private static Expression open(Expression filter) {
        return switch (filter) {
            case Expression.Literal _ -> OPEN;
            case Expression.Unary(var operator, var operand, var span) ->
                new Expression.Unary(operator, open(operand), span);
            case Expression.Binary(var operator, var left, var right, var span) ->
                new Expression.Binary(operator, open(left), open(right), span);
            case Expression.And(var terms, var span) -> new Expression.And(open(terms), span);
            case Expression.Or(var terms, var span) -> new Expression.Or(open(few(terms, ALTERNATIVES_MAX)), span);
            case Expression.Between(var target, var low, var high, var span) ->
                new Expression.Between(open(target), open(low), open(high), span);
            case Expression.In(var target, var _, var span) ->
                new Expression.In(open(target), List.of(OPEN, MORE), span);
            case Expression.Like(var target, var _, var _, var span) ->
                new Expression.Like(open(target), OPEN, Optional.empty(), span);
            case Expression.Coalesce(var value, var fallback, var span) ->
                new Expression.Coalesce(open(value), open(fallback), span);
            case Expression.Conditional(var condition, var then, var otherwise, var span) ->
                new Expression.Conditional(open(condition), open(then), open(otherwise), span);
            case Expression.Call(var function, var arguments, var nameSpan, var span) ->
                new Expression.Call(function, open(few(arguments, ALTERNATIVES_MAX)), nameSpan, span);
            case Expression.UserCall(var function, var arguments, var span) ->
                new Expression.UserCall(function, open(arguments), span);
            case Expression.NewArray _, Expression.NewObject _ -> OPEN;
            case Expression.Parameter _,
                    Expression.Name _,
                    Expression.Property _,
                    Expression.Element _,
                    Expression.Subquery _ -> filter;
        };
    }

    private static List<Expression> open(List<Expression> parts) {
        return parts.stream().map(QueryPattern::open).toList();
    }

    /** Reads of many items have a term for each of them. */
    private static List<Expression> few(List<Expression> parts, int max) {
        if (parts.size() <= max) {
            return parts;
        }
        var few = new ArrayList<>(parts.subList(0, 1));
        few.add(MORE);
        return few;
    }
}
