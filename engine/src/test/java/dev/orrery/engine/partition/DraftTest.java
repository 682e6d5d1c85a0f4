package dev.orrery.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.LogicalPartition;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Seed;
import dev.orrery.store.Snapshot;
import dev.orrery.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Drafts beside a lane that goes on when the test says so. An item is a row, its document number and its log entry. */
class DraftTest {
    private static final PartitionKeyDefinition DEFINITION =
            PartitionKeyDefinition.parse(JsonReader.parse("{\"paths\":[\"/pk\"]}"));
    private static final int PARTITIONS = 3;
    private static final int ITEMS = 4;

    private final RandomGenerator random = Seed.random();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Partition range = new Partitions(
                    new MemoryStore(),
                    waiting::add,
                    InstantSource.fixed(Instant.EPOCH),
                    random,
                    new WriteRight(),
                    MemoryBudget.unlimited(),
                    Limits.LOGICAL_PARTITION_BYTES_MAX,
                    Runnable::run)
            .resolve(7, 0);
    private final Map<ItemKey, Integer> committed = new HashMap<>();
    private final Set<Long> documents = new HashSet<>();

    @Test
    void aDraftStandsStillWhileItsRangeGoesOn() {
        change(item(0, 0), 1);
        run();
        try (var draft = range.draft()) {
            change(item(0, 0), 2);
            change(item(0, 1), 2);
            run();
            assertThat(value(draft.unit(), item(0, 0))).isEqualTo(1);
            assertThat(value(draft.unit(), item(0, 1))).isNull();
            assertThat(draft.lsn()).isEqualTo(2);
        }
    }

    @Test
    void whatADraftMakesIsSeenByItselfAlone() {
        try (var draft = range.draft()) {
            store(draft.unit(), item(0, 0), 1);
            assertThat(value(draft.unit(), item(0, 0))).isEqualTo(1);
            try (var view = draft.view()) {
                assertThat(items(view.snapshot())).isEmpty();
            }
        }
        assertThat(items(range.snapshot())).isEmpty();
        assertThat(range.lsn()).isEqualTo(1);
    }

    @Test
    void whatADraftRemovesIsNotInItsView() {
        change(item(0, 0), 1);
        change(item(0, 1), 1);
        run();
        try (var draft = range.draft()) {
            remove(draft.unit(), item(0, 0));
            try (var view = draft.view()) {
                assertThat(items(view.snapshot())).isEqualTo(Map.of(item(0, 1), 1));
                assertThat(view.get(item(0, 0).bytes())).isNull();
                assertThat(view.lsn()).isEqualTo(draft.lsn());
            }
        }
        assertThat(items(range.snapshot())).isEqualTo(committed);
    }

    @Test
    void aDraftIsAskedNothingThatOnlyTheLaneKnows() {
        change(item(0, 0), 1);
        run();
        try (var draft = range.draft()) {
            assertThatThrownBy(() -> draft.unit().isChangedSince(0, new byte[] {1}))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void whateverHappensADraftHasItsMomentAndTheLaneKnowsWhetherItHolds() {
        for (int round = 0; round < 300; round++) {
            live();
            run();
            var before = Map.copyOf(committed);
            try (var draft = range.draft()) {
                var changed = play(draft, before);
                var prefix = item(0, 0).partition().itemPrefix();
                var holds = range.submit(unit -> !unit.isChangedSince(draft.lsn(), prefix));
                run();
                assertThat(holds.join().result()).isEqualTo(!changed);
            }
            assertThat(items(range.snapshot())).isEqualTo(committed);
        }
    }

    /** Some steps of a draft of partition 0 and some of the lane; tells whether the lane has changed the partition. */
    private boolean play(Draft draft, Map<ItemKey, Integer> before) {
        var own = new HashMap<>(before);
        var removed = new HashSet<ItemKey>();
        boolean changed = false;
        for (int step = random.nextInt(12); step > 0; step--) {
            var item = item(0, random.nextInt(ITEMS));
            switch (random.nextInt(6)) {
                case 0 -> changed |= live();
                case 1 -> run();
                case 2 -> {
                    if (remove(draft.unit(), item)) {
                        own.remove(item);
                        removed.add(item);
                    }
                }
                default -> {
                    store(draft.unit(), item, step);
                    own.put(item, step);
                }
            }
            assertThat(value(draft.unit(), item)).isEqualTo(own.get(item));
        }
        var seen = new HashMap<>(before);
        seen.keySet().removeAll(removed);
        try (var view = draft.view()) {
            assertThat(items(view.snapshot())).isEqualTo(seen);
        }
        return changed;
    }

    /** Puts one change in line; tells whether it is of partition 0. */
    private boolean live() {
        int partition = random.nextInt(PARTITIONS);
        var item = item(partition, random.nextInt(ITEMS));
        if (random.nextInt(3) > 0) {
            change(item, random.nextInt(1_000));
            return partition == 0;
        }
        run(); // What is in line before it decides whether there is something to remove.
        boolean there = committed.containsKey(item);
        var _ = range.submit(unit -> remove(unit, item)).thenRun(() -> committed.remove(item));
        return there && partition == 0;
    }

    // ---- items ----

    private static ItemKey item(int partition, int id) {
        var key = new PartitionKey(List.of(new Str("p" + partition)));
        return ItemKey.of(new LogicalPartition(EffectivePartitionKey.of(key, DEFINITION), key), "i" + id);
    }

    private void change(ItemKey item, int value) {
        var _ = range.submit(unit -> store(unit, item, value)).thenRun(() -> committed.put(item, value));
    }

    private boolean store(Unit unit, ItemKey item, int value) {
        var old = unit.get(item.bytes());
        long document = old == null ? unit.nextDocument(0) : document(old);
        if (old == null) {
            assertThat(documents.add(document)).as("a number that nobody had").isTrue();
        }
        unit.put(item.bytes(), row(document, value));
        unit.put(DocumentKey.encode(document), item.bytes());
        log(unit, Change.REPLACE, item, document);
        return old == null;
    }

    private static boolean remove(Unit unit, ItemKey item) {
        var old = unit.get(item.bytes());
        if (old != null) {
            unit.delete(item.bytes());
            unit.delete(DocumentKey.encode(document(old)));
            log(unit, Change.DELETE, item, document(old));
        }
        return old != null;
    }

    private static void log(Unit unit, Change change, ItemKey item, long document) {
        if (!unit.isDraft()) {
            var entry = new LogEntry(change, unit.nowSecond(), document, Optional.empty(), item);
            unit.put(new LogKey(unit.lsn(), unit.nextSequence()).encode(), entry.encode());
        }
    }

    private static byte[] row(long document, int value) {
        return ByteBuffer.allocate(12).putLong(document).putInt(value).array();
    }

    private static long document(byte[] row) {
        return ByteBuffer.wrap(row).getLong();
    }

    private static int value(byte[] row) {
        return ByteBuffer.wrap(row).getInt(Long.BYTES);
    }

    private static Integer value(Unit unit, ItemKey item) {
        var row = unit.get(item.bytes());
        return row == null ? null : value(row);
    }

    private static Map<ItemKey, Integer> items(Snapshot rows) {
        var items = new HashMap<ItemKey, Integer>();
        try (var cursor = rows.scan(KeyRange.prefix(KeySpace.ITEM.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                items.put(ItemKey.decode(cursor.key()), value(cursor.value()));
            }
        }
        return items;
    }

    private void run() {
        for (var next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }
}
