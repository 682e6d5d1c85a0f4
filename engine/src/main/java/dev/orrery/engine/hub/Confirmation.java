package dev.orrery.engine.hub;

import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.feed.LogWalk;
import dev.orrery.engine.item.ConfirmedItems;
import dev.orrery.engine.key.Confirmed;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.Frontier;
import dev.orrery.engine.key.ItemKey;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.partition.Front;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Limits;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes what clients see of a range what the settled copy is at one moment, but for what is not settled yet. */
final class Confirmation implements AutoCloseable {
    private final Container container;
    private final Catalog catalog;
    private final Partition settled;
    private final Partition clientSide;
    private final Front front;
    private final Snapshot snapshot;
    private final PartitionState state;
    private final Epochs epochs;
    private final SortedMap<Integer, Long> frontier = new TreeMap<>();

    Confirmation(Container container, Catalog catalog, Partition settled, Partition clientSide) {
        this.container = container;
        this.catalog = catalog;
        this.settled = settled;
        this.clientSide = clientSide;
        this.front = clientSide.front().orElseThrow();
        this.snapshot = settled.snapshot();
        this.state = PartitionState.of(snapshot);
        this.epochs = Epochs.ofStored(snapshot.get(Epochs.key()));
        Frontier.of(snapshot).forEach((slot, place) -> frontier.put(slot, place.lsn()));
    }

    /** How far the settled copy is. */
    long lsn() {
        return state.lsn();
    }

    /** Whether what became of some writes can be seen. */
    boolean has(Settled verdict) {
        return verdict.lsn() <= state.lsn() && !isParted(verdict);
    }

    /** Whether a verdict was lost with the hub that gave it. */
    boolean isParted(Settled verdict) {
        return epochs.lastLsnOf(verdict.epoch()) < verdict.lsn();
    }

    /** Takes over what has changed since the last time. */
    void takeOver() {
        var before = front.reached();
        var whole = new Confirmed(true, epochs.last(), state.lsn(), frontier);
        if (whole.equals(before)) {
            return;
        }
        front.promise(whole, epochs);
        boolean anew = !before.isComplete() || isOutdated(before);
        if (anew && before.isComplete()) {
            submit(Map.of(), new Confirmed(false, before.epoch(), 0, before.frontier()));
        }
        long from = anew ? 0 : before.lsn();
        var bite = new LinkedHashMap<ItemKey, Boolean>();
        try (var walk = new LogWalk(snapshot, from, state.lsn())) {
            while (walk.next()) {
                bite.put(walk.entry().item(), walk.entry().change() == Change.EXPIRE);
                if (bite.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    // The changes of an LSN may not all be among them.
                    submit(
                            bite,
                            new Confirmed(!anew, epochs.last(), walk.place().lsn() - 1, before.frontier()));
                    bite.clear();
                }
            }
        }
        if (anew) {
            submit(bite, new Confirmed(false, epochs.last(), 0, before.frontier()));
            bite.clear();
            removeWhatIsGone();
        }
        submit(bite, whole);
    }

    /** Whether the settled copy is not the one any more that was taken over, or tells too little of what was since. */
    private boolean isOutdated(Confirmed before) {
        return before.lsn() > 0
                && (epochs.lastLsnOf(before.epoch()) < before.lsn()
                        || before.lsn() < Math.max(state.forgottenLsn(), settled.completeFromLsn()));
    }

    private void removeWhatIsGone() {
        var gone = new LinkedHashMap<ItemKey, Boolean>();
        try (var mine = clientSide.snapshot();
                var cursor = mine.scan(KeyRange.prefix(KeySpace.ITEM.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                if (snapshot.get(cursor.key()) == null) {
                    gone.put(ItemKey.decode(cursor.key()), false);
                }
                if (gone.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    take(gone);
                    gone.clear();
                }
            }
        }
        take(gone);
    }

    private void submit(Map<ItemKey, Boolean> items, Confirmed reached) {
        clientSide
                .submitConfirmation(unit -> {
                    take(unit, items);
                    unit.put(Confirmed.key(), reached.encode());
                    return null;
                })
                .join();
        front.reach(reached);
    }

    private void take(Map<ItemKey, Boolean> items) {
        clientSide
                .submitConfirmation(unit -> {
                    take(unit, items);
                    return null;
                })
                .join();
    }

    private void take(Unit unit, Map<ItemKey, Boolean> items) {
        var now = catalog.findContainer(container.rid()).orElse(container);
        items.forEach((key, isExpired) -> ConfirmedItems.take(
                unit, now, key, Optional.ofNullable(snapshot.get(key.bytes())).map(StoredItem::decode), isExpired));
    }

    /** Lets go of the items whose last write here is settled: they become what is settled. */
    void letGo(LogKey after, LogKey upTo) {
        var keys = new LinkedHashMap<ItemKey, Boolean>();
        try (var mine = clientSide.snapshot();
                var cursor = mine.scan(upTo(after, upTo), Direction.FORWARD)) {
            while (cursor.next()) {
                keys.put(
                        Tentative.decode(Tentative.place(cursor.key()), cursor.value())
                                .key(),
                        false);
                if (keys.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    letGo(keys, upTo);
                    keys.clear();
                }
            }
        }
        letGo(keys, upTo);
    }

    private void letGo(Map<ItemKey, Boolean> keys, LogKey upTo) {
        clientSide
                .submitConfirmation(unit -> {
                    var free = new LinkedHashMap<ItemKey, Boolean>();
                    for (var key : keys.keySet()) {
                        var held = unit.get(Tentative.heldKey(key));
                        if (held != null && Frontier.covers(upTo, Frontier.decode(held))) {
                            ConfirmedItems.letGo(unit, key);
                            free.put(key, false);
                        }
                    }
                    take(unit, free);
                    return null;
                })
                .join();
    }

    /** Keeps the writes up to a place no longer. */
    static void forget(Partition clientSide, LogKey upTo) {
        List<byte[]> rows = new ArrayList<>();
        try (var mine = clientSide.snapshot();
                var cursor = mine.scan(upTo(new LogKey(0, 0), upTo), Direction.FORWARD)) {
            while (cursor.next()) {
                rows.add(cursor.key());
            }
        }
        if (!rows.isEmpty()) {
            clientSide
                    .submitNote(unit -> {
                        rows.forEach(unit::delete);
                        return null;
                    })
                    .join();
            clientSide.front().orElseThrow().release(rows.size());
        }
    }

    /** The rows of writes behind a place, up to and including another. */
    private static KeyRange upTo(LogKey after, LogKey last) {
        return new KeyRange(
                Tentative.rowKey(new LogKey(after.lsn(), after.sequence() + 1)),
                Tentative.rowKey(new LogKey(last.lsn(), last.sequence() + 1)));
    }

    @Override
    public void close() {
        snapshot.close();
    }
}
