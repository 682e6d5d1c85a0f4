package dev.orrery.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.key.ExpiryKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.RowPlace;
import dev.orrery.engine.key.ViewKeys;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Commit;
import dev.orrery.store.Direction;
import dev.orrery.store.Fault;
import dev.orrery.store.FaultyStore;
import dev.orrery.store.KeyRange;
import dev.orrery.store.PartitionId;
import dev.orrery.store.Seed;
import dev.orrery.store.Snapshot;
import dev.orrery.store.memory.MemoryStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A split on one thread: what happens meanwhile happens between its commits, and the seed says what. Rows of the kinds for
 * expiry and views stand for changes and notes.
 */
class SplitTest {
    private static final PartitionKeyDefinition DEFINITION =
            PartitionKeyDefinition.parse(JsonReader.parse("{\"paths\":[\"/pk\"]}"));
    private static final List<EpkRange> HALVES = EpkRange.ALL.split(2, DEFINITION);
    private static final int CONTAINER = 7;
    private static final int VIEW = 9;

    private final RandomGenerator random = Seed.random();
    private final FaultyStore store = new FaultyStore(new MemoryStore(), this::between);
    private final Partitions partitions = new Partitions(
            store,
            Runnable::run,
            InstantSource.fixed(Instant.EPOCH),
            random,
            new WriteRight(),
            MemoryBudget.unlimited(),
            Limits.LOGICAL_PARTITION_BYTES_MAX,
            Runnable::run);
    private final Map<String, String> expected = new HashMap<>();
    private boolean splitting;
    private int faultsPercent;
    private int refusedUpkeep;
    private int attempt;
    private Crowd crowd;

    @Test
    void theChildrenHaveAllThatWasChangedOrNotedBeforeAndMeanwhile() {
        live(parent(), 300);
        long lsn = parent().lsn();
        split();

        assertThat(rows(childId(1), childId(2))).isEqualTo(expected);
        assertThat(refusedUpkeep).as("upkeep that came meanwhile").isPositive();
        assertThat(state(childId(1)).lsn())
                .isEqualTo(state(childId(2)).lsn())
                .isEqualTo(state(childId(0)).lsn())
                .isGreaterThan(lsn);
        assertThat(state(childId(1)).documents()).isEqualTo(state(childId(2)).documents());
    }

    @Test
    void aSplitThatFailsAnywhereLeavesTheParentWholeAndCanBeTriedAgain() {
        live(parent(), 200);
        faultsPercent = 20;
        for (boolean done = false; !done; ) {
            try {
                split();
                done = true;
            } catch (RuntimeException failed) {
                splitting = false;
                faultsPercent--;
                assertThat(rows(childId(0))).isEqualTo(expected);
                live(parent(), 20);
            }
        }
        assertThat(rows(childId(1), childId(2))).isEqualTo(expected);
    }

    @Test
    void aParentWhoseChildrenMayHaveTakenOverTakesNothingMore() {
        live(parent(), 50);
        var parent = parent();
        assertThatThrownBy(() -> split(() -> {
                    throw new IllegalStateException("the catalog is in doubt");
                }))
                .hasRootCauseMessage("the catalog is in doubt");
        splitting = false;

        var late = parent.submit(unit -> null);
        assertThat(late).isCompletedExceptionally();
        assertThat(late.exceptionNow()).isInstanceOf(RangeMoved.class);
        assertThat(rows(childId(0))).isEqualTo(expected);
    }

    /** The changes of a bite in these tests. */
    private static final int BITE = 100;

    /** However fast they write, none of them waits for more than a few bites. */
    @ParameterizedTest
    @ValueSource(ints = {20, 150})
    void writersWhoAreFasterThanTheSplitWaitBehindEachBite(int waiting) {
        splitting = true;
        crowd = new Crowd(waiting);
        partitions.split(
                CONTAINER,
                0,
                new RowPlace(DEFINITION),
                Map.of(1, HALVES.get(0), 2, HALVES.get(1)),
                (source, afterLsn, children) -> {
                    long last = PartitionState.of(source).lsn();
                    long reached = Math.min(last, afterLsn + BITE);
                    follow(source, reached, children);
                    crowd.hear(last - afterLsn, reached - afterLsn);
                    return reached;
                },
                () -> splitting = false);

        assertThat(rows(childId(1), childId(2))).isEqualTo(expected);
        assertThat(crowd.mostWhileStanding).isPositive().isLessThanOrEqualTo(Limits.SPLIT_STANDSTILL_CHANGES + waiting);
    }

    /** While it may, it makes more changes than are followed; while the parent stands still, those who are there wait. */
    private final class Crowd {
        private final int waiting;
        private boolean begun;
        private long leftBefore;
        private boolean standing;
        private long whileStanding;
        private long mostWhileStanding;

        Crowd(int waiting) {
            this.waiting = waiting;
        }

        void begin() {
            if (!begun) {
                begun = true;
                var _ = change(parent(), 300);
            }
        }

        void hear(long left, long followed) {
            if (!standing) {
                var probe = change(parent(), 1);
                standing = !probe.isDone();
                if (standing) {
                    var _ = change(parent(), waiting - 1);
                    var _ = probe.whenComplete((done, moved) -> rest());
                } else if (left > leftBefore) { // The first bite of a round.
                    var _ = change(parent(), (int) left + BITE / 2);
                }
                leftBefore = left - followed;
            }
            if (standing) {
                whileStanding += followed;
                mostWhileStanding = Math.max(mostWhileStanding, whileStanding);
            }
        }

        private void rest() {
            standing = false;
            whileStanding = 0;
        }
    }

    private Partition parent() {
        return partitions.resolve(CONTAINER, 0);
    }

    private static PartitionId childId(int range) {
        return Partitions.id(CONTAINER, range);
    }

    private void split() {
        split(() -> splitting = false);
    }

    private void split(Runnable takeOver) {
        splitting = true;
        partitions.split(
                CONTAINER,
                0,
                new RowPlace(DEFINITION),
                Map.of(1, HALVES.get(0), 2, HALVES.get(1)),
                this::followHalf,
                takeOver);
    }

    /** As the log would tell it, but from the rows themselves, and the half of it at most. */
    private long followHalf(Snapshot source, long afterLsn, Map<EpkRange, Partition> children) {
        long last = PartitionState.of(source).lsn();
        long reached = last - (last - afterLsn) / 2;
        follow(source, reached, children);
        return reached;
    }

    private static void follow(Snapshot source, long reached, Map<EpkRange, Partition> children) {
        children.forEach((epks, child) -> {
            long before = child.lsn();
            child.submitGiven(reached, 0, unit -> {
                        try (var cursor = source.scan(KeyRange.prefix(KeySpace.EXPIRY.start()), Direction.FORWARD)) {
                            while (cursor.next()) {
                                var key = ExpiryKey.decode(cursor.key());
                                if (key.second() > before
                                        && key.second() <= reached
                                        && epks.contains(key.item().epk())) {
                                    unit.put(cursor.key(), cursor.value());
                                }
                            }
                        }
                        return null;
                    })
                    .join();
        });
    }

    /** Whatever is done to a child, something happens to the parent before it. */
    private Fault between(PartitionId partition, Commit commit) {
        if (!splitting || partition.equals(childId(0))) {
            return new Fault.None();
        }
        if (crowd != null) {
            crowd.begin();
            return new Fault.None();
        }
        live(parent(), 20);
        if (random.nextInt(100) >= faultsPercent) {
            return new Fault.None();
        }
        return random.nextBoolean() ? new Fault.Fail(random.nextBoolean()) : new Fault.Fence();
    }

    /** Nothing is waited for: while the parent stands still, all of it is sent away. */
    private void live(Partition parent, int steps) {
        for (int step = 0; step < steps; step++) {
            var item = item();
            var value = new byte[] {(byte) ++attempt};
            var note = ViewKeys.places(VIEW, item);
            switch (random.nextInt(5)) {
                case 0 -> {
                    var _ = parent.submitNote(unit -> {
                                unit.put(note, value);
                                return null;
                            })
                            .thenRun(() -> expected.put(text(note), text(value)));
                }
                case 1 -> {
                    var _ = parent.submitNote(unit -> {
                                unit.delete(note);
                                return null;
                            })
                            .thenRun(() -> expected.remove(text(note)));
                }
                case 2 -> {
                    var _ = parent.submitUpkeep(unit -> {
                                unit.put(note, value);
                                return null;
                            })
                            .whenComplete((done, refused) -> {
                                if (refused == null) {
                                    expected.put(text(note), text(value));
                                } else if (cause(refused) instanceof RangeBusy) {
                                    refusedUpkeep++;
                                }
                            });
                }
                default -> {
                    var _ = change(parent, 1);
                }
            }
        }
    }

    private ItemKey item() {
        var key = new PartitionKey(List.of(new Str("p" + random.nextInt(20))));
        return ItemKey.of(
                new LogicalPartition(EffectivePartitionKey.of(key, DEFINITION), key), "i" + random.nextInt(5));
    }

    /** Makes changes, one after another; tells when the last of them is done. */
    private CompletableFuture<Void> change(Partition parent, int changes) {
        var last = CompletableFuture.<Void>completedFuture(null);
        for (int i = 0; i < changes; i++) {
            var item = item();
            var value = new byte[] {(byte) ++attempt};
            last = parent.submit(unit -> {
                        var row = new ExpiryKey(unit.lsn(), item).encode();
                        unit.nextDocument(0);
                        unit.put(row, value);
                        return row;
                    })
                    .thenAccept(done -> expected.put(text(done.result()), text(value)));
        }
        return last;
    }

    private static Throwable cause(Throwable problem) {
        return problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
    }

    private PartitionState state(PartitionId id) {
        try (var partition = store.open(id, 1);
                var snapshot = partition.snapshot()) {
            return PartitionState.of(snapshot);
        }
    }

    private Map<String, String> rows(PartitionId... ids) {
        var rows = new HashMap<String, String>();
        for (var id : ids) {
            try (var partition = store.open(id, 1);
                    var snapshot = partition.snapshot()) {
                for (var space : List.of(KeySpace.EXPIRY, KeySpace.VIEW_PLACES)) {
                    try (var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
                        while (cursor.next()) {
                            rows.put(text(cursor.key()), text(cursor.value()));
                        }
                    }
                }
            }
        }
        return rows;
    }

    private static String text(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
