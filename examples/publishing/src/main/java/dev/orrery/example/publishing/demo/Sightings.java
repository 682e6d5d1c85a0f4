package dev.orrery.example.publishing.demo;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which reviews the readers of each region have seen, and how long after they were acknowledged. */
final class Sightings {
    /**
     * A review that was seen in a region for the first time.
     *
     * @param origin where it was written
     * @param here where it was seen
     * @param atMillis when it was acknowledged
     * @param laterMillis how long after that it was seen
     */
    record Sighting(Region origin, Region here, double atMillis, double laterMillis) {}

    private record Written(String article, Region origin, double atMillis) {}

    private final Map<String, Written> written = new HashMap<>();
    private final Map<Region, Set<String>> unseen = new HashMap<>();
    private final List<Sighting> sightings = new ArrayList<>();

    Sightings(Collection<Region> regions) {
        regions.forEach(region -> unseen.put(region, new HashSet<>()));
    }

    synchronized void acknowledged(String review, String article, Region origin, double atMillis) {
        written.put(review, new Written(article, origin, atMillis));
        unseen.values().forEach(reviews -> reviews.add(review));
    }

    /** The article whose reviews the readers of a region should look at next: that with the oldest one they have not seen. */
    synchronized Optional<String> next(Region here) {
        return unseen.get(here).stream()
                .map(written::get)
                .min((one, other) -> Double.compare(one.atMillis, other.atMillis))
                .map(Written::article);
    }

    synchronized void saw(Region here, List<String> reviews, double atMillis) {
        for (var review : reviews) {
            if (unseen.get(here).remove(review)) {
                var origin = written.get(review);
                sightings.add(
                        new Sighting(origin.origin, here, origin.atMillis, Math.max(0, atMillis - origin.atMillis)));
            }
        }
    }

    synchronized int unseen() {
        return unseen.values().stream().mapToInt(Set::size).sum();
    }

    synchronized List<Sighting> all() {
        return List.copyOf(sightings);
    }
}
