package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A region answers strong reads for as long only as whoever writes waits for it. The test holds the clock. */
class StrongReadsTest {
    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Charter CHARTER = Charter.founding(List.of(member("west"), member("north"), member("east")))
            .withStrongSet(all());

    private final Map<String, Long> heardNanos = new HashMap<>();
    private long nowNanos = Duration.ofDays(20_000).toNanos();
    private final Assurance assurance = new Assurance(() -> nowNanos, LEASE);
    private final StrongSet strongSet = new StrongSet(
            () -> nowNanos,
            PATIENCE,
            CHARTER,
            name -> heardNanos.containsKey(name) ? nowNanos - heardNanos.get(name) : Long.MAX_VALUE,
            name -> true);

    private static Member member(String name) {
        return new Member(name, 0, "http://" + name + "/", name + ":1", false);
    }

    private static Set<String> all() {
        return Set.of("west", "north", "east");
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    private void answered(long askedIn, long answeredIn, boolean isComplete, boolean isLeased) {
        assurance.answered(askedIn, answeredIn, isComplete, isLeased, nowNanos);
    }

    private Set<String> wanted() {
        return strongSet.wanted(all(), List.of(member("west"), member("east")));
    }

    @Test
    void anAnswerThatLeavesNothingOutAssuresForALease() {
        assertThat(assurance.holds()).isFalse();
        answered(7, 7, true, true);
        pass(LEASE.minusNanos(1));
        assertThat(assurance.holds()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(assurance.holds()).isFalse();
    }

    @Test
    void whoIsCountedWhileItAsksMayLackWhatDidNotWaitForIt() {
        answered(0, 7, true, true);
        assertThat(assurance.holds()).as("asked before it was counted").isFalse();
        answered(7, 7, false, true);
        assertThat(assurance.holds()).as("told a part").isFalse();
        answered(7, 7, true, true);
        assertThat(assurance.holds()).isTrue();
        pass(LEASE);
        answered(7, 7, false, true);
        assertThat(assurance.holds()).as("told a part, and all before").isTrue();
    }

    @Test
    void whoMayHaveBeenLeftOutInBetweenIsAssuredOfNothingNew() {
        answered(7, 7, true, true);
        pass(Duration.ofSeconds(3));
        answered(7, 9, true, true);
        pass(Duration.ofSeconds(1));
        assertThat(assurance.holds()).isFalse();
        answered(9, 9, false, true);
        assertThat(assurance.holds()).isFalse();
    }

    @Test
    void aWriteRegionWithoutALeaseAssuresNobody() {
        answered(7, 7, true, true);
        pass(Duration.ofSeconds(3));
        answered(7, 7, true, false);
        pass(Duration.ofSeconds(1));
        assertThat(assurance.holds()).isFalse();
    }

    @Test
    void whoTakesTheWritesIsAssuredByNobody() {
        answered(7, 7, true, true);
        assurance.end();
        assertThat(assurance.holds()).isFalse();
    }

    @Test
    void whoTakesOverWaitsForThoseWhoMayStillAnswerStrongReads() {
        var next = CHARTER.withWriter("north");
        strongSet.told(next);
        strongSet.begin(next);
        pass(PATIENCE.minusNanos(1));
        assertThat(wanted()).as("west has lost its lease").containsExactly("east");
        pass(Duration.ofNanos(1));
        assertThat(wanted()).isEmpty();
    }

    @Test
    void whoBeginsAnewAsTheWriteRegionWaitsForAll() {
        strongSet.begin(CHARTER);
        assertThat(wanted()).containsExactlyInAnyOrder("west", "east");
    }

    @Test
    void whoDoesNotKnowItsPredecessorWaitsForAll() {
        var next = CHARTER.withWriter("east").withWriter("north");
        strongSet.told(next);
        strongSet.begin(next);
        assertThat(wanted()).containsExactlyInAnyOrder("west", "east");
    }

    @Test
    void whoIsHeardOfCounts() {
        strongSet.begin(CHARTER);
        pass(PATIENCE);
        heardNanos.put("east", nowNanos);
        assertThat(wanted()).containsExactly("east");
        assertThat(strongSet.wanted(Set.of(), List.of(member("west"), member("east"))))
                .containsExactly("east");
    }
}
