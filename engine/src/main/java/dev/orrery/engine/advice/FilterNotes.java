package dev.orrery.engine.advice;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Condition.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the queries of one pattern ask of items: which values at which places, and which stretches of values. */
final class FilterNotes {
    private final Map<List<Step>, Values> values = new HashMap<>();
    private final Map<List<Step>, Stretch> stretches = new HashMap<>();
    private boolean complete = true;

    /**
     * What was asked of a place by its order.
     *
     * @param low whether a call had a least value
     * @param high whether a call had a greatest one
     * @param example a value at one of the ends
     * @param lettersMin the fewest letters that texts had to begin with, 0 where a call had ends instead
     */
    record Stretch(boolean low, boolean high, JsonValue example, int lettersMin) {
        private Stretch plus(Stretch other) {
            return new Stretch(low || other.low, high || other.high, example, Math.min(lettersMin, other.lettersMin));
        }
    }

    /**
     * Notes a request.
     *
     * @param condition as much of the filter as an index can tell
     * @param call whether this is the one of its requests by which a call is counted
     */
    void add(Condition condition, boolean call, double charge) {
        complete &= Condition.isExact(condition);
        parts(condition).forEach(part -> {
            if (merged(part) instanceof Condition.Value(var place, var spans, var _)) {
                add(place, spans, call, charge);
            } else {
                complete = false;
            }
        });
    }

    private static Stream<Condition> parts(Condition condition) {
        return condition instanceof Condition.All(var parts)
                ? parts.stream().flatMap(FilterNotes::parts)
                : Stream.of(condition);
    }

    /** {@code c.a = 1 OR c.a = 2} asks for the same as {@code c.a IN (1, 2)}. */
    private static Condition merged(Condition condition) {
        if (!(condition instanceof Condition.Any(var parts))
                || parts.isEmpty()
                || !(parts.getFirst() instanceof Condition.Value first)) {
            return condition;
        }
        var spans = new ArrayList<Span>();
        for (var part : parts) {
            if (!(part instanceof Condition.Value(var place, var some, var _)) || !place.equals(first.place())) {
                return condition;
            }
            spans.addAll(some);
        }
        return new Condition.Value(first.place(), spans, first.exact());
    }

    private void add(List<Step> place, List<Span> spans, boolean call, double charge) {
        if (values.size() + stretches.size() >= Limits.ADVICE_PATHS_MAX
                && !values.containsKey(place)
                && !stretches.containsKey(place)) {
            return;
        }
        if (spans.stream().allMatch(Span.Exactly.class::isInstance)) {
            var wanted =
                    spans.stream().map(span -> ((Span.Exactly) span).value()).toList();
            values.computeIfAbsent(place, _ -> new Values()).add(wanted, call, charge);
        } else if (spans.size() == 1) {
            stretch(spans.getFirst()).ifPresent(stretch -> stretches.merge(place, stretch, Stretch::plus));
        }
    }

    private static Optional<Stretch> stretch(Span span) {
        return switch (span) {
            case Span.Between(var low, var high) ->
                Optional.of(new Stretch(
                        low.isPresent(),
                        high.isPresent(),
                        low.or(() -> high).orElseThrow().value(),
                        0));
            case Span.StartingWith(var text) ->
                Optional.of(new Stretch(true, true, new JsonValue.Str(text), text.length()));
            case Span.Exactly _, Span.Kind _ -> Optional.empty();
        };
    }

    /** The values that equalities of a top-level property ask for, one in each call. */
    void addKinds(Map<String, Values.Figures> kinds) {
        values.forEach((place, seen) -> {
            var figures = seen.figures();
            if (place.size() == 1 && place.getFirst() instanceof Step.Property(var name) && !figures.hasLists()) {
                kinds.merge(name, figures, Values.Figures::plus);
            }
        });
    }

    /**
     * What was seen, by path.
     *
     * @param values which values properties are asked for
     * @param elements which values elements of arrays are asked for, one of which has to have them
     * @param complete whether that is all that items have to satisfy
     */
    record Figures(
            Map<String, Values.Figures> values,
            Map<String, Values.Figures> elements,
            Map<String, Stretch> stretches,
            boolean complete) {
        Figures {
            values = Map.copyOf(values);
            elements = Map.copyOf(elements);
            stretches = Map.copyOf(stretches);
        }
    }

    Figures figures() {
        var single = new HashMap<String, Values.Figures>();
        var elements = new HashMap<String, Values.Figures>();
        values.forEach(
                (place, seen) -> (isProperty(place) ? single : elements).put(IndexPath.spelled(place), seen.figures()));
        var ordered = new HashMap<String, Stretch>();
        stretches.forEach((place, stretch) -> {
            if (isProperty(place)) {
                ordered.put(IndexPath.spelled(place), stretch);
            }
        });
        return new Figures(single, elements, ordered, complete);
    }

    /** Whether no array leads to a place, as it must be for a partition key. */
    private static boolean isProperty(List<Step> place) {
        return place.stream().allMatch(Step.Property.class::isInstance);
    }
}
