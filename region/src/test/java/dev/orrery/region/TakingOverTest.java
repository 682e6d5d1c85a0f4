package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who takes over has what any of the regions that are left has. */
class TakingOverTest {
    private static final String WEST = "west";
    private static final String NORTH = "north";
    private static final String EAST = "east";

    /** More than any test lasts: whoever waited for a region that says nothing would wait for ever. */
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void whatOnlyAnotherSurvivorHasHeardOfIsKept() {
        try (var regions = new RegionsInMemory(List.of(WEST, NORTH, EAST), LONG)) {
            regions.create(WEST, "everywhere");
            awaitItems(regions, NORTH, 1);
            regions.region(WEST).faults().cut(NORTH);
            regions.create(WEST, "not in the north");
            awaitItems(regions, EAST, 2);

            regions.kill(WEST);
            regions.name(NORTH);
            Await.value("north takes the writes", () -> regions.takesWrites(NORTH), true);
            regions.create(NORTH, "new");

            awaitItems(regions, EAST, 3);
            assertThat(regions.region(NORTH).items()).isEqualTo(3);
            var east = regions.region(EAST).node().status();
            assertThat(east.lostChanges()).as("given up by the one that had it").isZero();
            assertThat(east.lastFailover()).hasValueSatisfying(last -> {
                assertThat(last.to()).isEqualTo(NORTH);
                assertThat(last.atSecond()).as("it was there").isPresent();
            });
        }
    }

    @Test
    void aFailoverByHandWaitsForNobodyElse() {
        try (var regions = new RegionsInMemory(List.of(WEST, NORTH, EAST), LONG)) {
            regions.create(WEST, "everywhere");
            awaitItems(regions, NORTH, 1);
            regions.silence(EAST);

            regions.region(WEST).node().failOver(NORTH).toCompletableFuture().join();

            Await.value("north takes the writes", () -> regions.takesWrites(NORTH), true);
            assertThat(regions.region(NORTH).items()).isEqualTo(1);
        }
    }

    private static void awaitItems(RegionsInMemory regions, String name, long count) {
        Await.value("items in " + name, () -> regions.region(name).items(), count);
    }
}
