package dev.orrery.engine.query;

import dev.orrery.engine.index.SortIndex;
import dev.orrery.engine.index.UsableIndexes;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.IndexMetrics.Composite;
import dev.orrery.engine.operation.IndexMetrics.Impact;
import dev.orrery.engine.operation.IndexMetrics.Indexes;
import dev.orrery.engine.operation.IndexMetrics.Single;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.CompositeIndex.Order;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Condition.Span;
import dev.orrery.sql.plan.SortPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Stream;

/**
 * Finds out which indexes serve a query by what it asks for, and which its container lacks. The impact of an index is
 * low when it only tells whether something, or what kind of thing, is at a path, and high otherwise. A composite index is
 * proposed for several equalities, for equalities and a range, and for equalities and an ORDER BY.
 */
final class IndexReport {
    private final UsableIndexes usable;
    private final List<CompositeIndex> composites;
    private final Map<String, Impact> utilized = new LinkedHashMap<>();
    private final Map<String, Impact> potential = new LinkedHashMap<>();
    private final SequencedSet<List<Step>> equalities = new LinkedHashSet<>();
    private final SequencedSet<List<Step>> ranges = new LinkedHashSet<>();
    private boolean lists;

    private IndexReport(UsableIndexes usable) {
        this.usable = usable;
        this.composites = usable.composites();
    }

    /**
     * @param sort what the query sorts by
     * @param order the index that gives it this order, if one does
     * @param vectors where the vectors are of which the query wants the nearest
     * @param values where the values are that are all the query asks for
     */
    static IndexMetrics of(
            UsableIndexes usable,
            Condition condition,
            List<SortPlace> sort,
            Optional<SortIndex> order,
            Optional<List<Step>> vectors,
            Optional<List<Step>> values) {
        var report = new IndexReport(usable);
        vectors.ifPresent(report::nearest);
        values.ifPresent(place -> report.single(place, Impact.HIGH, true));
        return report.report(condition, sort, order);
    }

    private void nearest(List<Step> place) {
        add(
                IndexPath.spelled(place),
                Impact.HIGH,
                usable.isAskedForVectors(place),
                usable.vectors(place).isPresent());
    }

    private IndexMetrics report(Condition condition, List<SortPlace> sort, Optional<SortIndex> order) {
        filter(condition, true);
        parts(condition).forEach(this::collect);
        var ordered =
                order.flatMap(index -> composites.stream().filter(index::isOf).findFirst());
        if (order.isPresent() && ordered.isEmpty()) {
            single(sort.getFirst().place().orElseThrow(), Impact.HIGH, true);
        }
        return new IndexMetrics(
                new Indexes(
                        singles(utilized),
                        ordered.stream()
                                .map(index -> new Composite(parts(index), true, Impact.HIGH))
                                .toList()),
                new Indexes(singles(potential), proposals(sort)));
    }

    private static List<Single> singles(Map<String, Impact> paths) {
        return paths.entrySet().stream()
                .map(path -> new Single(path.getKey(), path.getValue()))
                .toList();
    }

    // ---- indexes of single values ----

    /** @param served whether what is around the condition leaves it to the index */
    private void filter(Condition condition, boolean served) {
        switch (condition) {
            case Condition.Anything _ -> {}
            case Condition.All(var parts) -> parts.forEach(part -> filter(part, served));
            case Condition.Any(var parts) -> {
                boolean all = served && parts.stream().allMatch(this::isServed);
                parts.forEach(part -> filter(part, all));
            }
            case Condition.Value value -> single(value.place(), impact(value), served);
            case Condition.Presence(var place, var _) -> single(place, Impact.LOW, served);
            case Condition.Element element -> {
                if (served) {
                    tuple(element).ifPresent(path -> add(utilized, path, Impact.HIGH));
                }
            }
            case Condition.Near(var place, var _, var _) ->
                add(
                        IndexPath.spelled(place) + "/*",
                        Impact.HIGH,
                        usable.isAskedForShapes(place),
                        served && usable.hasShapes(place));
            case Condition.Words(var place, var _, var _) ->
                add(
                        IndexPath.spelled(place),
                        Impact.HIGH,
                        usable.isAskedForTexts(place),
                        served && usable.hasTexts(place));
        }
    }

    private boolean isServed(Condition condition) {
        return switch (condition) {
            case Condition.Anything _ -> false;
            case Condition.All(var parts) -> parts.stream().anyMatch(this::isServed);
            case Condition.Any(var parts) -> parts.stream().allMatch(this::isServed);
            case Condition.Value value -> usable.has(value.place());
            case Condition.Presence(var place, var _) -> usable.has(place);
            case Condition.Element element -> tuple(element).isPresent();
            case Condition.Near(var place, var _, var _) -> usable.hasShapes(place);
            case Condition.Words(var place, var _, var _) -> usable.hasTexts(place);
        };
    }

    private static Impact impact(Condition.Value value) {
        return value.spans().stream().anyMatch(Span.Kind.class::isInstance) ? Impact.LOW : Impact.HIGH;
    }

    private void single(List<Step> place, Impact impact, boolean served) {
        add(IndexPath.spelled(place) + "/?", impact, usable.isAskedFor(place), served && usable.has(place));
    }

    /** What is asked for but does not serve is still being built, or stands where no index helps. */
    private void add(String path, Impact impact, boolean askedFor, boolean serves) {
        if (!askedFor) {
            add(potential, path, impact);
        } else if (serves) {
            add(utilized, path, impact);
        }
    }

    private static void add(Map<String, Impact> paths, String path, Impact impact) {
        paths.merge(path, impact, (one, other) -> one == Impact.HIGH ? one : other);
    }

    private Optional<String> tuple(Condition.Element element) {
        return usable.tuple(element.array(), element.fields().keySet()).map(fields -> tuple(element.array(), fields));
    }

    static String tuple(List<Step> array, List<List<Step>> fields) {
        var steps = Stream.concat(array.stream(), Stream.of(new Step.AnyPosition(), new Step.Tuple(fields)));
        return IndexPath.spelled(steps.toList()) + "/?";
    }

    // ---- composite indexes ----

    private static List<Condition> parts(Condition condition) {
        return condition instanceof Condition.All(var parts) ? parts : List.of(condition);
    }

    /** Remembers which single value must be one of some, and which must lie in a stretch. */
    private void collect(Condition condition) {
        if (condition instanceof Condition.Value value
                && value.place().stream().allMatch(Step.Property.class::isInstance)) {
            if (value.spans().stream().allMatch(Span.Exactly.class::isInstance)) {
                equalities.add(value.place());
                lists |= value.spans().size() > 1;
            } else if (impact(value) == Impact.HIGH) {
                ranges.add(value.place());
            }
        }
    }

    private List<Composite> proposals(List<SortPlace> sort) {
        if (!sort.isEmpty()) {
            return sort.stream().anyMatch(key -> key.place().isEmpty()) || equalities.isEmpty()
                    ? List.of()
                    // Entries of several values are several stretches, each in an order of its own.
                    : proposal(sort, !lists).stream().toList();
        }
        if (ranges.isEmpty()) {
            return equalities.size() < 2
                    ? List.of()
                    : proposal(List.of(), false).stream().toList();
        }
        return equalities.isEmpty()
                ? List.of()
                : ranges.stream()
                        .map(range -> proposal(List.of(new SortPlace(Optional.of(range), false)), false))
                        .flatMap(Optional::stream)
                        .toList();
    }

    /** An index of what must be equal, and behind it something else; empty when the container has one like it. */
    private Optional<Composite> proposal(List<SortPlace> rest, boolean sorting) {
        var first = new LinkedHashSet<>(equalities);
        rest.forEach(key -> first.remove(key.place().orElseThrow()));
        boolean tooLong = first.size() + rest.size() > Limits.COMPOSITE_INDEX_PROPERTIES_MAX;
        if (first.isEmpty() || tooLong || composites.stream().anyMatch(index -> serves(index, first, rest))) {
            return Optional.empty();
        }
        var order = !rest.isEmpty() && rest.getFirst().descending();
        var parts = new ArrayList<String>();
        first.forEach(place -> parts.add(part(place, order)));
        rest.forEach(key -> parts.add(part(key.place().orElseThrow(), key.descending())));
        return Optional.of(new Composite(parts, sorting, Impact.HIGH));
    }

    private static boolean serves(CompositeIndex index, SequencedSet<List<Step>> first, List<SortPlace> rest) {
        var parts = index.parts();
        if (parts.size() < first.size() + rest.size()) {
            return false;
        }
        var begin = new HashSet<>(parts.subList(0, first.size()).stream()
                .map(part -> part.path().steps())
                .toList());
        int sameWay = 0;
        for (int i = 0; i < rest.size(); i++) {
            var part = parts.get(first.size() + i);
            if (!part.path().steps().equals(rest.get(i).place().orElseThrow())) {
                return false;
            }
            sameWay += (part.order() == Order.DESCENDING) == rest.get(i).descending() ? 1 : 0;
        }
        return begin.equals(first) && (sameWay == 0 || sameWay == rest.size());
    }

    private static List<String> parts(CompositeIndex index) {
        return index.parts().stream().map(IndexReport::part).toList();
    }

    static String part(CompositeIndex.Part part) {
        return part(part.path().steps(), part.order() == Order.DESCENDING);
    }

    private static String part(List<Step> place, boolean descending) {
        return IndexPath.spelled(place) + (descending ? " DESC" : " ASC");
    }
}
