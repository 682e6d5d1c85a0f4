package dev.orrery.checker;

import static dev.orrery.checker.Histories.X;
import static dev.orrery.checker.Histories.history;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
    private static final int ROUNDS = 20_000;

    @Test
    void oneAfterTheOtherIsRight() {
        assertRight(history()
                .nothing(1, 0, 1)
                .write(1, 2, 3, "a")
                .read(2, 4, 5, "a")
                .delete(1, 6, 7)
                .nothing(2, 8, 9));
    }

    @Test
    void aReadMaySeeAWriteThatRunsOrMiss() {
        assertRight(history().write(1, 0, 10, "a").read(2, 1, 2, "a"));
        assertRight(history().write(1, 0, 10, "a").nothing(2, 1, 2));
    }

    @Test
    void whatWasAcknowledgedMustBeSeen() {
        assertWrong(history().write(1, 0, 1, "a").nothing(2, 2, 3));
        assertWrong(history().write(1, 0, 1, "a").write(1, 2, 3, "b").read(2, 4, 5, "a"));
    }

    @Test
    void nobodySeesTheOldAfterSomebodyHasSeenTheNew() {
        var history = history().write(1, 0, 1, "a").write(1, 2, 20, "b").read(2, 3, 4, "b");
        assertWrong(history.read(3, 5, 6, "a"));
    }

    @Test
    void twoReadersMustAgreeOnTheOrderOfTwoWrites() {
        assertWrong(history()
                .write(1, 0, 1, "a")
                .write(2, 0, 1, "b")
                .read(3, 2, 3, "a")
                .read(4, 4, 5, "b"));
        assertRight(history()
                .write(1, 0, 10, "a")
                .write(2, 0, 10, "b")
                .read(3, 2, 3, "a")
                .read(4, 4, 5, "b"));
    }

    @Test
    void aWriteThatWasGivenUpMayHappenLateOrNever() {
        var history = history().write(1, 0, 1, "a").maybe(2, 2, 3, "b");
        assertRight(history.read(3, 10, 11, "a").read(3, 12, 13, "b"));
        assertWrong(history.read(3, 14, 15, "a"));
    }

    @Test
    void aWriteThatWasGivenUpDoesNotHappenBeforeItWasSent() {
        assertWrong(history().read(1, 0, 1, "a").maybe(2, 2, 3, "a"));
    }

    @Test
    void aWriteThatWasRefusedDoesNotHappen() {
        var refused = history().add(1, 0, 1, Action.Write.of(X, "a"), Outcome.NOT_DONE);
        assertRight(refused.nothing(2, 2, 3));
        assertWrong(refused.read(2, 4, 5, "a"));
    }

    @Test
    void ofTwoWritesOnTheSameConditionOneHappens() {
        var first = history().write(1, 0, 1, "a").swap(2, 2, 9, "a", "b", Outcome.DONE);
        assertRight(first.swap(3, 2, 9, "a", "c", Outcome.CONDITION_FAILED));
        assertWrong(first.swap(3, 2, 9, "a", "d", Outcome.DONE));
    }

    @Test
    void aConditionFailsForAReason() {
        assertWrong(history().write(1, 0, 1, "a").swap(2, 2, 3, "a", "b", Outcome.CONDITION_FAILED));
        assertRight(history()
                .write(1, 0, 1, "a")
                .maybe(3, 0, 1, "unseen")
                .swap(2, 2, 3, "a", "b", Outcome.CONDITION_FAILED));
    }

    @Test
    void itemsAreJudgedEachForItselfAlsoWhenReadTogether() {
        assertRight(history()
                .write(1, 0, 1, "a")
                .add(1, 2, 3, Action.Write.of("y", "b"), Outcome.DONE)
                .query(2, 4, 5, Map.of(X, Optional.of("a"), "y", Optional.of("b"))));
        assertWrong(history()
                .write(1, 0, 1, "a")
                .add(1, 2, 3, Action.Write.of("y", "b"), Outcome.DONE)
                .query(2, 4, 5, Map.of(X, Optional.of("a"), "y", Optional.empty())));
    }

    @Test
    void theAnswerWithoutExplanationIsNamed() {
        var violations = Linearizability.check(
                history().write(1, 0, 1, "a").nothing(2, 2, 3).operations());
        assertThat(violations)
                .singleElement()
                .satisfies(violation -> assertThat(violation.words())
                        .contains("session 2, 2 to 3")
                        .contains("though it had a"));
    }

    @Test
    void manyWritesThatWereGivenUpDoNotStopTheSearch() {
        var history = history();
        for (int i = 0; i < 200; i++) {
            long begin = 10L * i;
            history.maybe(i, begin, begin + 1, "lost" + i)
                    .write(i, begin + 2, begin + 8, "done" + i)
                    .read(1000, begin + 9, begin + 9, "done" + i);
        }
        assertRight(history);
    }

    @Test
    void itJudgesAsAllOrdersTriedOneByOneDo() {
        var random = Seed.random();
        int wrong = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var history = random(random);
            boolean right = hasOrder(history, Optional.empty());
            assertThat(Linearizability.check(history).isEmpty())
                    .as("round %d: %s", round, history)
                    .isEqualTo(right);
            wrong += right ? 0 : 1;
        }
        // Both verdicts are common, or the comparison would say little.
        assertThat(wrong).isBetween(ROUNDS / 10, ROUNDS - ROUNDS / 10);
    }

    /** Few values, so that reads and conditions often meet what is there. */
    private static List<Operation> random(RandomGenerator random) {
        var history = new ArrayList<Operation>();
        int size = 2 + random.nextInt(5);
        for (int i = 0; i < size; i++) {
            long begin = random.nextInt(8);
            long end = begin + random.nextInt(4);
            var own = "w" + i;
            var seen = random.nextInt(5) == 0
                    ? Optional.<String>empty()
                    : Optional.of("w" + random.nextInt(Math.min(size, 4)));
            var action = switch (random.nextInt(5)) {
                case 0, 1 -> Action.Read.of(X, seen);
                case 2 -> new Action.WriteIf(seen, Action.Write.of(X, own));
                case 3 -> random.nextInt(4) == 0 ? Action.Write.delete(X) : Action.Write.of(X, own);
                default -> Action.Write.of(X, own);
            };
            var outcome = switch (random.nextInt(5)) {
                case 0 -> Outcome.UNKNOWN;
                case 1 -> action instanceof Action.WriteIf ? Outcome.CONDITION_FAILED : Outcome.DONE;
                default -> Outcome.DONE;
            };
            history.add(new Operation(i, begin, end, action, outcome));
        }
        return history;
    }

    /** Tries everything that may come first, and then all the rest. */
    private static boolean hasOrder(List<Operation> left, Optional<String> value) {
        if (left.stream().allMatch(operation -> operation.outcome() == Outcome.UNKNOWN)) {
            return true;
        }
        return IntStream.range(0, left.size()).anyMatch(i -> {
            var first = left.get(i);
            boolean mayBeFirst =
                    left.stream().noneMatch(other -> other.outcome() != Outcome.UNKNOWN && other.end() < first.begin());
            if (!mayBeFirst) {
                return false;
            }
            var rest = new ArrayList<>(left);
            rest.remove(i);
            boolean unknown = first.outcome() == Outcome.UNKNOWN;
            var next = switch (first.action()) {
                case Action.Write write -> Optional.of(write.value());
                case Action.Read read ->
                    read.seen().get(X).equals(value) || unknown
                            ? Optional.of(value)
                            : Optional.<Optional<String>>empty();
                case Action.WriteIf conditional -> {
                    boolean holds = conditional.expected().equals(value);
                    yield switch (first.outcome()) {
                        case DONE ->
                            holds ? Optional.of(conditional.write().value()) : Optional.<Optional<String>>empty();
                        case CONDITION_FAILED -> holds ? Optional.<Optional<String>>empty() : Optional.of(value);
                        case UNKNOWN -> Optional.of(holds ? conditional.write().value() : value);
                        case NOT_DONE -> Optional.of(value);
                    };
                }
            };
            return next.isPresent() && hasOrder(rest, next.get());
        });
    }

    private static void assertRight(Histories history) {
        assertThat(Linearizability.check(history.operations())).isEmpty();
    }

    private static void assertWrong(Histories history) {
        assertThat(Linearizability.check(history.operations())).hasSize(1);
    }
}
