package dev.orrery.sql.plan;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.sql.bind.Bound;
import dev.orrery.sql.bind.BoundQuery;
import dev.orrery.sql.bind.BoundQuery.SortKey;
import dev.orrery.sql.bind.BoundQuery.Source;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.function.VectorFunctions;
import dev.orrery.sql.run.FixedValues;
import dev.orrery.sql.vector.VectorProbe;
import java.util.List;
import java.util.Optional;

/**
 * What ORDER BY VectorDistance looks for where one item gives at most one row.
 *
 * @param place of the vectors inside items
 * @param descending whether the greatest distance comes first, and items without one come last
 * @param needed whether items without a distance are left out
 */
public record NearestSearch(List<Step> place, VectorProbe probe, boolean descending, boolean needed) {
    private static final int BRUTE_FORCE = 2;

    public NearestSearch {
        place = List.copyOf(place);
    }

    public static Optional<NearestSearch> of(BoundQuery query, ContainerTraits container, FixedValues fixed) {
        boolean simple = query.sources().size() == 1
                && query.sources().getFirst() instanceof Source.Items
                && query.grouping().isEmpty()
                && !query.distinct()
                && query.sortKeys().size() == 1
                && query.sortKeys().getFirst().nearness();
        if (!simple) {
            return Optional.empty();
        }
        var places = ItemPlaces.indexed();
        places.add(query.sources().getFirst());
        return of(query.sortKeys().getFirst(), places, container, fixed);
    }

    private static Optional<NearestSearch> of(
            SortKey key, ItemPlaces places, ContainerTraits container, FixedValues fixed) {
        if (!(key.value() instanceof Bound.Call(var _, var arguments)) || !areOptionsFixed(arguments, fixed)) {
            return Optional.empty();
        }
        boolean first = places.of(arguments.get(0)).isPresent();
        var place = places.of(arguments.get(first ? 0 : 1)).filter(ItemPlaces::isOne);
        var vector = fixed.of(arguments.get(first ? 1 : 0));
        if (place.isEmpty() || vector.isEmpty()) {
            return Optional.empty();
        }
        demandDimensions(place.get(), vector.get(), container);
        var values = arguments.stream()
                .map(argument -> fixed.of(argument).orElse(JsonValue.UNDEFINED))
                .toList();
        return VectorProbe.of(function(place.get(), values, container), vector.get())
                .map(probe -> new NearestSearch(place.get(), probe, key.descending(), key.needed()));
    }

    private static void demandDimensions(List<Step> place, JsonValue vector, ContainerTraits container) {
        var embedding = container.vectors().find(path(place));
        if (embedding.isPresent()
                && vector instanceof Arr(var numbers)
                && numbers.size() != embedding.get().dimensions()) {
            throw new FailureException(new Failure.BadRequest("VectorDistance was given a vector of " + numbers.size()
                    + " dimensions, but the vectorEmbeddingPolicy of the container says that those at "
                    + embedding.get().path().text() + " have " + embedding.get().dimensions() + "."));
        }
    }

    private static boolean areOptionsFixed(List<Bound> arguments, FixedValues fixed) {
        return arguments.stream()
                        .skip(BRUTE_FORCE)
                        .allMatch(argument -> fixed.of(argument).isPresent())
                && (arguments.size() <= BRUTE_FORCE
                        || fixed.of(arguments.get(BRUTE_FORCE))
                                .filter(Bool.class::isInstance)
                                .isPresent());
    }

    private static DistanceFunction function(List<Step> place, List<JsonValue> values, ContainerTraits container) {
        return VectorFunctions.chosen(
                VectorFunctions.ofContainer(container, List.of(Optional.of(path(place)))), values);
    }

    private static JsonPath path(List<Step> place) {
        var names = place.stream().map(step -> ((Step.Property) step).name()).toList();
        return new JsonPath(names, "/" + String.join("/", names));
    }
}
