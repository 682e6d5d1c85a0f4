package dev.orrery.sql.plan;

import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Source;
import java.util.Optional;

/**
 * A query that counts distinct rows, {@code SELECT COUNT(1) AS n FROM (SELECT DISTINCT ...)}.
 *
 * @param alias the name of the count, empty for SELECT VALUE
 * @param query the query whose distinct rows are counted
 */
record DistinctCount(String alias, SelectQuery query) {

    static Optional<DistinctCount> find(SelectQuery outer) {
        if (outer.select().distinct()
                || outer.select().top().isPresent()
                || outer.where().isPresent()
                || !outer.groupBy().isEmpty()
                || outer.orderBy().isPresent()
                || outer.offsetLimit().isPresent()) {
            return Optional.empty();
        }
        return alias(outer.select().projection())
                .flatMap(alias -> rows(outer).map(rows -> new DistinctCount(alias, rows)));
    }

    private static Optional<String> alias(Projection projection) {
        return switch (projection) {
            case Projection.Value(Expression value) when isCount(value) -> Optional.of("");
            case Projection.Items(var items)
            when items.size() == 1 && isCount(items.getFirst().value()) ->
                Optional.of(items.getFirst().alias().orElse("$1"));
            case Projection.Star _, Projection.Value _, Projection.Items _ -> Optional.empty();
        };
    }

    /** Whether an expression counts all rows, which is so for every constant but undefined. */
    private static boolean isCount(Expression expression) {
        return expression instanceof Expression.Call call
                && Aggregate.find(call.function()).equals(Optional.of(Aggregate.COUNT))
                && call.arguments().size() == 1
                && call.arguments().getFirst() instanceof Expression.Literal(var value, var _)
                && !value.isUndefined();
    }

    private static Optional<SelectQuery> rows(SelectQuery outer) {
        return outer.from()
                .filter(from -> from.joins().isEmpty())
                .flatMap(from -> from.first() instanceof Source.Aliased(Collection.Derived(var rows), var _, var _)
                        ? Optional.of(rows)
                        : Optional.empty())
                .filter(rows -> rows.select().distinct()
                        && rows.select().top().isEmpty()
                        && rows.groupBy().isEmpty()
                        && rows.orderBy().isEmpty()
                        && rows.offsetLimit().isEmpty());
    }
}
