package dev.orrery.sql.syntax;

import dev.orrery.model.json.JsonValue;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Makes syntax that means nothing, but that a text could say. */
final class RandomSyntax {
    private static final List<String> NAMES = List.of("c", "x", "first", "ALL", "rank", "_a1", "ünï", "udf", "Value1");
    private static final List<String> PROPERTIES =
            List.of("a", "order", "Value", "with space", "quo\"te", "back\\slash", "", "1st", "😀", "left", "null");

    private final RandomGenerator random;

    RandomSyntax(RandomGenerator random) {
        this.random = random;
    }

    SelectQuery query(int depth) {
        return new SelectQuery(
                new Select(random.nextBoolean(), maybe(this::count), projection(depth)),
                maybe(() -> from(depth)),
                maybe(() -> expression(depth)),
                random.nextInt(4) == 0 ? some(() -> expression(depth)) : List.of(),
                maybe(() -> orderBy(depth)),
                maybe(() -> new OffsetLimit(count(), count())));
    }

    Expression expression(int depth) {
        if (depth <= 0) {
            return leaf();
        }
        var next = depth - 1;
        return switch (random.nextInt(16)) {
            case 0 -> new Expression.Property(expression(next), pick(PROPERTIES), Span.NOWHERE);
            case 1 -> element(next);
            case 2 -> unary(next);
            case 3, 4, 5 ->
                new Expression.Binary(
                        pick(List.of(BinaryOperator.values())), expression(next), expression(next), Span.NOWHERE);
            case 6 -> new Expression.And(several(() -> expression(next)), Span.NOWHERE);
            case 7 -> new Expression.Or(several(() -> expression(next)), Span.NOWHERE);
            case 8 -> new Expression.Between(expression(next), expression(next), expression(next), Span.NOWHERE);
            case 9 -> new Expression.In(expression(next), some(() -> expression(next)), Span.NOWHERE);
            case 10 ->
                new Expression.Like(expression(next), expression(next), maybe(() -> pick(PROPERTIES)), Span.NOWHERE);
            case 11 -> new Expression.Conditional(expression(next), expression(next), expression(next), Span.NOWHERE);
            case 12 -> new Expression.Coalesce(expression(next), expression(next), Span.NOWHERE);
            case 13 -> call(next);
            case 14 -> constructor(next);
            default ->
                new Expression.Subquery(pick(List.of(Expression.SubqueryKind.values())), query(next - 1), Span.NOWHERE);
        };
    }

    private Expression leaf() {
        return switch (random.nextInt(4)) {
            case 0 -> new Expression.Name(pick(NAMES), Span.NOWHERE);
            case 1 -> new Expression.Parameter(pick(List.of("@p", "@1", "@_x", "@Top")), Span.NOWHERE);
            default -> literal();
        };
    }

    private Expression.Literal literal() {
        JsonValue value = switch (random.nextInt(6)) {
            case 0 -> JsonValue.UNDEFINED;
            case 1 -> JsonValue.NULL;
            case 2 -> JsonValue.Bool.of(random.nextBoolean());
            case 3 -> new JsonValue.Num(random.nextInt(-100, 100));
            case 4 -> new JsonValue.Num(random.nextDouble() * Math.pow(10, random.nextInt(-300, 300)));
            default -> new JsonValue.Str(pick(PROPERTIES));
        };
        return new Expression.Literal(value, Span.NOWHERE);
    }

    /** A string constant in brackets would be read as a property. */
    private Expression element(int depth) {
        var index = expression(depth);
        return index instanceof Expression.Literal(JsonValue.Str _, var _)
                ? new Expression.Property(expression(depth), "s", Span.NOWHERE)
                : new Expression.Element(expression(depth), index, Span.NOWHERE);
    }

    /** A minus before a number would be read as a part of the number. */
    private Expression unary(int depth) {
        return new Expression.Unary(pick(List.of(UnaryOperator.values())), expression(depth), Span.NOWHERE);
    }

    private Expression call(int depth) {
        List<Expression> arguments = random.nextBoolean() ? some(() -> expression(depth)) : List.of();
        return random.nextBoolean()
                ? new Expression.Call(pick(List.of("ABS", "left", "Count")), arguments, Span.NOWHERE, Span.NOWHERE)
                : new Expression.UserCall(pick(List.of("tax", "first")), arguments, Span.NOWHERE);
    }

    private Expression constructor(int depth) {
        if (random.nextBoolean()) {
            return new Expression.NewArray(
                    random.nextInt(4) == 0 ? List.of() : some(() -> expression(depth)), Span.NOWHERE);
        }
        return new Expression.NewObject(
                random.nextInt(4) == 0
                        ? List.of()
                        : some(() -> new Expression.Member(pick(PROPERTIES), expression(depth))),
                Span.NOWHERE);
    }

    private Projection projection(int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> new Projection.Star(Span.NOWHERE);
            case 1 -> new Projection.Value(expression(depth));
            default -> new Projection.Items(some(() -> new Item(expression(depth), maybe(() -> pick(NAMES)))));
        };
    }

    private From from(int depth) {
        return new From(source(depth), random.nextBoolean() ? List.of() : some(() -> source(depth)));
    }

    private Source source(int depth) {
        return random.nextBoolean()
                ? new Source.Iterated(pick(NAMES), collection(depth), Span.NOWHERE)
                : new Source.Aliased(collection(depth), maybe(() -> pick(NAMES)), Span.NOWHERE);
    }

    private Collection collection(int depth) {
        if (depth > 0 && random.nextInt(4) == 0) {
            return new Collection.Derived(query(depth - 1));
        }
        Expression path = new Expression.Name(pick(NAMES), Span.NOWHERE);
        for (var length = random.nextInt(3); length > 0; length--) {
            path = random.nextBoolean()
                    ? new Expression.Property(path, pick(PROPERTIES), Span.NOWHERE)
                    : new Expression.Element(path, count(), Span.NOWHERE);
        }
        return new Collection.Path(path);
    }

    private OrderBy orderBy(int depth) {
        if (random.nextInt(4) == 0) {
            return new OrderBy(
                    true,
                    some(() -> new SortItem(
                            new Expression.Call("RRF", some(() -> expression(depth)), Span.NOWHERE, Span.NOWHERE),
                            pick(List.of(SortOrder.values())))));
        }
        return new OrderBy(false, some(() -> new SortItem(expression(depth), pick(List.of(SortOrder.values())))));
    }

    private Expression count() {
        return random.nextBoolean()
                ? new Expression.Literal(new JsonValue.Num(random.nextInt(100)), Span.NOWHERE)
                : new Expression.Parameter("@n", Span.NOWHERE);
    }

    private <T> Optional<T> maybe(Supplier<T> part) {
        return random.nextInt(3) == 0 ? Optional.of(part.get()) : Optional.empty();
    }

    private <T> List<T> some(Supplier<T> part) {
        return parts(part, 1);
    }

    private <T> List<T> several(Supplier<T> part) {
        return parts(part, 2);
    }

    private <T> List<T> parts(Supplier<T> part, int least) {
        var parts = new ArrayList<T>();
        for (var count = least + random.nextInt(2); count > 0; count--) {
            parts.add(part.get());
        }
        return parts;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
