package dev.orrery.sql.bind;

import dev.orrery.model.FailureException;
import dev.orrery.model.definition.ComputedProperty;
import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.bind.BoundQuery.AggregateCall;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.function.Builtins;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.function.VectorFunctions;
import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.QueryErrors;
import dev.orrery.sql.syntax.QueryErrors.Code;
import dev.orrery.sql.syntax.SyntaxPrinter;
import dev.orrery.sql.syntax.SyntaxTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Binds the expressions of a query: names to slots, calls to functions, aggregates and group keys to their slots. */
final class ExpressionBinder {
    /** Constants of the documented language for numbers that JSON does not have: undefined, as all such results are. */
    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity");

    private final QueryBinder queries;
    private final QueryErrors errors;
    private final ContainerTraits container;

    ExpressionBinder(QueryBinder queries, QueryErrors errors, ContainerTraits container) {
        this.queries = queries;
        this.errors = errors;
        this.container = container;
    }

    Bound bind(Expression expression, Scope scope) {
        var key = scope.findKey(expression);
        if (key.isPresent()) {
            return new Bound.Slot(key.get());
        }
        root(expression).ifPresent(root -> requireGrouped(expression, root, scope));
        return switch (expression) {
            case Expression.Literal(var value, var _) -> new Bound.Constant(value);
            case Expression.Parameter(var name, var _) -> new Bound.Parameter(queries.parameter(name));
            case Expression.Name name -> name(name, scope);
            case Expression.Property(var target, var name, var _) -> property(target, name, scope);
            case Expression.Element(var target, var index, var _) ->
                new Bound.Element(bind(target, scope), bind(index, scope));
            case Expression.Unary(var operator, var operand, var _) -> new Bound.Unary(operator, bind(operand, scope));
            case Expression.Binary(var operator, var left, var right, var _) ->
                new Bound.Binary(operator, bind(left, scope), bind(right, scope));
            case Expression.And(var terms, var _) -> new Bound.And(bind(terms, scope));
            case Expression.Or(var terms, var _) -> new Bound.Or(bind(terms, scope));
            case Expression.Between(var target, var low, var high, var _) ->
                new Bound.Between(bind(target, scope), bind(low, scope), bind(high, scope));
            case Expression.In(var target, var choices, var _) ->
                new Bound.In(bind(target, scope), bind(choices, scope));
            case Expression.Like like -> like(like, scope);
            case Expression.Conditional(var condition, var then, var otherwise, var _) ->
                new Bound.Conditional(bind(condition, scope), bind(then, scope), bind(otherwise, scope));
            case Expression.Coalesce(var value, var fallback, var _) ->
                new Bound.Coalesce(bind(value, scope), bind(fallback, scope));
            case Expression.Call call -> call(call, scope);
            case Expression.UserCall(var function, var arguments, var _) -> {
                queries.countUserCall();
                yield new Bound.UserCall(function, bind(arguments, scope));
            }
            case Expression.NewArray(var items, var _) -> newArray(bind(items, scope));
            case Expression.NewObject(var members, var _) -> newObject(members, scope);
            case Expression.Subquery(var kind, var query, var _) ->
                new Bound.Subquery(kind, queries.query(query, Optional.of(scope), false));
        };
    }

    // Loops and not streams: these methods call themselves as deep as a query is nested, and streams need many frames.

    private List<Bound> bind(List<Expression> all, Scope scope) {
        var bound = new ArrayList<Bound>(all.size());
        for (var expression : all) {
            bound.add(bind(expression, scope));
        }
        return bound;
    }

    /** An array or object of constants is one constant: a shape or a vector is then made once, and not for each item. */
    private static Bound newArray(List<Bound> items) {
        var values = new ArrayList<JsonValue>(items.size());
        for (var item : items) {
            if (!(item instanceof Bound.Constant(JsonValue value))) {
                return new Bound.NewArray(items);
            }
            if (!value.isUndefined()) {
                values.add(value);
            }
        }
        return new Bound.Constant(new JsonValue.Arr(values));
    }

    private Bound newObject(List<Expression.Member> members, Scope scope) {
        var bound = new ArrayList<Bound.Member>(members.size());
        var constant = JsonValue.Obj.builder();
        var constants = 0;
        for (var member : members) {
            var value = bind(member.value(), scope);
            bound.add(new Bound.Member(member.name(), value));
            if (value instanceof Bound.Constant(JsonValue known)) {
                constant.put(member.name(), known);
                constants++;
            }
        }
        return constants == members.size() ? new Bound.Constant(constant.build()) : new Bound.NewObject(bound);
    }

    private Bound property(Expression target, String name, Scope scope) {
        var item = bind(target, scope);
        var way = scope.way(target).filter(ItemWay::isItem);
        var computed = container.computedProperties().stream()
                .filter(property -> property.name().equals(name))
                .findFirst();
        if (computed.isEmpty() || way.isEmpty()) {
            return new Bound.Property(item, name);
        }
        // Where indexes are concerned, the name is that of the computed property, even if the stored one is meant.
        return way.get().computed()
                ? new Bound.Computed(item, name, computed(computed.get(), item))
                : new Bound.Element(item, new Bound.Constant(new JsonValue.Str(name)));
    }

    /** What a computed property of an item is: the expression of its definition, in which only stored properties exist. */
    private Bound computed(ComputedProperty property, Bound item) {
        var definition = ComputedPropertyQuery.parse(property);
        var scope = new Scope(Optional.empty());
        scope.introduce(definition.alias(), ((Bound.Slot) item).index(), Optional.of(new ItemWay(List.of(), false)));
        return bind(definition.value(), scope);
    }

    private Bound name(Expression.Name name, Scope scope) {
        return NOT_FINITE.contains(name.name()) && scope.find(name.name()).isEmpty()
                ? new Bound.Constant(JsonValue.UNDEFINED)
                : new Bound.Slot(resolve(name, scope).slot(name.name()));
    }

    private Scope resolve(Expression.Name name, Scope scope) {
        return scope.find(name.name())
                .orElseThrow(() -> errors.at(
                        name.span(), Code.UNKNOWN_NAME, "Identifier '" + name.name() + "' could not be resolved."));
    }

    /** Once tuples are folded into groups, only what all tuples of a group share can still be asked for. */
    private void requireGrouped(Expression path, Expression.Name root, Scope scope) {
        if (scope.find(root.name()).filter(Scope::grouped).isPresent() && !repeatsKey(path, scope)) {
            throw errors.at(
                    path.span(),
                    Code.NOT_GROUPED,
                    "Property reference '" + SyntaxPrinter.print(path)
                            + "' is invalid in the select list because it is not contained in either an aggregate"
                            + " function or the GROUP BY clause.");
        }
    }

    private static boolean repeatsKey(Expression path, Scope scope) {
        return scope.findKey(path).isPresent()
                || switch (path) {
                    case Expression.Property(var target, var _, var _) -> repeatsKey(target, scope);
                    case Expression.Element(var target, var _, var _) -> repeatsKey(target, scope);
                    default -> false;
                };
    }

    private Bound like(Expression.Like like, Scope scope) {
        like.escape().filter(text -> text.codePointCount(0, text.length()) != 1).ifPresent(_ -> {
            throw errors.syntax(like.span(), "a single character after ESCAPE");
        });
        return new Bound.Like(bind(like.target(), scope), bind(like.pattern(), scope), like.escape());
    }

    private Bound call(Expression.Call call, Scope scope) {
        var aggregate = Aggregate.find(call.function());
        if (aggregate.isPresent()) {
            return aggregate(call, aggregate.get(), scope);
        }
        var function = Builtins.find(call.function()).orElseThrow(() -> unknown(call));
        if (!function.accepts(call.arguments().size())) {
            throw argumentCount(call, function.argumentsInWords());
        }
        return new Bound.Call(function.bind(container, paths(call.arguments(), scope)), bind(call.arguments(), scope));
    }

    /** How vectors are compared, if that is what a bound expression does; empty if it is not known before the query runs. */
    Optional<DistanceFunction> distanceFunction(Expression.Call call, List<Bound> arguments, Scope scope) {
        var constants = new ArrayList<JsonValue>();
        for (var argument : arguments) {
            constants.add(argument instanceof Bound.Constant(JsonValue value) ? value : JsonValue.UNDEFINED);
        }
        return constants.size() == 4 && constants.getLast().isUndefined()
                ? Optional.empty()
                : Optional.of(VectorFunctions.chosen(
                        VectorFunctions.ofContainer(container, paths(call.arguments(), scope)), constants));
    }

    private static List<Optional<JsonPath>> paths(List<Expression> arguments, Scope scope) {
        var paths = new ArrayList<Optional<JsonPath>>(arguments.size());
        for (var argument : arguments) {
            paths.add(scope.way(argument).map(ItemWay::path));
        }
        return paths;
    }

    private FailureException unknown(Expression.Call call) {
        if (RankClause.isOnlyForRank(call)) {
            return errors.at(
                    call.nameSpan(),
                    Code.ORDER_BY,
                    "The function '" + call.function() + "' can only be used in ORDER BY RANK.");
        }
        return errors.at(
                call.nameSpan(),
                Code.UNKNOWN_FUNCTION,
                "'" + call.function() + "' is not a recognized built-in function name.");
    }

    private FailureException argumentCount(Expression.Call call, String expected) {
        return errors.at(
                call.span(),
                Code.ARGUMENT_COUNT,
                "The " + call.function() + " function requires " + expected + " argument(s).");
    }

    private Bound aggregate(Expression.Call call, Aggregate aggregate, Scope scope) {
        if (!scope.grouped()) {
            throw errors.at(
                    call.span(),
                    Code.MISPLACED_AGGREGATE,
                    "The aggregate function " + call.function() + " is only allowed in the SELECT clause.");
        }
        if (call.arguments().size() != 1) {
            throw argumentCount(call, "1");
        }
        var argument = call.arguments().getFirst();
        if (contains(argument, inner -> isAggregate(inner) || inner instanceof Expression.Subquery)) {
            throw errors.at(
                    call.span(),
                    Code.NESTED_AGGREGATE,
                    "Cannot perform an aggregate function on an expression containing an aggregate or a subquery.");
        }
        scope.group(false);
        var bound = new AggregateCall(aggregate, bind(argument, scope), queries.newSlot());
        scope.group(true);
        scope.aggregates().add(bound);
        return new Bound.Slot(bound.slot());
    }

    /** Whether an expression has an aggregate of its own query, that is, outside of its subqueries. */
    static boolean hasAggregate(Expression expression) {
        return contains(expression, ExpressionBinder::isAggregate);
    }

    private static boolean isAggregate(Expression expression) {
        return expression instanceof Expression.Call call
                && Aggregate.find(call.function()).isPresent();
    }

    private static boolean contains(Expression expression, Predicate<Expression> wanted) {
        if (wanted.test(expression)) {
            return true;
        }
        if (expression instanceof Expression.Subquery) {
            return false;
        }
        for (var child : SyntaxTree.children(expression)) {
            if (contains(child, wanted)) {
                return true;
            }
        }
        return false;
    }

    /** The alias at the root of a path of properties and elements, if the expression is such a path. */
    static Optional<Expression.Name> root(Expression expression) {
        return switch (expression) {
            case Expression.Name name -> Optional.of(name);
            case Expression.Property(var target, var _, var _) -> root(target);
            case Expression.Element(var target, var _, var _) -> root(target);
            default -> Optional.empty();
        };
    }

    /** Whether an expression is a path that an index could follow: properties and constant positions below an alias. */
    static boolean isPath(Expression expression) {
        return switch (expression) {
            case Expression.Name _ -> true;
            case Expression.Property(var target, var _, var _) -> isPath(target);
            case Expression.Element(var target, Expression.Literal(JsonValue.Num _, var _), var _) -> isPath(target);
            case Expression.Element(var target, Expression.Parameter _, var _) -> isPath(target);
            default -> false;
        };
    }
}
