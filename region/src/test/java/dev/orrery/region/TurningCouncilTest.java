package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.region.Council.CharterChangedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The council turns with its charter, and is never of both kinds. */
class TurningCouncilTest {
    private static final Charter TWO = Charter.founding(List.of(member("west"), member("north")));
    private static final Charter THREE = TWO.with(member("east"));

    private final List<String> events = new ArrayList<>();
    private Votes votes;

    private static Member member(String name) {
        return new Member(name, 0, "http://" + name + "/", name + ":1", false);
    }

    /** Votes that are decided by the test. */
    private final class Votes implements Council {
        private Charter charter;
        private Consumer<Charter> watcher;

        Votes(Charter charter) {
            this.charter = charter;
        }

        void decide(Charter next) {
            charter = next;
            watcher.accept(next);
        }

        @Override
        public Charter charter() {
            return charter;
        }

        @Override
        public CompletionStage<Charter> change(Charter next) {
            decide(next);
            return CompletableFuture.completedStage(next);
        }

        @Override
        public void watch(Consumer<Charter> other) {
            watcher = other;
        }

        @Override
        public boolean isLeased() {
            return false;
        }

        @Override
        public void close() {
            events.add("votes end");
        }
    }

    private TurningCouncil council(Charter charter, boolean isFounder) {
        var kinds = new TurningCouncil.Kinds() {
            @Override
            public Council byVotes(Charter from, boolean isFounder) {
                events.add((isFounder ? "found" : "join") + " votes on " + from.version());
                votes = new Votes(from);
                return votes;
            }

            @Override
            public Council byHand(Charter from) {
                events.add("by hand from " + from.version());
                return new LocalCouncil("west", from, kept -> {});
            }

            @Override
            public void forgetVotes() {
                events.add("forget votes");
            }
        };
        return new TurningCouncil(
                charter, isFounder, kinds, kept -> events.add("keep " + kept.version()), Runnable::run);
    }

    @Test
    void theThirdRegionBringsVotesAndTheWriteRegionStopsWritingByHand() {
        try (var council = council(TWO, true)) {
            assertThat(council.isLeased()).isTrue();
            assertThat(council.change(THREE).toCompletableFuture()).isCompletedWithValue(THREE);
            assertThat(council.isLeased()).isFalse();
            assertThat(events)
                    .containsExactly("keep 1", "forget votes", "by hand from 1", "keep 2", "found votes on 2");
        }
    }

    @Test
    void votesEndWithTheCharterThatSaysSo() {
        var told = new ArrayList<Long>();
        try (var council = council(THREE, false)) {
            council.watch(charter -> told.add(charter.version()));
            votes.decide(THREE.withWriter("north"));
            var last = council.charter().without("east");
            assertThat(council.change(last).toCompletableFuture()).isCompletedWithValue(last);
            assertThat(council.charter()).isEqualTo(last);
            assertThat(events)
                    .containsExactly(
                            "keep 2",
                            "join votes on 2",
                            "keep 3",
                            "votes end",
                            "keep 4",
                            "forget votes",
                            "by hand from 4");
            assertThat(told).containsExactly(3L, 4L);
        }
    }

    @Test
    void whatAnotherRegionTellsTurnsItToo() {
        try (var council = council(TWO, true)) {
            assertThat(council.adopt(THREE)).isTrue();
            assertThat(events).endsWith("found votes on 2");
            assertThat(council.adopt(THREE.withWriter("north")))
                    .as("votes are not told")
                    .isFalse();
            assertThat(council.adopt(THREE.without("north"))).isTrue();
            assertThat(events).endsWith("by hand from 3");
            assertThat(council.adopt(THREE)).as("an older one").isFalse();
        }
    }

    @Test
    void aTurnThatComesTooLateIsRefused() {
        try (var council = council(TWO, true)) {
            council.change(TWO.withWriter("north"));
            assertThat(council.change(THREE).toCompletableFuture())
                    .failsWithin(java.time.Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(CharterChangedException.class);
        }
    }
}
