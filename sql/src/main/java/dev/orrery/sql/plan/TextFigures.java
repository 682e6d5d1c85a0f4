package dev.orrery.sql.plan;

import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.AggregateCall;
import dev.orrery.sql.bind.BoundQuery.Counts;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.run.FixedValues;
import java.util.List;
import java.util.Optional;

/**
 * What a query tells of all items together, when that is how many they are, how many words their texts have, and how many
 * of them have a term: what has to be known before texts can be scored.
 *
 * @param figures one for each aggregate of the query
 */
public record TextFigures(List<Figure> figures) {

    public sealed interface Figure {
        /** The number of items. */
        record Items() implements Figure {}

        /** The number of words of all texts at a place. */
        record Words(List<Step> place) implements Figure {}

        /** The number of items with a text that has a term. */
        record Hits(Condition.Words condition) implements Figure {}
    }

    public TextFigures {
        figures = List.copyOf(figures);
    }

    public static Optional<TextFigures> of(BoundQuery query, FixedValues fixed) {
        boolean simple = query.sources().size() == 1
                && query.sources().getFirst() instanceof Source.Items
                && query.filter().isEmpty()
                && query.sortKeys().isEmpty()
                && query.fusion().isEmpty()
                && !query.distinct()
                && query.counts().equals(Counts.NONE)
                && query.grouping()
                        .filter(grouping -> grouping.keys().isEmpty())
                        .isPresent();
        if (!simple) {
            return Optional.empty();
        }
        var places = ItemPlaces.indexed();
        places.add(query.sources().getFirst());
        var found = query.grouping().orElseThrow().aggregates().stream()
                .map(call -> figure(call, places, fixed))
                .toList();
        return found.stream().allMatch(Optional::isPresent)
                ? Optional.of(new TextFigures(
                        found.stream().<Figure>map(Optional::orElseThrow).toList()))
                : Optional.empty();
    }

    /** What the texts are like to which the one score of a query gives more than 0. */
    public static Optional<Condition.Words> rankedFirst(BoundQuery query, FixedValues fixed) {
        var places = ItemPlaces.indexed();
        query.sources().forEach(places::add);
        return query.fusion()
                .filter(fusion -> fusion.scores().size() == 1)
                .map(fusion -> fusion.scores().getFirst())
                .filter(score -> score.descending() && !score.nearness())
                .filter(score -> score.value() instanceof Bound.Call)
                .map(score -> ((Bound.Call) score.value()).arguments())
                .flatMap(arguments -> places.of(arguments.get(0))
                        .filter(ItemPlaces::isOne)
                        .flatMap(place -> fixed.of(arguments.get(1))
                                .filter(Arr.class::isInstance)
                                .map(terms -> new Condition.Words(place, ((Arr) terms).items(), false))));
    }

    private static Optional<Figure> figure(AggregateCall aggregate, ItemPlaces places, FixedValues fixed) {
        return switch (aggregate.aggregate()) {
            case COUNT ->
                aggregate.argument() instanceof Bound.Constant(var value) && !value.isUndefined()
                        ? Optional.of(new Figure.Items())
                        : Optional.empty();
            case SUM ->
                aggregate.argument() instanceof Bound.Call(var function, var arguments)
                                && function.name().equals("_FULLTEXTWORDCOUNT")
                        ? places.of(arguments.getFirst())
                                .filter(ItemPlaces::isOne)
                                .map(Figure.Words::new)
                        : Optional.empty();
            case COUNTIF ->
                aggregate.argument() instanceof Bound.Call call
                                && new SearchConditions(fixed, places).isTrue(call) instanceof Condition.Words words
                        ? Optional.of(new Figure.Hits(words))
                        : Optional.empty();
            case AVG, MAKELIST, MAKESET, MAX, MIN -> Optional.empty();
        };
    }
}
