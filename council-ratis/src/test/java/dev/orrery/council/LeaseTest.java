package dev.orrery.council;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.council.CouncilState.Change;
import dev.orrery.council.CouncilState.Command;
import dev.orrery.council.CouncilState.Found;
import dev.orrery.council.CouncilState.Renew;
import dev.orrery.council.CouncilState.Verdict;
import dev.orrery.region.Charter;
import dev.orrery.region.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of the lease, with no network: the log is a list, and the test holds every clock. */
class LeaseTest {
    private static final CouncilTimes TIMES = Regions.times(CouncilTimes.USUAL.patience());

    private long nowNanos = Long.MAX_VALUE - 10_000_000_000L; // it wraps around during a test
    private CouncilState log = CouncilState.EMPTY;
    private final List<Lease> leases = new ArrayList<>();

    private static Charter charter(Set<String> strong, boolean... witnesses) {
        var members = IntStream.range(0, witnesses.length)
                .mapToObj(number -> new Member("r" + number, number, "", "127.0.0.1:1", witnesses[number]))
                .toList();
        return new Charter(1, 1, "r0", members, strong, true, members.size());
    }

    private void found(Charter charter) {
        charter.members().forEach(member -> leases.add(new Lease(member.name(), TIMES, () -> nowNanos)));
        apply(new Found(charter));
    }

    private Verdict apply(Command command) {
        var step = log.after(command);
        log = step.state();
        leases.forEach(lease -> lease.applied(log));
        return step.verdict();
    }

    private void renew(int region) {
        var renewal = leases.get(region).due().orElseThrow();
        if (apply(new Renew("r" + region, renewal.epoch())) == Verdict.ACCEPTED) {
            leases.get(region).accepted(renewal);
        }
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    @Test
    void aLeaseCountsFromTheMomentItsRenewalWasSent() {
        found(charter(Set.of(), false, false, false));
        var renewal = leases.get(0).due().orElseThrow();
        assertThat(leases.get(0).isLeased()).isFalse();
        pass(Duration.ofSeconds(2));
        leases.get(0).accepted(renewal);
        assertThat(leases.get(0).isLeased()).isTrue();
        pass(Duration.ofSeconds(1));
        assertThat(leases.get(0).isLeased()).isFalse();
    }

    @Test
    void anAnswerThatComesTooLateGivesNothing() {
        found(charter(Set.of(), false, false, false));
        var renewal = leases.get(0).due().orElseThrow();
        pass(TIMES.lease());
        leases.get(0).accepted(renewal);
        assertThat(leases.get(0).isLeased()).isFalse();
    }

    @Test
    void theNextInTheCharterTakesOverFirst() {
        found(charter(Set.of(), false, false, false));
        renew(0);
        pass(TIMES.silence());
        assertThat(leases.get(0).isLeased()).isFalse();
        assertThat(leases.get(1).takeover()).isPresent();
        assertThat(leases.get(2).takeover()).isEmpty();
        pass(TIMES.stagger());
        assertThat(leases.get(2).takeover()).isPresent();
        assertThat(leases.get(0).takeover()).isEmpty();
    }

    @Test
    void nobodyTakesOverFromAFirstWriteRegionThatHasYetToStart() {
        found(charter(Set.of(), false, false, false));
        pass(TIMES.silence().multipliedBy(100));
        assertThat(leases.get(1).takeover()).isEmpty();
    }

    @Test
    void aMemberThatHasJustStartedTakesOverFromNobody() {
        found(charter(Set.of(), false, false, false));
        renew(0);
        var usual = CouncilTimes.USUAL;
        var started = new Lease("r1", usual, () -> nowNanos);
        started.applied(log);
        pass(usual.grace().minusNanos(1));
        assertThat(started.takeover()).isEmpty();
        pass(Duration.ofNanos(1));
        assertThat(started.takeover()).isPresent();
    }

    @Test
    void aWitnessAndARegionOutsideTheStrongSetNeverTakeOver() {
        found(charter(Set.of("r0", "r3"), false, true, false, false));
        renew(0);
        pass(TIMES.silence().multipliedBy(100));
        assertThat(leases.get(1).takeover()).isEmpty();
        assertThat(leases.get(2).takeover()).isEmpty();
        assertThat(leases.get(3).takeover()).isPresent();
    }

    @Test
    void oneThatHasMissedRenewalsCannotTakeOver() {
        found(charter(Set.of(), false, false, false));
        renew(0);
        var away = leases.remove(1);
        pass(TIMES.silence());
        renew(0);
        assertThat(apply(away.takeover().orElseThrow())).isEqualTo(Verdict.RENEWED);
        assertThat(leases.get(0).isLeased()).isTrue();
    }

    @Test
    void oneThatHandsOverIsNoLongerLeasedEvenIfAnAnswerIsLate() {
        found(charter(Set.of(), false, false, false));
        renew(0);
        pass(TIMES.renewal());
        var late = leases.get(0).due().orElseThrow();
        leases.get(0).giveUp();
        leases.get(0).accepted(late);
        assertThat(leases.get(0).isLeased()).isFalse();
        assertThat(leases.get(0).due()).isEmpty();
        leases.get(0).resume();
        leases.get(0).accepted(late);
        assertThat(leases.get(0).isLeased()).isFalse();
        renew(0);
        assertThat(leases.get(0).isLeased()).isTrue();
    }

    @Test
    void oneThatIsNamedByAnotherWaitsForTheEndOfTheOldLease() {
        found(charter(Set.of(), false, false, false));
        renew(0);
        assertThat(apply(new Change(log.charter().orElseThrow().withWriter("r2"), false, 0)))
                .isEqualTo(Verdict.ACCEPTED);
        assertThat(leases.get(2).due()).isEmpty();
        pass(TIMES.silence());
        assertThat(leases.get(0).isLeased()).isFalse();
        assertThat(leases.get(1).takeover()).as("it is not silent, it waits").isEmpty();
        renew(2);
        assertThat(leases.get(2).isLeased()).isTrue();
    }

    /** Messages are lost, late and doubled, members miss the log for a while, and clocks run up to a third apart. */
    @Test
    void noTwoRegionsAreLeasedAtATime() {
        long seed = Long.getLong("test.seed", new Random().nextLong());
        System.out.println("-Dtest.seed=" + seed);
        var random = new Random(seed);
        for (int history = 0; history < 200; history++) {
            new History(random).run();
        }
    }

    /** One council whose members see the log late, each with a clock of its own speed. */
    private static final class History {
        private final Random random;
        private final List<CouncilState> log = new ArrayList<>(List.of(CouncilState.EMPTY));
        private final List<Seat> seats = new ArrayList<>();
        private final List<Runnable> underway = new ArrayList<>();
        private double realNanos;

        private final class Seat {
            final double speed = 1 + random.nextDouble() / 3;
            final Lease lease;
            int read;

            Seat(String name) {
                lease = new Lease(name, TIMES, () -> (long) (realNanos * speed));
            }

            void readTo(int position) {
                while (read < position) {
                    lease.applied(log.get(++read));
                }
            }
        }

        History(Random random) {
            this.random = random;
        }

        void run() {
            var charter = charter(Set.of(), false, false, false, true);
            charter.members().forEach(member -> seats.add(new Seat(member.name())));
            decide(new Found(charter));
            for (int step = 0; step < 3_000; step++) {
                realNanos += random.nextInt(300) * 1e6;
                int who = random.nextInt(3);
                var seat = seats.get(who);
                switch (random.nextInt(8)) {
                    case 0, 1 -> seat.readTo(log.size() - 1);
                    case 2 -> seat.readTo(seat.read + random.nextInt(log.size() - seat.read));
                    case 3, 4 ->
                        seat.lease
                                .due()
                                .ifPresent(renewal -> send(
                                        new Renew("r" + who, renewal.epoch()), () -> seat.lease.accepted(renewal)));
                    case 5 -> seat.lease.takeover().ifPresent(change -> send(change, () -> {}));
                    case 6 -> nameAnother(seat, who);
                    default -> {
                        if (!underway.isEmpty()) {
                            underway.remove(random.nextInt(underway.size())).run();
                        }
                    }
                }
                assertThat(seats.stream().filter(one -> one.lease.isLeased()).count())
                        .isLessThanOrEqualTo(1);
            }
        }

        private void nameAnother(Seat seat, int who) {
            var state = seat.lease.state();
            if (state.charter().isEmpty() || random.nextInt(20) > 0) {
                return;
            }
            String next = "r" + (who + 1) % 3;
            boolean isHandOver = state.isWriter("r" + who);
            if (isHandOver) {
                seat.lease.giveUp();
                underway.add(seat.lease::resume);
            }
            var charter = state.charter().get();
            if (!charter.writeRegion().equals(next)) {
                send(new Change(charter.withWriter(next), isHandOver && state.isSettled(), state.renewals()), () -> {});
            }
        }

        /** Comes now, later or never, as may its answer. */
        private void send(Command command, Runnable accepted) {
            Runnable arrival = () -> {
                if (decide(command) == Verdict.ACCEPTED) {
                    if (random.nextBoolean()) {
                        accepted.run();
                    } else {
                        underway.add(accepted);
                    }
                }
            };
            if (random.nextInt(3) == 0) {
                underway.add(arrival);
            } else {
                arrival.run();
            }
        }

        private Verdict decide(Command command) {
            var step = log.getLast().after(command);
            log.add(step.state());
            return step.verdict();
        }
    }
}
