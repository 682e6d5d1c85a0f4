package dev.orrery.sql.function;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.VectorEmbeddingPolicy.DataType;
import dev.orrery.model.definition.VectorEmbeddingPolicy.DistanceFunction;
import dev.orrery.model.definition.VectorEmbeddingPolicy.Embedding;
import dev.orrery.model.json.JsonPath;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.vector.VectorProbe;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How near two vectors are. Every pair is computed in full, so the answer is exact whether there is an index or not. */
public final class VectorFunctions {
    public static final String VECTOR_DISTANCE = "VECTORDISTANCE";
    private static final int OPTIONS = 3;

    static final List<Builtin> TABLE = List.of(Builtin.bound(
            Builtin.Group.SEARCH,
            VECTOR_DISTANCE + " _VECTORSCORE",
            "vector, other, bruteForce?, options?",
            "How near two vectors are: their cosine or their dot product, which grow with nearness, or their euclidean"
                + " distance; which of them is said by an option, or else by the container's policy for the path of a"
                + " vector, and is the cosine otherwise.",
            "VECTORDISTANCE([1, 2], [4, 6], true, {distanceFunction: 'euclidean'})",
            "5",
            VectorFunctions::bind));

    private VectorFunctions() {}

    private static Builtin.Body bind(ContainerTraits container, List<Optional<JsonPath>> paths) {
        var function = ofContainer(container, paths);
        return (values, _) -> values.length > 2 && !(values[2] instanceof Bool)
                ? JsonValue.UNDEFINED
                : distance(values[0], values[1], chosen(function, Arrays.asList(values)));
    }

    /** What the container says about the vectors that a call compares. */
    public static DistanceFunction ofContainer(ContainerTraits container, List<Optional<JsonPath>> paths) {
        return paths.stream()
                .limit(2)
                .flatMap(Optional::stream)
                .flatMap(path -> container.vectors().find(path).stream())
                .findFirst()
                .map(Embedding::distanceFunction)
                .orElse(DistanceFunction.COSINE);
    }

    /** What a call says itself in its options, or else what the container says. */
    public static DistanceFunction chosen(DistanceFunction ofContainer, List<JsonValue> arguments) {
        if (arguments.size() <= OPTIONS) {
            return ofContainer;
        }
        if (!(arguments.get(OPTIONS) instanceof Obj options)) {
            throw refused("The options of VectorDistance must be an object.");
        }
        option(options, "dataType", DataType.values(), DataType::spelling);
        return option(options, "distanceFunction", DistanceFunction.values(), DistanceFunction::spelling)
                .orElse(ofContainer);
    }

    private static <T> Optional<T> option(Obj options, String name, T[] choices, Function<T, String> spelling) {
        var value = options.member(name);
        if (value.isUndefined()) {
            return Optional.empty();
        }
        var found = Arrays.stream(choices)
                .filter(choice -> value instanceof Str(String text)
                        && spelling.apply(choice).equalsIgnoreCase(text))
                .findFirst();
        if (found.isEmpty()) {
            throw refused("The " + name + " of VectorDistance must be one of "
                    + String.join(", ", Arrays.stream(choices).map(spelling).toList()) + ".");
        }
        return found;
    }

    private static FailureException refused(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }

    private static JsonValue distance(JsonValue one, JsonValue other, DistanceFunction function) {
        var distance = VectorProbe.of(function, one).map(probe -> probe.distance(other));
        return distance.isPresent() ? Numbers.finite(distance.get()) : JsonValue.UNDEFINED;
    }
}
