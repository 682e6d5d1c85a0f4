package dev.orrery.example.publishing.demo;

import static dev.orrery.example.publishing.demo.Region.NORTH_EUROPE;
import static dev.orrery.example.publishing.demo.Region.WEST_US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.publishing.demo.Sightings.Sighting;
import java.util.List;
import org.junit.jupiter.api.Test;

class SightingsTest {
    private final Sightings sightings = new Sightings(List.of(WEST_US, NORTH_EUROPE));

    @Test
    void everyRegionSeesAReviewOnceForTheFirstTime() {
        sightings.acknowledged("review", "article", WEST_US, 10);
        sightings.saw(NORTH_EUROPE, List.of("review", "unknown"), 95);
        sightings.saw(NORTH_EUROPE, List.of("review"), 200);
        sightings.saw(WEST_US, List.of("review"), 9);
        assertThat(sightings.all())
                .containsExactly(new Sighting(WEST_US, NORTH_EUROPE, 10, 85), new Sighting(WEST_US, WEST_US, 10, 0));
        assertThat(sightings.unseen()).isZero();
    }

    @Test
    void readersLookForTheOldestThatTheyHaveNotSeen() {
        sightings.acknowledged("later", "second article", WEST_US, 20);
        sightings.acknowledged("earlier", "first article", NORTH_EUROPE, 10);
        assertThat(sightings.next(WEST_US)).contains("first article");
        sightings.saw(WEST_US, List.of("earlier"), 30);
        assertThat(sightings.next(WEST_US)).contains("second article");
        sightings.saw(WEST_US, List.of("later"), 40);
        assertThat(sightings.next(WEST_US)).isEmpty();
    }
}
