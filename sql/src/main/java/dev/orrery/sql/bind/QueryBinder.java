package dev.orrery.sql.bind;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundQuery.Counts;
import dev.orrery.sql.bind.BoundQuery.GroupKey;
import dev.orrery.sql.bind.BoundQuery.Grouping;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.QueryErrors;
import dev.orrery.sql.syntax.QueryErrors.Code;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SelectQuery.Collection;
import dev.orrery.sql.syntax.SelectQuery.Projection;
import dev.orrery.sql.syntax.SelectQuery.SortOrder;
import dev.orrery.sql.syntax.Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns the syntax of a query into a {@link BoundStatement}, or says which of its names or numbers is wrong. */
public final class QueryBinder {
    private static final ItemWay ITEM = new ItemWay(List.of(), true);

    private final QueryErrors errors;
    private final ExpressionBinder expressions;
    private final RankBinder ranks;
    private final Map<String, Integer> parameters = new LinkedHashMap<>();
    private int slots;
    private int joins;
    private int userCalls;

    private QueryBinder(QueryErrors errors, ContainerTraits container) {
        this.errors = errors;
        expressions = new ExpressionBinder(this, errors, container);
        ranks = new RankBinder(this, expressions, errors, container);
    }

    public static BoundStatement bind(SelectQuery query, String text, ContainerTraits container) {
        var errors = new QueryErrors(text);
        var binder = new QueryBinder(errors, container);
        var bound = binder.query(query, Optional.empty(), true);
        var whole = new Span(0, text.length());
        if (binder.joins > Limits.QUERY_JOINS_MAX) {
            throw errors.at(whole, Code.TOO_MANY_JOINS, exceeded("joins", Limits.QUERY_JOINS_MAX));
        }
        if (binder.userCalls > Limits.QUERY_USER_DEFINED_FUNCTIONS_MAX) {
            throw errors.at(
                    whole,
                    Code.TOO_MANY_USER_CALLS,
                    exceeded("user-defined function calls", Limits.QUERY_USER_DEFINED_FUNCTIONS_MAX));
        }
        return new BoundStatement(
                bound, List.copyOf(binder.parameters.keySet()), binder.slots, binder.userCalls > 0, container);
    }

    private static String exceeded(String what, int limit) {
        return "The SQL query exceeded the maximum number of " + what + ". The allowed limit is " + limit + ".";
    }

    int newSlot() {
        return slots++;
    }

    int parameter(String name) {
        return parameters.computeIfAbsent(name, _ -> parameters.size());
    }

    void countUserCall() {
        userCalls++;
    }

    /** Binds a query; {@code overItems} when its first source may be the container, not being inside another query's rows. */
    BoundQuery query(SelectQuery query, Optional<Scope> outer, boolean overItems) {
        var scope = new Scope(outer);
        List<Source> sources =
                query.from().map(from -> sources(from, scope, overItems)).orElse(List.of());
        var fusion =
                query.orderBy().filter(SelectQuery.OrderBy::rank).map(_ -> ranks.bind(query, scope, outer.isEmpty()));
        var filter = query.where().map(where -> expressions.bind(where, scope));
        var grouping = query.groupBy().isEmpty() && !hasAggregate(query.select().projection())
                ? Optional.<GroupedClauses>empty()
                : Optional.of(grouped(query, scope));
        return grouping.map(clauses -> new BoundQuery(
                        sources,
                        filter,
                        Optional.of(clauses.grouping()),
                        clauses.projection(),
                        query.select().distinct(),
                        clauses.sortKeys(),
                        Optional.empty(),
                        counts(query)))
                .orElseGet(() -> new BoundQuery(
                        sources,
                        filter,
                        Optional.empty(),
                        projection(query, scope, sources),
                        query.select().distinct(),
                        fusion.isPresent() ? List.of() : sortKeys(query, scope),
                        fusion,
                        counts(query)));
    }

    static boolean hasAggregate(Projection projection) {
        return switch (projection) {
            case Projection.Star _ -> false;
            case Projection.Value(Expression value) -> ExpressionBinder.hasAggregate(value);
            case Projection.Items(var items) ->
                items.stream().anyMatch(item -> ExpressionBinder.hasAggregate(item.value()));
        };
    }

    private record GroupedClauses(Grouping grouping, Bound projection, List<SortKey> sortKeys) {}

    private GroupedClauses grouped(SelectQuery query, Scope scope) {
        if (query.select().projection() instanceof Projection.Star(Span span)) {
            throw errors.at(span, Code.STAR_WITH_GROUP_BY, "'SELECT *' is not allowed with GROUP BY.");
        }
        var keys = new ArrayList<GroupKey>();
        for (var expression : query.groupBy()) {
            var key = new GroupKey(expressions.bind(expression, scope), newSlot());
            keys.add(key);
            scope.key(expression, key.slot());
        }
        scope.group(true);
        var projection = projection(query, scope, List.of());
        // The one row of an ungrouped aggregate has no order; a sort key of single tuples is harmless there.
        scope.group(!keys.isEmpty());
        var sortKeys = sortKeys(query, scope);
        return new GroupedClauses(
                new Grouping(keys, scope.aggregates()), projection, keys.isEmpty() ? List.of() : sortKeys);
    }

    private List<Source> sources(SelectQuery.From from, Scope scope, boolean overItems) {
        var sources = new ArrayList<Source>();
        source(from.first(), scope, overItems, sources);
        for (var join : from.joins()) {
            joins++;
            source(join, scope, false, sources);
        }
        return sources;
    }

    private void source(SelectQuery.Source source, Scope scope, boolean overItems, List<Source> sources) {
        var collection = collection(source.collection(), scope, overItems, sources);
        switch (source) {
            case SelectQuery.Source.Iterated(var alias, var _, var span) -> {
                var elements = new Source.Elements(new Bound.Slot(collection.slot()), newSlot());
                sources.add(elements);
                introduce(alias, elements.slot(), Optional.empty(), scope, span);
            }
            case SelectQuery.Source.Aliased(var named, var alias, var span) ->
                alias.or(() -> inferredAlias(named))
                        .ifPresent(name -> introduce(name, collection.slot(), collection.way(), scope, span));
        }
    }

    /** The slot in which the values of a collection are, and how they are reached from an item if they are. */
    private record Values(int slot, Optional<ItemWay> way) {}

    /** Adds what is needed to have the values of a collection in a slot. */
    private Values collection(Collection collection, Scope scope, boolean overItems, List<Source> sources) {
        return switch (collection) {
            case Collection.Derived(SelectQuery query) -> {
                var bound = query(query, Optional.of(scope), overItems);
                var slot = newSlot();
                sources.add(bound.readsItems() ? new Source.ItemRows(bound, slot) : new Source.Rows(bound, slot));
                yield new Values(slot, Optional.empty());
            }
            case Collection.Path(Expression path) -> {
                var root = ExpressionBinder.root(path);
                if (overItems
                        && root.isPresent()
                        && scope.find(root.get().name()).isEmpty()) {
                    yield items(path, root.get().name(), sources);
                }
                yield new Values(single(expressions.bind(path, scope), sources), scope.way(path));
            }
        };
    }

    /** Items, or what is at a path whose root is the container and not an alias. */
    private Values items(Expression path, String container, List<Source> sources) {
        var items = newSlot();
        sources.add(new Source.Items(items));
        var scope = new Scope(Optional.empty());
        scope.introduce(container, items, Optional.of(ITEM));
        if (path instanceof Expression.Name) {
            return new Values(items, Optional.of(ITEM));
        }
        if (!ExpressionBinder.isPath(path)) {
            throw errors.syntax(path.span(), "a path of properties and constant positions");
        }
        return new Values(single(expressions.bind(path, scope), sources), scope.way(path));
    }

    private int single(Bound value, List<Source> sources) {
        var slot = newSlot();
        sources.add(new Source.Single(value, slot));
        return slot;
    }

    private static Optional<String> inferredAlias(Collection collection) {
        return switch (collection) {
            case Collection.Path(Expression.Name(var name, var _)) -> Optional.of(name);
            case Collection.Path(Expression.Property(var _, var name, var _)) -> Optional.of(name);
            case Collection.Path _, Collection.Derived _ -> Optional.empty();
        };
    }

    private void introduce(String alias, int slot, Optional<ItemWay> way, Scope scope, Span span) {
        if (!scope.introduce(alias, slot, way)) {
            throw errors.at(
                    span,
                    Code.DUPLICATE_NAME,
                    "The input alias '" + alias + "' is specified more than once in the FROM clause.");
        }
    }

    private Bound projection(SelectQuery query, Scope scope, List<Source> sources) {
        return switch (query.select().projection()) {
            case Projection.Star(Span span) -> star(query, sources, span);
            case Projection.Value(Expression value) -> expressions.bind(value, scope);
            case Projection.Items(var items) -> object(items, scope);
        };
    }

    private Bound star(SelectQuery query, List<Source> sources, Span span) {
        var onlyOne = query.from().filter(from -> from.joins().isEmpty()).isPresent();
        if (!onlyOne) {
            throw errors.at(span, Code.STAR_NEEDS_ONE_SOURCE, "'SELECT *' is only valid with a single input set.");
        }
        return new Bound.Slot(sources.getLast().slot());
    }

    private Bound object(List<SelectQuery.Item> items, Scope scope) {
        var names = SelectNames.of(items);
        var members = new ArrayList<Bound.Member>();
        var taken = new HashSet<String>();
        for (var index = 0; index < items.size(); index++) {
            var value = items.get(index).value();
            if (!taken.add(names.get(index))) {
                throw errors.at(
                        value.span(),
                        Code.DUPLICATE_NAME,
                        "The property '" + names.get(index) + "' is specified more than once in the SELECT clause.");
            }
            members.add(new Bound.Member(names.get(index), expressions.bind(value, scope)));
        }
        return new Bound.NewObject(members);
    }

    private List<SortKey> sortKeys(SelectQuery query, Scope scope) {
        var keys = new ArrayList<SortKey>();
        for (var item : query.orderBy().map(SelectQuery.OrderBy::items).orElse(List.of())) {
            keys.add(ranks.scoreKey(item, scope).orElseGet(() -> pathKey(item, scope)));
        }
        if (keys.size() > 1 && keys.stream().anyMatch(SortKey::nearness)) {
            throw orderBy(
                    query.orderBy().orElseThrow().items().getFirst().value().span(),
                    "VectorDistance cannot be combined with other ORDER BY items.");
        }
        return keys;
    }

    private SortKey pathKey(SelectQuery.SortItem item, Scope scope) {
        var value = expressions.bind(item.value(), scope);
        if (!ExpressionBinder.isPath(item.value())) {
            throw orderBy(item.value().span(), "ORDER BY item expression could not be mapped to a document path.");
        }
        return new SortKey(value, item.order() == SortOrder.DESCENDING);
    }

    FailureException orderBy(Span span, String reason) {
        return errors.at(span, Code.ORDER_BY, "Unsupported ORDER BY clause. " + reason);
    }

    private Counts counts(SelectQuery query) {
        var top = query.select().top().map(count -> count(count, Code.TOP, "TOP"));
        var offset = query.offsetLimit().map(counts -> count(counts.offset(), Code.OFFSET, "OFFSET"));
        var limit = query.offsetLimit().map(counts -> count(counts.limit(), Code.LIMIT, "LIMIT"));
        return new Counts(top, offset, limit);
    }

    private Bound count(Expression count, Code code, String clause) {
        return switch (count) {
            case Expression.Literal(JsonValue value, var _)
            when Count.of(value).isPresent() -> new Bound.Constant(value);
            case Expression.Parameter(String name, var _) -> new Bound.Parameter(parameter(name));
            default -> throw errors.at(count.span(), code, Count.rule(clause));
        };
    }
}
