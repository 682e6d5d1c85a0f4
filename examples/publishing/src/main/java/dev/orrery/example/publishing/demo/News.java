package dev.orrery.example.publishing.demo;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What has become of news that editors of all regions published at the same time.
 *
 * @param published how many were, in all regions
 * @param alike of how many readers of all regions find the same in the end
 */
record News(int published, int alike) {
    /** Asks readers of each region. */
    static News of(List<Actions> all) {
        Set<String> published = new HashSet<>(all.getFirst().news());
        all.forEach(actions -> published.retainAll(actions.news()));
        var found = all.stream().map(actions -> actions.titlesOf(published)).toList();
        int alike = (int) published.stream()
                .filter(id ->
                        found.stream().map(titles -> titles.get(id)).distinct().count() == 1)
                .count();
        return new News(published.size(), alike);
    }
}
