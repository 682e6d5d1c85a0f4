package dev.orrery.engine.query;

import dev.orrery.engine.catalog.Container;
import dev.orrery.model.Failure;
import dev.orrery.model.definition.CompositeIndex;
import dev.orrery.model.definition.IndexPath;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.plan.SortPlace;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which ORDER BY the indexing policy of a container allows, as the cloud service has it. */
final class SortRules {
    private SortRules() {}

    /**
     * What keeps a query from being answered.
     *
     * @param index the path that has to be indexed, or the parts of a composite index; none when no index would help
     */
    record Obstacle(List<String> index, Failure failure) {
        private Obstacle(List<String> index, String message) {
            this(index, new Failure.BadRequest(message));
        }

        Obstacle {
            index = List.copyOf(index);
        }
    }

    static Optional<Obstacle> obstacle(Query query, Container container) {
        var sort = query.sortPlaces();
        var policy = container.definition().indexingPolicy();
        // A computed property is sorted by whether it is indexed or not.
        if (!query.readsItems()
                || sort.stream()
                        .anyMatch(key -> key.place()
                                .filter(place ->
                                        container.definition().computed(place).isEmpty())
                                .isEmpty())) {
            return Optional.empty();
        }
        if (sort.size() == 1) {
            var place = sort.getFirst().place().orElseThrow();
            if (!policy.isIndexed(place)) {
                var path = IndexPath.spelled(place) + "/?";
                return Optional.of(new Obstacle(
                        List.of(path),
                        "The index path corresponding to the specified order-by item is excluded. ORDER BY needs the"
                                + " path " + path + " in the includedPaths of the container's indexing policy."));
            }
        } else if (sort.stream().map(SortPlace::place).distinct().count() < sort.size()) {
            return Optional.of(
                    new Obstacle(List.of(), "ORDER BY names the same property twice. Leave out the second one."));
        } else if (sort.size() > 1 && policy.composite().stream().noneMatch(index -> serves(index, sort))) {
            return Optional.of(new Obstacle(
                    sort.stream()
                            .map(key -> IndexPath.spelled(key.place().orElseThrow())
                                    + (key.descending() ? " DESC" : " ASC"))
                            .toList(),
                    "The order by query does not have a corresponding composite index that it can be served from."
                            + " Add this one to the compositeIndexes of the container's indexing policy: "
                            + composite(sort)));
        }
        return Optional.empty();
    }

    /** Whether an index has the same properties in the same order, all in the same direction or all in the other. */
    private static boolean serves(CompositeIndex index, List<SortPlace> sort) {
        if (index.parts().size() != sort.size()) {
            return false;
        }
        int sameWay = 0;
        for (int i = 0; i < sort.size(); i++) {
            var part = index.parts().get(i);
            if (!part.path().steps().equals(sort.get(i).place().orElseThrow())) {
                return false;
            }
            sameWay += (part.order() == CompositeIndex.Order.DESCENDING)
                            == sort.get(i).descending()
                    ? 1
                    : 0;
        }
        return sameWay == 0 || sameWay == sort.size();
    }

    private static String composite(List<SortPlace> sort) {
        return sort.stream()
                .map(key -> "{\"path\":"
                        + JsonWriter.text(new Str(IndexPath.spelled(key.place().orElseThrow()))) + ",\"order\":\""
                        + (key.descending() ? "descending" : "ascending") + "\"}")
                .collect(Collectors.joining(",", "[", "]"));
    }
}
