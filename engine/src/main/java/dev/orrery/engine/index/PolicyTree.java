package dev.orrery.engine.index;

import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.definition.IndexedPath;
import dev.orrery.model.definition.IndexingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    static PolicyTree of(IndexingPolicy policy) {
        return node(policy, List.of());
    }

    private PolicyTree(IndexingPolicy policy, List<Step> place, List<Step> following) {
        this.indexed = policy.isIndexed(place);
        this.uniform = false;
        // A name that no path mentions stands for all of them.
        this.others = node(policy, extended(place, new Step.Property("\0")));
        this.elements = node(policy, extended(place, new Step.AnyPosition()));
        for (var step : following) {
            if (step instanceof Step.Property(var name)) {
                members.put(name, node(policy, extended(place, step)));
            }
        }
    }

    private static PolicyTree node(IndexingPolicy policy, List<Step> place) {
        var following = paths(policy)
                .filter(path -> path.steps().size() > place.size() && leadsThrough(path, place))
                .map(path -> path.steps().get(place.size()))
                .distinct()
                .toList();
        return following.isEmpty() && !hasOwnRule(policy, place)
                ? policy.isIndexed(place) ? ALL : NONE
                : new PolicyTree(policy, place, following);
    }

    private static Stream<IndexPath> paths(IndexingPolicy policy) {
        return Stream.concat(
                Stream.concat(policy.included().stream(), policy.excluded().stream())
                        .map(IndexedPath::path),
                IndexingPolicy.ALWAYS_INDEXED.stream().map(place -> new IndexPath("", place, IndexPath.Ending.SCALAR)));
    }

    private static boolean leadsThrough(IndexPath path, List<Step> place) {
        return path.covers(place)
                || new IndexPath("", path.steps().subList(0, place.size()), IndexPath.Ending.SCALAR).covers(place);
    }

    /** Whether what holds for a place is not what holds for everything below it. */
    private static boolean hasOwnRule(IndexingPolicy policy, List<Step> place) {
        return policy.isIndexed(place) != policy.isIndexed(extended(place, new Step.Property("\0")))
                || policy.isIndexed(place) != policy.isIndexed(extended(place, new Step.AnyPosition()));
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
