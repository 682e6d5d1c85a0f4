package dev.orrery.sql.plan;

import dev.orrery.sql.bind.BoundQuery;
import java.util.List;

/** Finds the places inside items that a query sorts by. */
public final class SortPlaces {
    private SortPlaces() {}

    public static List<SortPlace> of(BoundQuery query) {
        var places = ItemPlaces.indexed();
        query.sources().forEach(places::add);
        return query.sortKeys().stream()
                .map(key -> new SortPlace(places.of(key.value()).filter(ItemPlaces::isOne), key.descending()))
                .toList();
    }
}
