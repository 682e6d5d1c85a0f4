package dev.orrery.sql.plan;

import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.From;
import dev.orrery.sql.syntax.SelectQuery.OrderBy;
import dev.orrery.sql.syntax.SelectQuery.Select;
import dev.orrery.sql.syntax.SelectQuery.SortOrder;
import dev.orrery.sql.syntax.SelectQuery.Source;
import dev.orrery.sql.syntax.SyntaxPrinter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells people what happens to the items that a query reads, step by step. */
public final class QuerySteps {
    private static final int CHARACTERS_MAX = 300;

    private final List<String> steps = new ArrayList<>();

    private QuerySteps() {}

    /** In the order in which a run takes them. */
    public static List<String> of(SelectQuery query, boolean aggregates) {
        var steps = new QuerySteps();
        query.from().ifPresent(steps::from);
        query.where().ifPresent(condition -> steps.add("filter", print(condition)));
        if (!query.groupBy().isEmpty()) {
            steps.add("group by", print(query.groupBy()));
        } else if (aggregates) {
            steps.add("aggregate", "all rows into one");
        }
        steps.add("project", projection(query.select()));
        query.orderBy().ifPresent(steps::orderBy);
        if (query.select().distinct()) {
            steps.add("distinct", "leave out rows that came before");
        }
        query.select().top().ifPresent(count -> steps.add("take", print(count)));
        query.offsetLimit()
                .ifPresent(counts -> steps.add("skip", print(counts.offset()) + ", take " + print(counts.limit())));
        return List.copyOf(steps.steps);
    }

    private void from(From from) {
        source(from.first());
        from.joins().forEach(join -> add("join", print(new From(join, List.of()))));
    }

    /** The items themselves need no step. */
    private void source(Source first) {
        boolean itself = first instanceof Source.Aliased(SelectQuery.Collection.Path(Expression.Name _), var _, var _);
        if (!itself) {
            add("from", print(new From(first, List.of())));
        }
    }

    private void orderBy(OrderBy order) {
        add(
                order.rank() ? "rank by" : "sort by",
                order.items().stream()
                        .map(item -> print(item.value()) + (item.order() == SortOrder.DESCENDING ? " DESC" : ""))
                        .collect(Collectors.joining(", ")));
    }

    private void add(String what, String text) {
        var step = what + " " + text;
        steps.add(step.length() > CHARACTERS_MAX ? step.substring(0, CHARACTERS_MAX) + " ..." : step);
    }

    private static String projection(Select select) {
        return bare(new SelectQuery(
                        new Select(false, Optional.empty(), select.projection()),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty()))
                .substring("SELECT ".length());
    }

    private static String print(From from) {
        var all = new Select(
                false,
                Optional.empty(),
                new SelectQuery.Projection.Star(from.first().span()));
        var query = new SelectQuery(
                all, Optional.of(from), Optional.empty(), List.of(), Optional.empty(), Optional.empty());
        return bare(query).substring("SELECT * FROM ".length());
    }

    private static String bare(SelectQuery query) {
        return SyntaxPrinter.print(query);
    }

    private static String print(List<Expression> expressions) {
        return expressions.stream().map(QuerySteps::print).collect(Collectors.joining(", "));
    }

    private static String print(Expression expression) {
        return SyntaxPrinter.print(expression);
    }
}
