package dev.orrery.sql.bind;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.ComputedProperty;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.Expression.SubqueryKind;
import dev.orrery.sql.syntax.QueryParser;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.Source;
import dev.orrery.sql.syntax.SyntaxTree;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The query that defines a computed property, {@code SELECT VALUE value FROM alias}: one value for each item, and the
 * same one every time.
 */
public record ComputedPropertyQuery(String alias, Expression value) {
    private static final Set<String> DIFFERENT_EVERY_TIME = Set.of("RAND", "NOW", "AGO");

    /** Refuses a container with a computed property that could not have a value. */
    public static void check(ContainerDefinition container) {
        for (var property : container.computedProperties()) {
            try {
                parse(property);
                QueryBinder.bind(QueryParser.parse(property.query()), property.query(), ContainerTraits.DEFAULT);
            } catch (FailureException refused) {
                throw new FailureException(new Failure.BadRequest("The query of the computed property '"
                        + property.name() + "' is wrong: " + refused.failure().message()));
            }
        }
    }

    static ComputedPropertyQuery parse(ComputedProperty property) {
        var query = QueryParser.parse(property.query());
        demandOnePerItem(query);
        demandNoFilter(query);
        if (!(query.select().projection() instanceof Projection.Value(Expression value))) {
            throw wrong("it must have the form SELECT VALUE ... FROM c.");
        }
        demandPlain(value);
        return new ComputedPropertyQuery(alias(query), value);
    }

    /** What the query calls the item. */
    public static String alias(SelectQuery query) {
        return query.from()
                .flatMap(from -> from.first()
                                instanceof
                                Source.Aliased(Collection.Path(Expression.Name(var container, var _)), var alias, var _)
                        ? Optional.of(alias.orElse(container))
                        : Optional.empty())
                .orElseThrow(() -> wrong("its FROM must be the item, as in FROM c."));
    }

    /** Refuses what could give an item no row, or several. */
    public static void demandOnePerItem(SelectQuery query) {
        boolean joins = query.from().filter(from -> !from.joins().isEmpty()).isPresent();
        if (joins
                || query.select().distinct()
                || query.select().top().isPresent()
                || !query.groupBy().isEmpty()
                || query.orderBy().isPresent()
                || query.offsetLimit().isPresent()) {
            throw wrong("it cannot have JOIN, GROUP BY, ORDER BY, TOP, DISTINCT, or OFFSET and LIMIT.");
        }
    }

    private static void demandNoFilter(SelectQuery query) {
        if (query.where().isPresent()) {
            throw wrong("it cannot have WHERE.");
        }
    }

    /** Refuses what depends on more than the item. */
    public static void demandPlain(Expression expression) {
        switch (expression) {
            case Expression.Subquery(var kind, var query, var _) -> {
                if (kind != SubqueryKind.ARRAY) {
                    throw wrong("it cannot have a subquery other than ARRAY.");
                }
                demandOnePerItem(query);
                demandNoFilter(query);
            }
            case Expression.Call call -> demandRepeatable(call.function());
            case Expression.UserCall _ -> throw wrong("it cannot call a user-defined function.");
            case Expression.Parameter _ -> throw wrong("it cannot have parameters.");
            default -> {}
        }
        for (var part : SyntaxTree.children(expression)) {
            demandPlain(part);
        }
    }

    private static void demandRepeatable(String function) {
        var name = function.toUpperCase(Locale.ROOT);
        if (Aggregate.find(name).isPresent()) {
            throw wrong("it cannot have an aggregate such as " + function + ".");
        }
        if (DIFFERENT_EVERY_TIME.contains(name) || name.startsWith("GETCURRENT")) {
            throw wrong("the function " + function + " does not give the same value every time.");
        }
        if (name.startsWith("ST_")) {
            throw wrong("it cannot have a spatial function such as " + function + ".");
        }
    }

    public static FailureException wrong(String reason) {
        return new FailureException(new Failure.BadRequest(reason));
    }
}
