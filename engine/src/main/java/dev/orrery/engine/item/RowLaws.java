package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import dev.orrery.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What must hold between the rows of one range: every item has all rows that belong to it and no others are there, the
 * log has its latest change, and the range knows how many items it has.
 */
public final class RowLaws {
    /** The spaces where each row belongs to one item. */
    private static final Set<KeySpace> OF_ITEMS =
            Set.of(KeySpace.DOCUMENT, KeySpace.EXPIRY, KeySpace.UNIQUE, KeySpace.INDEX);

    private final Container container;
    private final Range range;
    private final Snapshot snapshot;
    private final Consumer<String> broken;
    private final Runnable itemDone;
    private final Map<KeySpace, Long> expected = new EnumMap<>(KeySpace.class);
    private long items;
    private long itemBytes;
    private long lastLsn;

    /**
     * Looks at a range.
     *
     * @param broken is told, in words, of every law that does not hold
     * @param itemDone is called after each item
     */
    public RowLaws(Container container, Range range, Snapshot snapshot, Consumer<String> broken, Runnable itemDone) {
        this.container = container;
        this.range = range;
        this.snapshot = snapshot;
        this.broken = broken;
        this.itemDone = itemDone;
    }

    public void check() {
        walk(KeySpace.ITEM, this::checkItem);
        OF_ITEMS.stream()
                .filter(space -> space != KeySpace.INDEX || isIndexed())
                .forEach(this::count);
        lastLsn = PartitionState.of(snapshot).lsn();
        walk(KeySpace.LOG, this::checkLog);
        walk(KeySpace.VERSION, (key, value) -> StoredItem.decode(value));
        checkState();
    }

    /** While the policy is being changed, what an item has in the index depends on how far that has come. */
    private boolean isIndexed() {
        return container.superseded().isEmpty();
    }

    private interface RowCheck {
        void check(byte[] key, byte[] value);
    }

    /** What cannot be read is said once: the rows behind it in the same space are not seen. */
    private void walk(KeySpace space, RowCheck check) {
        try (var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                try {
                    check.check(cursor.key(), cursor.value());
                } catch (IllegalStateException | IndexOutOfBoundsException malformed) {
                    broken.accept("a row of " + space + " is not what was written: " + malformed.getMessage());
                }
            }
        } catch (StoreException unreadable) {
            broken.accept("rows of " + space + " cannot be read: " + unreadable.getMessage());
        }
    }

    private void checkItem(byte[] rowKey, byte[] value) {
        var key = ItemKey.decode(rowKey);
        var item = StoredItem.decode(value);
        items++;
        itemBytes += item.sizeBytes();
        var name =
                "item '" + key.id() + "' of partition " + key.partition().key().header();
        if (!range.epks().contains(key.epk())) {
            broken.accept(name + " lies outside the range that holds it");
        }
        if (!item.text().member("id").equals(new Str(key.id()))
                || !container
                        .definition()
                        .partitionKey()
                        .extract(item.text())
                        .equals(key.partition().key())) {
            broken.accept(name + " is stored under another id or partition key than its own");
        }
        checkRows(name, key, item);
        checkLogOf(name, key, item);
        itemDone.run();
    }

    private void checkRows(String name, ItemKey key, StoredItem item) {
        var keys = new ArrayList<byte[]>();
        var values = new ArrayList<byte[]>();
        ItemRows.of(container, key, item).forEach((rowKey, value) -> {
            var space = space(rowKey);
            if (isIndexed() || (space != KeySpace.INDEX && space != KeySpace.OUTLINE)) {
                keys.add(rowKey);
                values.add(value);
                expected.merge(space, 1L, Long::sum);
            }
        });
        List<byte[]> found = snapshot.multiGet(keys);
        for (int i = 0; i < keys.size(); i++) {
            if (found.get(i) == null) {
                broken.accept(name + " lacks a row of " + space(keys.get(i)));
            } else if (!Arrays.equals(found.get(i), values.get(i))) {
                broken.accept(name + " has a row of " + space(keys.get(i)) + " that says something else");
            }
        }
    }

    private void checkLogOf(String name, ItemKey key, StoredItem item) {
        var row = snapshot.get(LogKey.of(item).encode());
        if (row == null) {
            broken.accept(name + " lacks the entry of its last change in the log");
            return;
        }
        var entry = LogEntry.decode(row);
        if (!entry.item().equals(key)
                || entry.document() != item.document()
                || entry.change().isEnd()) {
            broken.accept(name + " has an entry in the log that says something else");
        }
    }

    private void checkLog(byte[] key, byte[] value) {
        var place = LogKey.decode(key);
        var entry = LogEntry.decode(value);
        if (place.lsn() > lastLsn || !range.epks().contains(entry.item().epk())) {
            broken.accept("the log has an entry of LSN " + place.lsn() + " that does not belong there");
        }
    }

    /** All that must be there is there, so that more than that is too much. */
    private void count(KeySpace space) {
        var found = new long[1];
        walk(space, (key, value) -> found[0]++);
        long wanted = expected.getOrDefault(space, 0L);
        if (found[0] > wanted) {
            broken.accept((found[0] - wanted) + " rows of " + space + " belong to no item");
        }
    }

    private void checkState() {
        var state = PartitionState.of(snapshot);
        if (state.items() != items || state.itemBytes() != itemBytes) {
            broken.accept("the range has %d items of %d bytes, and thinks it has %d of %d"
                    .formatted(items, itemBytes, state.items(), state.itemBytes()));
        }
    }

    private static KeySpace space(byte[] key) {
        return Arrays.stream(KeySpace.values())
                .filter(space -> space.tag() == key[0])
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("A row of the unknown space " + key[0]));
    }
}
