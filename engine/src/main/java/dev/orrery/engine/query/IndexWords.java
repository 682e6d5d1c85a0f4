package dev.orrery.engine.query;

import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.IndexMetrics.Composite;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Condition.End;
import dev.orrery.sql.plan.Condition.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in words which indexes a query was looked up in and how, and which it could use besides. */
final class IndexWords {
    /** More than this of anything is not read, only scrolled over. */
    private static final int SHOWN_MAX = 3;

    private static final int VALUE_CHARACTERS_MAX = 40;

    private final UsableIndexes usable;
    private final Condition condition;
    private final Optional<List<Step>> vectors;
    private final Optional<List<Step>> values;

    /**
     * @param vectors where the vectors are of which the query wants the nearest
     * @param values where the values are that are all the query asks for
     */
    IndexWords(UsableIndexes usable, Condition condition, Optional<List<Step>> vectors, Optional<List<Step>> values) {
        this.usable = usable;
        this.condition = condition;
        this.vectors = vectors;
        this.values = values;
    }

    // ---- what was used ----

    String lookup() {
        // A condition that nothing satisfies has nothing to be looked up.
        return served(condition).orElse("none read: no item can satisfy the filter");
    }

    String nearest() {
        return "nearest vectors of " + IndexPath.spelled(vectors.orElseThrow());
    }

    String answer() {
        return served(condition)
                        .or(() -> values.map(place -> "values of " + path(place)))
                        .map(words -> words + ", ")
                        .orElse("")
                + "answered from the index alone";
    }

    String order(SortIndex index) {
        return usable.composites().stream()
                .filter(index::isOf)
                .findFirst()
                .map(this::composite)
                .orElseGet(() -> single(index));
    }

    private String single(SortIndex index) {
        var place = index.places().getFirst();
        return "order of " + path(place) + (index.downwards().getFirst() ? " descending" : "")
                + confining(place).map(words -> ", " + words).orElse("");
    }

    private String composite(CompositeIndex index) {
        var name = index.parts().stream().map(IndexReport::part).collect(Collectors.joining(", ", "(", ")"));
        var where = index.parts().stream()
                .map(part -> part.path().steps())
                .flatMap(place -> confining(place).map(words -> IndexPath.spelled(place) + " " + words).stream())
                .collect(Collectors.joining(" and "));
        return "composite " + name + (where.isEmpty() ? "" : " where " + where);
    }

    private Optional<String> confining(List<Step> place) {
        var parts = condition instanceof Condition.All(var several) ? several : List.of(condition);
        return parts.stream()
                .filter(part ->
                        part instanceof Condition.Value value && value.place().equals(place))
                .map(part -> spans(((Condition.Value) part).spans()))
                .findFirst();
    }

    /** What the index can be asked of a condition. */
    private Optional<String> served(Condition some) {
        return switch (some) {
            case Condition.Anything _, Condition.Presence _ -> Optional.empty();
            case Condition.All(var parts) ->
                Optional.of(parts.stream()
                                .flatMap(part -> served(part).stream())
                                .toList())
                        .filter(words -> !words.isEmpty())
                        .map(words -> shortened(words, " and "));
            case Condition.Any(var parts) ->
                Optional.of(parts.stream()
                                .flatMap(part -> served(part).stream())
                                .toList())
                        .filter(words -> !words.isEmpty() && words.size() == parts.size())
                        .map(words -> "(" + shortened(words, " or ") + ")");
            case Condition.Value(var place, var spans, var _) ->
                usable.has(place) ? Optional.of(path(place) + " " + spans(spans)) : Optional.empty();
            case Condition.Element(var array, var fields) ->
                usable.tuple(array, fields.keySet())
                        .map(tuple -> IndexReport.tuple(array, tuple) + " = "
                                + tuple.stream()
                                        .map(field -> value(fields.get(field)))
                                        .collect(Collectors.joining(", ", "(", ")")));
            case Condition.Near(var place, var _, var distance) ->
                usable.hasShapes(place) ? Optional.of(near(place, distance)) : Optional.empty();
            case Condition.Words(var place, var terms, var all) ->
                usable.hasTexts(place)
                        ? Optional.of("words of " + IndexPath.spelled(place) + " with "
                                + shortened(
                                        terms.stream().map(IndexWords::value).toList(), all ? " and " : " or "))
                        : Optional.empty();
        };
    }

    private static String near(List<Step> place, double distance) {
        var shapes = "cells of " + IndexPath.spelled(place) + "/* ";
        return distance == 0 ? shapes + "that meet the shape" : shapes + "within " + value(new JsonValue.Num(distance));
    }

    private static String path(List<Step> place) {
        return IndexPath.spelled(place) + "/?";
    }

    private static String spans(List<Span> spans) {
        if (spans.size() > 1 && spans.stream().allMatch(Span.Exactly.class::isInstance)) {
            return "in ("
                    + shortened(
                            spans.stream()
                                    .map(span -> value(((Span.Exactly) span).value()))
                                    .toList(),
                            ", ")
                    + ")";
        }
        return shortened(spans.stream().map(IndexWords::span).toList(), " or ");
    }

    private static String span(Span span) {
        return switch (span) {
            case Span.Exactly(var value) -> "= " + value(value);
            case Span.Between(var low, var high) ->
                (low.map(IndexWords::low).orElse("") + " "
                                + high.map(IndexWords::high).orElse(""))
                        .strip();
            case Span.StartingWith(var text) -> "starting with " + value(new JsonValue.Str(text));
            case Span.Kind(var example) -> "of kind " + kind(example);
        };
    }

    private static String low(End end) {
        return (end.inclusive() ? "from " : "above ") + value(end.value());
    }

    private static String high(End end) {
        return (end.inclusive() ? "to " : "below ") + value(end.value());
    }

    private static String kind(JsonValue example) {
        return switch (example) {
            case JsonValue.Null _ -> "null";
            case JsonValue.Bool _ -> "boolean";
            case JsonValue.Num _ -> "number";
            case JsonValue.Str _ -> "string";
            case JsonValue.Arr _ -> "array";
            case JsonValue.Obj _ -> "object";
            case JsonValue.Undefined _ -> "undefined";
        };
    }

    private static String value(JsonValue value) {
        var text = JsonWriter.text(value);
        return text.length() <= VALUE_CHARACTERS_MAX
                ? text
                : text.substring(0, text.offsetByCodePoints(0, VALUE_CHARACTERS_MAX / 2)) + "...";
    }

    private static String shortened(List<String> words, String between) {
        return words.size() <= SHOWN_MAX
                ? String.join(between, words)
                : String.join(between, words.subList(0, SHOWN_MAX)) + between + (words.size() - SHOWN_MAX) + " more";
    }

    // ---- what would help ----

    List<String> hints(Query query, IndexMetrics metrics) {
        var hints = new ArrayList<String>();
        for (var single : metrics.potential().single()) {
            hints.add(single.path() + " is not indexed: an index of it would help");
        }
        for (var composite : metrics.potential().composite()) {
            if (composite.sorting()) {
                hints.add("a composite index " + name(composite) + " would give the filtered items in order");
            }
        }
        if (condition.equals(Condition.ANYTHING) && query.hasFilter()) {
            hints.add("no index can answer this filter: compare a path with a value, as in c.price > 10");
        }
        return hints;
    }

    private static String name(Composite composite) {
        return "(" + String.join(", ", composite.parts()) + ")";
    }
}
