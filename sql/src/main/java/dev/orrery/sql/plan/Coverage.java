package dev.orrery.sql.plan;

import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.function.Aggregate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a query can be answered without looking at items, because what it tells about them follows from the entries of one
 * index.
 */
public sealed interface Coverage {

    /** The number of items that satisfy the condition, and nothing else of them. */
    record Quantity() implements Coverage {}

    /**
     * The values at one place.
     *
     * @param numbers whether it matters how many items have a value
     * @param extremes whether the least and the greatest value are enough
     */
    record Values(List<Step> place, boolean numbers, boolean extremes) implements Coverage {}

    /** The ways in which a query can be answered, the quickest first. */
    static List<Coverage> of(BoundQuery query) {
        boolean simple = query.sources().size() == 1
                && query.sources().getFirst() instanceof Source.Items
                && query.sortKeys().isEmpty()
                && query.fusion().isEmpty()
                && (query.grouping().isPresent() || query.distinct());
        if (!simple) {
            return List.of();
        }
        var ways = new ArrayList<Coverage>();
        if (isNumber(query)) {
            ways.add(new Quantity());
        }
        values(query).ifPresent(ways::add);
        return ways;
    }

    private static boolean isNumber(BoundQuery query) {
        return !query.distinct()
                && query.grouping()
                        .filter(grouping -> grouping.keys().isEmpty()
                                && grouping.aggregates().stream()
                                        .allMatch(call -> call.aggregate() == Aggregate.COUNT
                                                && call.argument() instanceof Bound.Constant))
                        .isPresent();
    }

    private static Optional<Coverage> values(BoundQuery query) {
        var places = ItemPlaces.stored();
        places.add(query.sources().getFirst());
        var expressions = new ArrayList<Bound>();
        query.filter().ifPresent(expressions::add);
        expressions.add(query.projection());
        query.grouping().ifPresent(grouping -> {
            grouping.keys().forEach(key -> expressions.add(key.value()));
            grouping.aggregates().forEach(call -> expressions.add(call.argument()));
        });
        var read = new HashSet<List<Step>>();
        int item = query.sources().getFirst().slot();
        boolean known = expressions.stream().allMatch(expression -> collect(expression, places, item, read));
        if (!known || read.size() != 1) {
            return Optional.empty();
        }
        var aggregates = query.grouping().stream()
                .flatMap(grouping -> grouping.aggregates().stream())
                .map(BoundQuery.AggregateCall::aggregate)
                .toList();
        // Sums of numbers depend on the order in which they are added.
        if (!Set.of(Aggregate.COUNT, Aggregate.COUNTIF, Aggregate.MIN, Aggregate.MAX)
                .containsAll(aggregates)) {
            return Optional.empty();
        }
        boolean numbers = aggregates.contains(Aggregate.COUNT) || aggregates.contains(Aggregate.COUNTIF);
        boolean extremes = !numbers
                && query.grouping()
                        .filter(grouping -> grouping.keys().isEmpty())
                        .isPresent()
                && query.grouping().get().aggregates().stream()
                        .allMatch(call -> places.of(call.argument()).isPresent());
        return Optional.of(new Values(read.iterator().next(), numbers, extremes));
    }

    /** Notes the places that an expression reads; false if it reads something else of the item. */
    private static boolean collect(Bound expression, ItemPlaces places, int item, Set<List<Step>> read) {
        var place = places.of(expression);
        if (place.isPresent()) {
            read.add(place.get());
            return ItemPlaces.isOne(place.get());
        }
        return switch (expression) {
            case Bound.Constant _, Bound.Parameter _ -> true;
            case Bound.Slot(int slot) -> slot != item;
            case Bound.Subquery _, Bound.UserCall _ -> false;
            case Bound.Property(var target, var _) -> collect(target, places, item, read);
            case Bound.Element(var target, var index) -> collectAll(List.of(target, index), places, item, read);
            case Bound.Computed(var _, var _, var value) -> collect(value, places, item, read);
            case Bound.Unary(var _, var operand) -> collect(operand, places, item, read);
            case Bound.Binary(var _, var left, var right) -> collectAll(List.of(left, right), places, item, read);
            case Bound.And(var terms) -> collectAll(terms, places, item, read);
            case Bound.Or(var terms) -> collectAll(terms, places, item, read);
            case Bound.Between(var target, var low, var high) ->
                collectAll(List.of(target, low, high), places, item, read);
            case Bound.In(var target, var choices) ->
                collect(target, places, item, read) && collectAll(choices, places, item, read);
            case Bound.Like(var target, var pattern, var _) -> collectAll(List.of(target, pattern), places, item, read);
            case Bound.Conditional(var condition, var then, var otherwise) ->
                collectAll(List.of(condition, then, otherwise), places, item, read);
            case Bound.Coalesce(var value, var fallback) -> collectAll(List.of(value, fallback), places, item, read);
            case Bound.Call(var function, var arguments) ->
                !function.name().equals("RAND") && collectAll(arguments, places, item, read);
            case Bound.NewArray(var items) -> collectAll(items, places, item, read);
            case Bound.NewObject(var members) ->
                members.stream().allMatch(member -> collect(member.value(), places, item, read));
        };
    }

    private static boolean collectAll(List<Bound> parts, ItemPlaces places, int item, Set<List<Step>> read) {
        return parts.stream().allMatch(part -> collect(part, places, item, read));
    }
}
