package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A region that follows tells for how long it has lacked something, and not when it was told of it. */
class CensusTest {
    private static final String WEST = "west";
    private static final String NORTH = "north";

    private static Optional<Double> lagSeconds(RegionsInMemory regions, long behind, double heard, double level) {
        var replica = regions.region(NORTH).database().replica();
        try (var timer = Executors.newSingleThreadScheduledExecutor()) {
            var followers = new Followers(replica, new Stability(), timer, Runnable::run, System::nanoTime);
            var status = new Census(NORTH, regions.region(NORTH).node().charter(), replica, followers)
                    .status(behind, Optional.of(heard), Optional.of(level), Map.of(), Optional.empty(), 0);
            return status.regions().getLast().lagSeconds();
        }
    }

    @Test
    void whoCatchesUpIsAsFarBehindAsItHasLackedSomething() {
        try (var regions = new RegionsInMemory(List.of(WEST, NORTH), Duration.ofHours(1))) {
            assertThat(lagSeconds(regions, 0, 0.1, 0.2)).contains(0.0);
            assertThat(lagSeconds(regions, 5, 0.1, 7.0)).as("it catches up").contains(7.0);
            assertThat(lagSeconds(regions, 0, 6.0, 7.0)).as("it hears nothing").contains(7.0);
        }
    }

    @Test
    void aRegionInStepLacksNothing() {
        try (var regions = new RegionsInMemory(List.of(WEST, NORTH), Duration.ofHours(1))) {
            regions.create(WEST, "one");
            Await.value(
                    "north lacks nothing",
                    () -> regions.region(NORTH)
                            .node()
                            .status()
                            .regions()
                            .getLast()
                            .lagSeconds(),
                    Optional.of(0.0));
        }
    }
}
