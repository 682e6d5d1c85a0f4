package dev.orrery.sql.plan;

import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.plan.Condition.End;
import dev.orrery.sql.plan.Condition.Span;
import dev.orrery.sql.run.FixedValues;
import dev.orrery.sql.syntax.BinaryOperator;
import dev.orrery.sql.syntax.Expression.SubqueryKind;
import dev.orrery.sql.syntax.UnaryOperator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds out from a query what its items must be like, in words that an index understands. */
public final class Conditions {
    private static final List<JsonValue> SINGLE_KINDS = List.of(JsonValue.NULL, Bool.FALSE, new Num(0), new Str(""));

    private static final Bound ALWAYS = new Bound.Constant(Bool.TRUE);

    private final FixedValues fixed;
    private final ItemPlaces places;
    private final SearchConditions search;

    private Conditions(FixedValues fixed, ItemPlaces places) {
        this.fixed = fixed;
        this.places = places;
        this.search = new SearchConditions(fixed, places);
    }

    public static Condition of(BoundQuery query, FixedValues fixed) {
        return new Conditions(fixed, ItemPlaces.indexed()).query(query);
    }

    private Condition query(BoundQuery query) {
        var parts = new ArrayList<Condition>();
        for (var source : query.sources()) {
            switch (source) {
                case Source.Items _, Source.Single _, Source.Elements _ -> places.add(source);
                case Source.ItemRows(var rows, var _) -> parts.add(query(rows));
                case Source.Rows(var rows, var _) -> parts.add(rows(rows));
            }
        }
        query.filter().ifPresent(filter -> {
            parts.add(isTrue(filter));
            parts.addAll(elements(query, filter));
        });
        return Condition.all(parts);
    }

    /** What holds when a subquery has a row; one with aggregates always has. */
    private Condition rows(BoundQuery rows) {
        // The tuples of the subquery have to be there as well, which the condition does not say.
        return rows.grouping().isPresent()
                ? Condition.ANYTHING
                : Condition.all(List.of(query(rows), Condition.ANYTHING));
    }

    private Condition isTrue(Bound term) {
        return switch (term) {
            // An SDK puts a true before the filter of a sorted query, which would keep it from being exact.
            case Bound.And(var terms) ->
                Condition.all(terms.stream()
                        .filter(one -> !one.equals(ALWAYS))
                        .map(this::isTrue)
                        .toList());
            case Bound.Or(var terms) ->
                Condition.any(terms.stream().map(this::isTrue).toList());
            case Bound.Unary(var operator, var operand) when operator == UnaryOperator.NOT -> isFalse(operand);
            case Bound.Binary(var operator, var left, var right) -> comparison(operator, left, right);
            case Bound.In(var target, var choices) -> membership(target, choices);
            case Bound.Between(var target, var low, var high) -> between(target, low, high);
            case Bound.Like like -> like(like);
            case Bound.Call call -> call(call);
            case Bound.Subquery(var kind, var query) when kind == SubqueryKind.EXISTS -> rows(query);
            case Bound.Slot _, Bound.Property _, Bound.Computed _ -> value(term, List.of(new Span.Exactly(Bool.TRUE)));
            case Bound.Constant(var value) -> value.equals(Bool.TRUE) ? Condition.ANYTHING : Condition.NOTHING;
            case Bound.Parameter _ ->
                fixed.of(term).equals(Optional.of(Bool.TRUE)) ? Condition.ANYTHING : Condition.NOTHING;
            case Bound.Unary _,
                    Bound.Element _,
                    Bound.Conditional _,
                    Bound.Coalesce _,
                    Bound.UserCall _,
                    Bound.NewArray _,
                    Bound.NewObject _,
                    Bound.Subquery _ -> Condition.ANYTHING;
        };
    }

    /** The condition that a term is false, which is more than that it is not true. */
    private Condition isFalse(Bound term) {
        return switch (term) {
            case Bound.And(var terms) ->
                Condition.any(terms.stream().map(this::isFalse).toList());
            case Bound.Or(var terms) ->
                Condition.all(terms.stream().map(this::isFalse).toList());
            case Bound.Unary(var operator, var operand) when operator == UnaryOperator.NOT -> isTrue(operand);
            case Bound.Binary(var operator, var left, var right) ->
                opposite(operator).map(other -> comparison(other, left, right)).orElse(Condition.ANYTHING);
            case Bound.Call call ->
                call.function().name().equals("IS_DEFINED")
                        ? places.of(call.arguments().getFirst())
                                .filter(ItemPlaces::isOne)
                                .<Condition>map(place -> new Condition.Presence(place, false))
                                .orElse(Condition.ANYTHING)
                        : Condition.ANYTHING;
            case Bound.Slot _, Bound.Property _, Bound.Computed _ -> value(term, List.of(new Span.Exactly(Bool.FALSE)));
            default -> Condition.ANYTHING;
        };
    }

    private static Optional<BinaryOperator> opposite(BinaryOperator operator) {
        return switch (operator) {
            case NOT_EQUAL -> Optional.of(BinaryOperator.EQUAL);
            case LESS -> Optional.of(BinaryOperator.GREATER_OR_EQUAL);
            case LESS_OR_EQUAL -> Optional.of(BinaryOperator.GREATER);
            case GREATER -> Optional.of(BinaryOperator.LESS_OR_EQUAL);
            case GREATER_OR_EQUAL -> Optional.of(BinaryOperator.LESS);
            default -> Optional.empty();
        };
    }

    // ---- terms ----

    private Condition comparison(BinaryOperator operator, Bound left, Bound right) {
        var value = fixed.of(right);
        if (value.isPresent()) {
            return comparison(operator, left, value.get());
        }
        return fixed.of(left)
                .map(other -> comparison(mirrored(operator), right, other))
                .orElse(Condition.ANYTHING);
    }

    private static BinaryOperator mirrored(BinaryOperator operator) {
        return switch (operator) {
            case LESS -> BinaryOperator.GREATER;
            case LESS_OR_EQUAL -> BinaryOperator.GREATER_OR_EQUAL;
            case GREATER -> BinaryOperator.LESS;
            case GREATER_OR_EQUAL -> BinaryOperator.LESS_OR_EQUAL;
            default -> operator;
        };
    }

    private Condition comparison(BinaryOperator operator, Bound target, JsonValue value) {
        return switch (operator) {
            case EQUAL -> equality(target, value);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
                if (!isSingle(value)) {
                    yield Condition.NOTHING; // Nothing is less or greater.
                }
                var end = Optional.of(new End(
                        value,
                        operator == BinaryOperator.LESS_OR_EQUAL || operator == BinaryOperator.GREATER_OR_EQUAL));
                boolean below = operator == BinaryOperator.LESS || operator == BinaryOperator.LESS_OR_EQUAL;
                if (target instanceof Bound.Call call && below && value instanceof Num(double most, var _)) {
                    yield search.isAtMost(call, most);
                }
                yield value(
                        target,
                        List.of(
                                below
                                        ? new Span.Between(Optional.empty(), end)
                                        : new Span.Between(end, Optional.empty())));
            }
            default -> Condition.ANYTHING;
        };
    }

    private Condition equality(Bound target, JsonValue value) {
        if (value.isUndefined()) {
            return Condition.NOTHING;
        }
        if (target instanceof Bound.Call call) {
            return switch (value) {
                case Bool(boolean wanted) -> wanted ? isTrue(call) : isFalse(call);
                case Num(double number, var _) -> search.isAtMost(call, number);
                case JsonValue.Undefined _, JsonValue.Null _, Str _, Arr _, Obj _ -> Condition.ANYTHING;
            };
        }
        return isSingle(value) ? value(target, List.of(new Span.Exactly(value))) : Condition.ANYTHING;
    }

    private Condition membership(Bound target, List<Bound> choices) {
        var spans = new ArrayList<Span>();
        for (var choice : choices) {
            var value = fixed.of(choice);
            if (value.isEmpty() || value.get() instanceof Arr || value.get() instanceof Obj) {
                return Condition.ANYTHING;
            }
            if (!value.get().isUndefined()) {
                spans.add(new Span.Exactly(value.get()));
            }
        }
        return value(target, spans.stream().distinct().toList());
    }

    private Condition between(Bound target, Bound low, Bound high) {
        var from = fixed.of(low);
        var to = fixed.of(high);
        if (from.isEmpty() || to.isEmpty()) {
            return Condition.ANYTHING;
        }
        if (target instanceof Bound.Call call && to.get() instanceof Num(double most, var _)) {
            return search.isAtMost(call, most);
        }
        return isSingle(from.get())
                        && isSingle(to.get())
                        && from.get().getClass() == to.get().getClass()
                ? value(
                        target,
                        List.of(new Span.Between(
                                Optional.of(new End(from.get(), true)), Optional.of(new End(to.get(), true)))))
                : Condition.NOTHING;
    }

    private Condition like(Bound.Like like) {
        return fixed.of(like.pattern())
                .filter(Str.class::isInstance)
                .map(pattern -> fixed.like(((Str) pattern).value(), like.escape()))
                .filter(pattern -> !pattern.start().isEmpty() || pattern.isLiteral())
                .map(pattern -> pattern.isLiteral()
                        ? value(like.target(), List.of(new Span.Exactly(new Str(pattern.start()))))
                        : value(like.target(), List.of(new Span.StartingWith(pattern.start())), pattern.isStartOnly()))
                .orElse(Condition.ANYTHING);
    }

    private Condition call(Bound.Call call) {
        var arguments = call.arguments();
        return switch (call.function().name()) {
            case "STARTSWITH" ->
                text(call)
                        .map(text -> value(arguments.getFirst(), List.of(new Span.StartingWith(text))))
                        .orElse(Condition.ANYTHING);
            case "STRINGEQUALS" ->
                text(call)
                        .map(text -> value(arguments.getFirst(), List.of(new Span.Exactly(new Str(text)))))
                        .orElse(Condition.ANYTHING);
            case "IS_NULL" -> kinds(call, List.of(JsonValue.NULL));
            case "IS_BOOL" -> kinds(call, List.of(Bool.FALSE));
            case "IS_NUMBER" -> kinds(call, List.of(new Num(0)));
            case "IS_STRING" -> kinds(call, List.of(new Str("")));
            case "IS_PRIMITIVE" -> kinds(call, SINGLE_KINDS);
            case "IS_DEFINED" ->
                places.of(arguments.getFirst())
                        .filter(ItemPlaces::isOne)
                        .<Condition>map(place -> new Condition.Presence(place, true))
                        .orElse(Condition.ANYTHING);
            case "ARRAY_CONTAINS" -> contains(arguments.get(0), arguments.get(1), arguments.size() > 2);
            case "ARRAY_CONTAINS_ANY" -> containsSome(arguments, false);
            case "ARRAY_CONTAINS_ALL" -> containsSome(arguments, true);
            default -> search.isTrue(call);
        };
    }

    /** The text that another one is compared with, letter by letter. */
    private Optional<String> text(Bound.Call call) {
        if (call.arguments().size() > 2 && !fixed.of(call.arguments().get(2)).equals(Optional.of(Bool.FALSE))) {
            return Optional.empty();
        }
        return fixed.of(call.arguments().get(1)).filter(Str.class::isInstance).map(value -> ((Str) value).value());
    }

    private Condition kinds(Bound.Call call, List<JsonValue> examples) {
        return value(
                call.arguments().getFirst(),
                examples.stream().<Span>map(Span.Kind::new).toList());
    }

    // ---- arrays ----

    private Condition contains(Bound array, Bound element, boolean partly) {
        var value = fixed.of(element);
        if (value.isPresent()) {
            return places.of(array)
                    .map(place -> contains(ItemPlaces.elements(place), value.get(), partly))
                    .orElse(Condition.ANYTHING);
        }
        return fixed.of(array).orElse(JsonValue.UNDEFINED) instanceof Arr(var choices)
                ? membership(
                        element,
                        choices.stream().<Bound>map(Bound.Constant::new).toList())
                : Condition.ANYTHING;
    }

    private static Condition contains(List<Step> elements, JsonValue value, boolean partly) {
        return switch (value) {
            case JsonValue.Undefined _, Arr _ -> Condition.ANYTHING;
            case Obj object -> {
                var parts = new ArrayList<Condition>();
                object.members().forEach((name, member) -> {
                    if (isSingle(member)) {
                        parts.add(new Condition.Value(
                                ItemPlaces.property(elements, name), List.of(new Span.Exactly(member)), false));
                    }
                });
                var fields = fields(object);
                if (fields.size() > 1) {
                    parts.add(new Condition.Element(elements.subList(0, elements.size() - 1), fields));
                }
                yield Condition.all(parts);
            }
            case JsonValue.Null _, Bool _, Num _, Str _ ->
                new Condition.Value(elements, List.of(new Span.Exactly(value)), !partly);
        };
    }

    private static Map<List<Step>, JsonValue> fields(Obj object) {
        var fields = new LinkedHashMap<List<Step>, JsonValue>();
        object.members().forEach((name, member) -> {
            if (isSingle(member)) {
                fields.put(ItemPlaces.property(List.of(), name), member);
            }
        });
        return fields;
    }

    private Condition containsSome(List<Bound> arguments, boolean all) {
        var place = places.of(arguments.getFirst());
        if (place.isEmpty()) {
            return Condition.ANYTHING;
        }
        var parts = new ArrayList<Condition>();
        for (var choice : arguments.subList(1, arguments.size())) {
            parts.add(fixed.of(choice)
                    .map(value -> inexact(contains(ItemPlaces.elements(place.get()), value, true)))
                    .orElse(Condition.ANYTHING));
        }
        return all ? Condition.all(parts) : Condition.any(parts);
    }

    private static Condition inexact(Condition condition) {
        return condition instanceof Condition.Value(var place, var spans, var _)
                ? new Condition.Value(place, spans, false)
                : condition;
    }

    /** Where a source goes through the elements of an array and several of their fields must have a value. */
    private List<Condition> elements(BoundQuery query, Bound filter) {
        var conditions = new ArrayList<Condition>();
        var terms = filter instanceof Bound.And(var several) ? several : List.of(filter);
        for (var source : query.sources()) {
            if (source instanceof Source.Elements(var array, int slot)
                    && places.of(array).isPresent()) {
                var fields = new LinkedHashMap<List<Step>, JsonValue>();
                terms.forEach(
                        term -> field(slot, term).ifPresent(field -> fields.put(field.getKey(), field.getValue())));
                if (fields.size() > 1) {
                    conditions.add(new Condition.Element(places.of(array).get(), fields));
                }
            }
        }
        return conditions;
    }

    private Optional<Map.Entry<List<Step>, JsonValue>> field(int slot, Bound term) {
        if (!(term instanceof Bound.Binary(var operator, var left, var right)) || operator != BinaryOperator.EQUAL) {
            return Optional.empty();
        }
        var target = fixed.of(right).isPresent() ? left : right;
        var value = fixed.of(right).or(() -> fixed.of(left)).filter(Conditions::isSingle);
        var steps = ItemPlaces.stepsFrom(slot, target).filter(found -> !found.isEmpty());
        return value.isPresent() && steps.isPresent()
                ? Optional.of(Map.entry(steps.get(), value.get()))
                : Optional.empty();
    }

    // ---- places ----

    private Condition value(Bound target, List<Span> spans) {
        return value(target, spans, true);
    }

    private Condition value(Bound target, List<Span> spans, boolean exact) {
        if (spans.isEmpty()) {
            return Condition.NOTHING;
        }
        return places.of(target)
                .filter(place -> !place.isEmpty())
                .<Condition>map(place -> new Condition.Value(place, spans, exact && ItemPlaces.isOne(place)))
                .orElse(Condition.ANYTHING);
    }

    private static boolean isSingle(JsonValue value) {
        return switch (value) {
            case JsonValue.Null _, Bool _, Num _, Str _ -> true;
            case JsonValue.Undefined _, Arr _, Obj _ -> false;
        };
    }
}
