package dev.orrery.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.key.PartitionState;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Commit;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultPlan;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A lane whose only thread is the test, so that it happens when the test says so. */
class LaneTest {
    private static final PartitionId RANGE = new PartitionId(1);
    private static final byte[] KEY = {0x10, 1};
    private static final byte[] OTHER = {0x10, 2};

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final List<Commit> commits = new ArrayList<>();
    private Instant now = Instant.ofEpochSecond(1_000);
    private int told;

    @Test
    void theFirstChangeOfARangeHasLsn2() {
        var lane = lane(recorded(new Fault.None()));
        assertThat(lane.lsn()).isEqualTo(1);

        var done = lane.submit(putting(KEY, 1));
        run();

        assertThat(done.join().lsn()).isEqualTo(2);
        assertThat(lane.lsn()).isEqualTo(2);
        assertThat(told).isEqualTo(1);
    }

    @Test
    void upkeepUsesNoLsnAndNobodyIsToldOfIt() {
        var store = recorded(new Fault.None(), new Fault.None());
        var lane = lane(store);
        var first = lane.submit(putting(KEY, 1));
        run();
        assertThat(first).isCompleted();

        var done = lane.submitUpkeep(unit -> {
            unit.put(OTHER, new byte[] {2});
            return null;
        });
        run();

        assertThat(done.join().lsn()).isEqualTo(2);
        assertThat(lane.lsn()).isEqualTo(2);
        assertThat(store.get(OTHER)).containsExactly(2);
        assertThat(told).isEqualTo(1);
        assertThat(commits)
                .extracting(Commit::newLsn)
                .as("positions of the store")
                .containsExactly(1L, 2L);
    }

    @Test
    void upkeepThatAsksForItsLsnIsMistaken() {
        var lane = lane(recorded());
        var done = lane.submitUpkeep(Unit::lsn);
        run();
        assertThatThrownBy(done::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatWaitsGoesDownInOneCommitAndEachChangeHasAnLsn() {
        var lane = lane(recorded(new Fault.None()));
        var first = lane.submit(putting(KEY, 1));
        var refused = lane.submit(unit -> {
            unit.put(KEY, new byte[] {9});
            throw new FailureException(new Failure.Conflict("no"));
        });
        var reading = lane.submit(unit -> unit.get(KEY)[0]);
        var second = lane.submit(putting(KEY, 2));
        run();

        assertThat(first.join().lsn()).isEqualTo(2);
        assertThatThrownBy(refused::join).hasCauseInstanceOf(FailureException.class);
        assertThat(reading.join().result())
                .as("what was before it in the group")
                .isEqualTo((byte) 1);
        assertThat(reading.join().lsn()).isEqualTo(2);
        assertThat(second.join().lsn()).isEqualTo(3);
        assertThat(commits).hasSize(1);
    }

    @Test
    void theSecondOfAChangeNeverStepsBack() {
        var store = recorded(new Fault.None(), new Fault.None());
        var lane = lane(store);
        var early = lane.submit(unit -> put(unit, KEY, 1));
        run();
        now = Instant.ofEpochSecond(400);
        var late = lane.submit(unit -> put(unit, KEY, 2));
        run();

        assertThat(early.join().result()).isEqualTo(1_000);
        assertThat(late.join().result()).isEqualTo(1_000);
        assertThat(lane(store).nowSecond())
                .as("also when the range is opened anew")
                .isEqualTo(1_000);
    }

    @Test
    void aLaneThatIsOpenedAnewGoesOnWhereItEnded() {
        var store = recorded(new Fault.None(), new Fault.None());
        var lane = lane(store);
        var first = lane.submit(putting(KEY, 1));
        run();
        assertThat(first).isCompleted();
        var upkeep = lane.submitUpkeep(putting(OTHER, 1));
        run();
        assertThat(upkeep).isCompleted();

        var anew = lane(store);
        var done = anew.submit(putting(KEY, 2));
        run();
        assertThat(done.join().lsn()).isEqualTo(3);
    }

    @Test
    void nothingIsAnsweredBeforeItsCommitAndNobodyOfAFailedOneIsToldItWorked() {
        var lane = lane(recorded(new Fault.Unknown(false, 1)));
        var change = lane.submit(putting(KEY, 1));
        var refusal = lane.submit(unit -> {
            throw new FailureException(new Failure.Conflict("it is there already"));
        });
        assertThat(change).isNotDone();
        run();

        assertThat(failure(change)).isInstanceOf(Failure.Unavailable.class);
        assertThat(failure(refusal)).as("it rests on what may not be").isInstanceOf(Failure.Unavailable.class);
        assertThat(lane.isBroken()).isTrue();
        var behind = lane.submit(putting(KEY, 2));
        run();
        assertThatThrownBy(behind::join).hasCauseInstanceOf(RangeMoved.class);
    }

    @Test
    void aChangeThatIsTooLargeForACommitIsRefusedAndTheOthersAreNot() {
        var lane = lane(recorded());
        var before = lane.submit(putting(KEY, 1));
        var large = lane.submit(unit -> {
            var value = new byte[Limits.ITEM_BYTES_MAX];
            for (int row = 0; row < Limits.COMMIT_BYTES_MAX / Limits.ITEM_BYTES_MAX; row++) {
                unit.putUnread(new byte[] {0x10, 3, (byte) row}, value);
            }
            return null;
        });
        var behind = lane.submit(putting(KEY, 2));
        run();

        assertThat(before.join().lsn()).isEqualTo(2);
        assertThat(failure(large)).isInstanceOf(Failure.TooLarge.class);
        assertThat(behind.join().lsn()).isEqualTo(3);
    }

    @Test
    void workThatIsTooMuchForOneCommitIsCutInHalves() {
        var lane = lane(recorded());
        var rows = IntStream.range(0, 64).boxed().toList();
        var value = new byte[Limits.ITEM_BYTES_MAX];
        Bites.swallow(rows, part -> {
            var done = lane.submitUpkeep(unit -> {
                part.forEach(row -> unit.putUnread(new byte[] {0x10, 3, row.byteValue()}, value));
                return null;
            });
            run();
            return done;
        });

        assertThat(commits)
                .hasSize(4)
                .allSatisfy(commit -> assertThat(commit.mutations()).hasSize(16));
    }

    // ---- memory ----

    @Test
    void workThatEndsTheMemoryIsGivenUpAndTheOthersAreNot() {
        var lane = lane(recorded());
        var before = lane.submit(putting(KEY, 1));
        var starved = lane.submit(unit -> {
            unit.put(KEY, new byte[] {2});
            throw new OutOfMemoryError("as a test has it");
        });
        var behind = lane.submit(unit -> unit.get(KEY)[0]);
        run();

        assertThat(before.join().lsn()).isEqualTo(2);
        assertThatThrownBy(starved::join).hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(behind.join().result()).isEqualTo((byte) 1);
        assertThat(lane.isBroken()).isFalse();
    }

    @Test
    void aCommitThatEndsTheMemoryIsInDoubtAndNobodyWaitsForEver() {
        var store = new FaultyStore(new MemoryStore(), (partition, commit) -> {
            throw new OutOfMemoryError("as a test has it");
        });
        var lane = lane(store.open(RANGE, 1));
        var change = lane.submit(putting(KEY, 1));
        run();

        assertThat(failure(change)).isInstanceOf(Failure.Unavailable.class);
        assertThat(lane.isBroken()).isTrue();
    }

    @Test
    void whereTheClockFailsForWantOfMemoryAllThatWaitAreTold() {
        var lane = new Lane(
                recorded(),
                1,
                waiting::add,
                () -> {
                    throw new OutOfMemoryError("as a test has it");
                },
                new WriteRight(),
                new WriteMemory(MemoryBudget.unlimited()),
                () -> told++);
        var one = lane.submit(putting(KEY, 1));
        var other = lane.submit(putting(KEY, 2));
        run();

        assertThat(failure(one)).isInstanceOf(Failure.Unavailable.class);
        assertThat(failure(other)).isInstanceOf(Failure.Unavailable.class);
        assertThat(lane.isBroken()).isTrue();
    }

    @Test
    void largeItemsThatAreFoundAreCountedAndOneAtATimeMayGoBeyondTheBudget() {
        var budget = new MemoryBudget(1 << 20, 0);
        assertThat(budget.tryTake(1 << 20)).isTrue();
        var lane = lane(recorded(), budget);
        var small = lane.submit(unit -> found(unit, Limits.MEMORY_BODY_BYTES_FREE));
        var large = lane.submit(unit -> found(unit, Limits.ITEM_BYTES_MAX));
        var next = lane.submit(unit -> found(unit, Limits.ITEM_BYTES_MAX));
        run();

        assertThat(small.join().result()).isTrue();
        assertThat(large.join().result()).isTrue();
        assertThat(failure(next)).isInstanceOf(Failure.Throttled.class);
        assertThat(budget.bytesTaken()).as("all is given back").isEqualTo(1 << 20);

        var alone = lane.submit(unit -> found(unit, Limits.ITEM_BYTES_MAX));
        run();
        assertThat(alone.join().result()).isTrue();
    }

    private static boolean found(Unit unit, long itemBytes) {
        unit.makeRoomFor(itemBytes);
        return true;
    }

    // ---- a lane by hand ----

    private static Lane.Work<Long> putting(byte[] key, int value) {
        return unit -> put(unit, key, value);
    }

    private static long put(Unit unit, byte[] key, int value) {
        unit.put(key, new byte[] {(byte) value});
        return unit.nowSecond();
    }

    private static Failure failure(CompletableFuture<?> promise) {
        try {
            promise.join();
        } catch (CompletionException refused) {
            return ((FailureException) refused.getCause()).failure();
        }
        throw new AssertionError("it was not refused");
    }

    private PartitionStore recorded(Fault... faults) {
        var script = FaultPlan.script(faults);
        Store store = new FaultyStore(new MemoryStore(), (partition, commit) -> {
            commits.add(commit);
            return script.next(partition, commit);
        });
        return store.open(RANGE, 1);
    }

    private Lane lane(PartitionStore store) {
        return lane(store, MemoryBudget.unlimited());
    }

    private Lane lane(PartitionStore store, MemoryBudget memory) {
        return new Lane(
                store,
                commits.size() + 1L,
                waiting::add,
                () -> now,
                new WriteRight(),
                new WriteMemory(memory),
                () -> told++);
    }

    private void run() {
        for (var next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    @Test
    void aNewRangeHasTheEmptyState() {
        assertThat(lane(recorded()).state()).isEqualTo(PartitionState.EMPTY);
    }
}
