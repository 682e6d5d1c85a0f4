package dev.orrery.engine.index;

import dev.orrery.model.definition.ComputedProperty;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.definition.IndexedPath;
import dev.orrery.model.definition.IndexingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An indexing policy to walk through together with an item: one node for each place that a path of the policy leads
 * through, and beyond these a node that says the same about everything below it.
 */
final class PolicyTree {
    private static final PolicyTree ALL = new PolicyTree(true);
    private static final PolicyTree NONE = new PolicyTree(false);

    private final boolean indexed;
    private final boolean uniform;
    private final Map<String, PolicyTree> members = new HashMap<>();
    private PolicyTree elements;
    private PolicyTree others;

    private PolicyTree(boolean indexed) {
        this.indexed = indexed;
        this.uniform = true;
    }

    static PolicyTree of(ContainerDefinition definition) {
        return node(definition, List.of());
    }

    private PolicyTree(ContainerDefinition definition, List<Step> place, List<Step> following) {
        this.indexed = definition.isIndexed(place);
        this.uniform = false;
        // A name that no path mentions stands for all of them.
        this.others = node(definition, extended(place, new Step.Property("\0")));
        this.elements = node(definition, extended(place, new Step.AnyPosition()));
        for (var step : following) {
            if (step instanceof Step.Property(var name)) {
                members.put(name, node(definition, extended(place, step)));
            }
        }
    }

    private static PolicyTree node(ContainerDefinition definition, List<Step> place) {
        var following = paths(definition)
                .filter(path -> path.steps().size() > place.size() && leadsThrough(path, place))
                .map(path -> path.steps().get(place.size()))
                .distinct()
                .toList();
        return following.isEmpty() && !hasOwnRule(definition, place)
                ? definition.isIndexed(place) ? ALL : NONE
                : new PolicyTree(definition, place, following);
    }

    private static Stream<IndexPath> paths(ContainerDefinition definition) {
        var policy = definition.indexingPolicy();
        return Stream.of(
                        policy.included().stream().map(IndexedPath::path),
                        policy.excluded().stream().map(IndexedPath::path),
                        IndexingPolicy.ALWAYS_INDEXED.stream().map(PolicyTree::scalar),
                        // A path of their own for what /* does not reach.
                        definition.computedProperties().stream()
                                .map(ComputedProperty::name)
                                .map(name -> scalar(List.of(new Step.Property(name)))))
                .flatMap(Function.identity());
    }

    private static IndexPath scalar(List<Step> place) {
        return new IndexPath("", place, IndexPath.Ending.SCALAR);
    }

    private static boolean leadsThrough(IndexPath path, List<Step> place) {
        return path.covers(place)
                || scalar(path.steps().subList(0, place.size())).covers(place);
    }

    /** Whether what holds for a place is not what holds for everything below it. */
    private static boolean hasOwnRule(ContainerDefinition definition, List<Step> place) {
        return definition.isIndexed(place) != definition.isIndexed(extended(place, new Step.Property("\0")))
                || definition.isIndexed(place) != definition.isIndexed(extended(place, new Step.AnyPosition()));
    }

    private static List<Step> extended(List<Step> place, Step step) {
        var longer = new ArrayList<>(place);
        longer.add(step);
        return longer;
    }

    /** Whether a number, string, boolean or null at this very place is indexed. */
    boolean isIndexed() {
        return indexed;
    }

    /** Whether nothing here or below is indexed. */
    boolean isBare() {
        return uniform && !indexed;
    }

    PolicyTree member(String name) {
        return uniform ? this : members.getOrDefault(name, others);
    }

    PolicyTree elements() {
        return uniform ? this : elements;
    }
}
