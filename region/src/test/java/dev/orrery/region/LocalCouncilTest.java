package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two regions that were apart agree when they meet again. */
class LocalCouncilTest {
    private static final Charter FOUNDING = Charter.founding(List.of(member("west"), member("north")));

    private final LocalCouncil west = new LocalCouncil("west", FOUNDING, kept -> {});
    private final LocalCouncil north = new LocalCouncil("north", FOUNDING, kept -> {});

    private static Member member(String name) {
        return new Member(name, 0, "http://" + name + "/", name + ":1", false);
    }

    private void meet() {
        var told = north.charter();
        north.adopt(west.charter());
        west.adopt(told);
    }

    @Test
    void whoeverHasTakenOverWritesHoweverOftenTheOtherHasChangedItsCharterAlone() {
        west.change(FOUNDING.withStrongSet(Set.of("west", "north")));
        meet();
        // The link is cut; north takes over by force, in a charter of the same version as the one that west makes
        // alone.
        west.change(west.charter().withStrongSet(Set.of("west")));
        north.change(north.charter().withWriter("north"));
        assertThat(west.charter().version()).isEqualTo(north.charter().version());
        meet();
        assertThat(west.charter()).isEqualTo(north.charter());
        assertThat(west.isLeased()).isFalse();
        assertThat(north.isLeased()).isTrue();
    }

    @Test
    void aChangeThatRestsOnAnOlderCharterIsRefused() {
        west.change(FOUNDING.withStrongSet(Set.of("west")));
        assertThat(west.change(FOUNDING.withWriter("north")).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(Council.CharterChangedException.class);
    }
}
