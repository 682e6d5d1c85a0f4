package dev.orrery.engine.item;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.key.DocumentKey;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.model.Limits;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import dev.orrery.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes the items of a range into another partition, with all rows that belong to them made anew. Its log then has one
 * entry for each, and begins behind them. Everything keeps its LSN, its document number and its etag.
 *
 * <p>What cannot be read is passed over and told. Who was there is known from three places: the items themselves, the log
 * and the list of documents; so an item that is lost can be named as long as one of the others is whole.
 */
public final class RangeCopy {
    private final Container container;
    private final Snapshot from;
    private final PartitionStore to;
    private final Consumer<String> lost;
    private final Runnable itemDone;
    private final List<Mutation> waiting = new ArrayList<>();
    private long waitingBytes;
    private long commits;
    private long lastLsn;
    private long lastSecond;
    private long lastDocument;
    private PartitionState state = PartitionState.EMPTY;

    /**
     * Copies a range.
     *
     * @param to a new partition
     * @param lost is told, in words, of what cannot be read
     * @param itemDone is called after each item
     */
    public RangeCopy(Container container, Snapshot from, PartitionStore to, Consumer<String> lost, Runnable itemDone) {
        this.container = container;
        this.from = from;
        this.to = to;
        this.lost = lost;
        this.itemDone = itemDone;
    }

    /** Copies all that can be read, as it is now. */
    public void copyReadable() {
        var gaps = new ArrayList<KeyRange>();
        new TolerantScan(from, KeySpace.ITEM).run(this::copyRow, gaps::add);
        if (!gaps.isEmpty()) {
            recover(gaps);
        }
        finish(readState());
    }

    /** Copies what was there at the end of a second. The log must reach back to it. */
    public void copyAsOf(long second) {
        new TolerantScan(from, KeySpace.ITEM)
                .run(
                        (key, value) -> {
                            var item = StoredItem.decode(value);
                            versionAt(ItemKey.decode(key), LogKey.of(item), second);
                        },
                        this::demandNone);
        // A life that ended later than that; the one after it, if there is one, began later still.
        new TolerantScan(from, KeySpace.LOG)
                .run(
                        (key, value) -> {
                            var entry = LogEntry.decode(value);
                            if (entry.change().isEnd() && entry.second() > second) {
                                entry.previous().ifPresent(place -> versionAt(entry.item(), place, second));
                            }
                        },
                        this::demandNone);
        finish(Optional.of(PartitionState.of(from)));
    }

    private void demandNone(KeyRange gap) {
        throw new StoreException("The store cannot be read from " + gap);
    }

    /** Walks back from a version to the one that was there at a time; nothing if its life began later. */
    private void versionAt(ItemKey key, LogKey last, long second) {
        var place = Optional.of(last);
        while (place.isPresent()) {
            var entry = entryAt(place.get());
            if (entry.second() <= second) {
                put(key, find(key, place.get()), entry);
                return;
            }
            place = entry.previous();
        }
    }

    private LogEntry entryAt(LogKey place) {
        var row = from.get(place.encode());
        if (row == null) {
            throw new IllegalStateException("The log lacks the entry of a version that is there");
        }
        return LogEntry.decode(row);
    }

    private StoredItem find(ItemKey key, LogKey place) {
        var live = from.get(key.bytes());
        if (live != null) {
            var item = StoredItem.decode(live);
            if (LogKey.of(item).equals(place)) {
                return item;
            }
        }
        var version = from.get(VersionKey.encode(place));
        if (version == null) {
            throw new IllegalStateException("A version is missing that the log has an entry of");
        }
        return StoredItem.decode(version);
    }

    // ---- damage ----

    private void copyRow(byte[] rowKey, byte[] value) {
        try {
            var item = StoredItem.decode(value);
            put(ItemKey.decode(rowKey), item, entryOf(ItemKey.decode(rowKey), item));
        } catch (IllegalStateException | IndexOutOfBoundsException malformed) {
            lost.accept(name(rowKey) + ": it is not what was written");
        }
    }

    /** The items of which only the names can be read are read one by one. */
    private void recover(List<KeyRange> gaps) {
        var names = new LinkedHashSet<ItemKey>();
        boolean all = collect(
                        KeySpace.LOG,
                        gaps,
                        value -> {
                            var entry = LogEntry.decode(value);
                            names.remove(entry.item());
                            return entry.change().isEnd() ? Optional.empty() : Optional.of(entry.item());
                        },
                        names)
                || collect(KeySpace.DOCUMENT, gaps, value -> Optional.of(ItemKey.decode(value)), names);
        if (!all) {
            lost.accept("more items that cannot be named: neither the log nor the list of documents can be read whole");
        }
        for (var key : names) {
            try {
                var value = from.get(key.bytes());
                if (value != null) { // It was deleted.
                    copyRow(key.bytes(), value);
                }
            } catch (StoreException unreadable) {
                lost.accept(name(key.bytes()) + ": " + unreadable.getMessage());
            }
        }
    }

    private interface Namer {
        Optional<ItemKey> item(byte[] value);
    }

    /** Whether all rows of a space could be read. */
    private boolean collect(KeySpace space, List<KeyRange> gaps, Namer namer, Set<ItemKey> names) {
        var whole = new boolean[] {true};
        new TolerantScan(from, space)
                .run(
                        (key, value) -> {
                            try {
                                namer.item(value)
                                        .filter(item -> gaps.stream().anyMatch(gap -> gap.contains(item.bytes())))
                                        .ifPresent(names::add);
                            } catch (IllegalStateException | IndexOutOfBoundsException malformed) {
                                whole[0] = false;
                            }
                        },
                        gap -> whole[0] = false);
        return whole[0];
    }

    private LogEntry entryOf(ItemKey key, StoredItem item) {
        try {
            var row = from.get(LogKey.of(item).encode());
            if (row != null) {
                return LogEntry.decode(row);
            }
        } catch (StoreException | IllegalStateException | IndexOutOfBoundsException _) {
            // The item tells the same but for how it came to be.
        }
        return new LogEntry(Change.CREATE, item.second(), item.document(), Optional.empty(), key);
    }

    private Optional<PartitionState> readState() {
        try {
            return Optional.of(PartitionState.of(from));
        } catch (StoreException | IllegalStateException | IndexOutOfBoundsException unreadable) {
            return Optional.empty();
        }
    }

    private static String name(byte[] rowKey) {
        try {
            var key = ItemKey.decode(rowKey);
            return "item '" + key.id() + "' of partition "
                    + key.partition().key().header();
        } catch (RuntimeException unreadable) {
            return "an item without a readable name";
        }
    }

    // ---- writing ----

    private void put(ItemKey key, StoredItem item, LogEntry entry) {
        add(key.bytes(), item.encode());
        ItemRows.of(container, key, item).forEach(this::add);
        // What came before is not there any more.
        var alone = new LogEntry(entry.change(), entry.second(), item.document(), Optional.empty(), key);
        add(LogKey.of(item).encode(), alone.encode());
        state = state.plus(1, item.sizeBytes());
        lastLsn = Math.max(lastLsn, item.lsn());
        lastSecond = Math.max(lastSecond, entry.second());
        lastDocument = Math.max(lastDocument, DocumentKey.countOf(item.document()));
        itemDone.run();
        if (waitingBytes >= Limits.GROUP_BYTES_MAX) {
            flush();
        }
    }

    private void add(byte[] key, byte[] value) {
        waiting.add(new Mutation.Put(key, value));
        waitingBytes += key.length + value.length;
    }

    /** Goes on counting where the other ended: clients hold its LSNs in their session tokens. */
    private void finish(Optional<PartitionState> before) {
        long lsn = Math.max(lastLsn, before.map(PartitionState::lsn).orElse(state.lsn()));
        long second = Math.max(lastSecond, before.map(PartitionState::second).orElse(0L));
        state = state.withChange(lsn, second)
                .withDocuments(Math.max(
                        lastDocument, before.map(PartitionState::documents).orElse(0L)))
                .withForgotten(lsn, second);
        flush();
    }

    private void flush() {
        var mutations = new ArrayList<>(waiting);
        mutations.add(new Mutation.Put(PartitionState.key(), state.encode()));
        long position = to.lsn();
        if (to.commit(new Commit(new CommitId(1, ++commits), position, position + 1, mutations))
                != CommitResult.COMMITTED) {
            throw new IllegalStateException("A new partition refused a commit");
        }
        waiting.clear();
        waitingBytes = 0;
    }
}
