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
import dev.orrery.engine.key.LogEntry;
import dev.orrery.engine.key.LogEntry.Change;
import dev.orrery.engine.key.LogKey;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.PassedOver;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.partition.Front;
import dev.orrery.engine.partition.Partition;
import dev.orrery.engine.partition.Unit;
import dev.orrery.model.Limits;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes what clients see of a range what the settled copy is at one moment, but for what is not settled yet. It goes change by
 * change, so that readers of all versions are told each of them.
 */
final class Confirmation implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final Container container;
    private final Catalog catalog;
    private final Partition settled;
    private final Partition clientSide;
    private final Front front;
    private final int slot;
    private final Snapshot snapshot;
    private final PartitionState state;
    private final Epochs epochs;
    private final SortedMap<Integer, Long> frontier = new TreeMap<>();

    /** What is to become of an item. */
    private sealed interface Step {
        /** It becomes what is settled in the end. */
        record Last(ItemKey key, boolean isExpired) implements Step {}

        /** It becomes what it was settled as by one change. */
        record Next(LogKey place, LogEntry entry) implements Step {}
    }

    /** @param slot of this region */
    Confirmation(Container container, Catalog catalog, Partition settled, Partition clientSide, int slot) {
        this.slot = slot;
        this.container = container;
        this.catalog = catalog;
        this.settled = settled;
        this.clientSide = clientSide;
        this.front = clientSide.front().orElseThrow();
        this.snapshot = settled.snapshot();
        this.state = PartitionState.of(snapshot);
        this.epochs = Epochs.ofStored(snapshot.get(Epochs.key()));
        Frontier.of(snapshot).forEach((region, place) -> frontier.put(region, place.lsn()));
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
            submit(List.of(), new Confirmed(false, before.epoch(), 0, before.frontier()));
        }
        if (anew) {
            takeAll(before);
            submit(List.of(), whole);
        } else {
            takeChanges(before, whole);
        }
    }

    private void takeChanges(Confirmed before, Confirmed whole) {
        var bite = new ArrayList<Step>();
        long lsn = before.lsn();
        try (var walk = new LogWalk(snapshot, lsn, state.lsn())) {
            while (walk.next()) {
                // The changes of an LSN are taken over together, so none is told twice.
                if (bite.size() >= Limits.CONFIRM_BITE_ITEMS && walk.place().lsn() != lsn) {
                    submit(bite, new Confirmed(true, epochs.last(), lsn, before.frontier()));
                    bite.clear();
                }
                bite.add(new Step.Next(walk.place(), walk.entry()));
                lsn = walk.place().lsn();
            }
        }
        submit(bite, whole);
    }

    /** From the beginning, where the log has only the latest change of each item. */
    private void takeAll(Confirmed before) {
        var none = new Confirmed(false, epochs.last(), 0, before.frontier());
        var bite = new LinkedHashMap<ItemKey, Step>();
        try (var walk = new LogWalk(snapshot, 0, state.lsn())) {
            while (walk.next()) {
                var key = walk.entry().item();
                bite.put(key, new Step.Last(key, walk.entry().change() == Change.EXPIRE));
                if (bite.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    submit(List.copyOf(bite.values()), none);
                    bite.clear();
                }
            }
        }
        submit(List.copyOf(bite.values()), none);
        removeWhatIsGone();
    }

    /** Whether the settled copy is not the one any more that was taken over, or tells too little of what was since. */
    private boolean isOutdated(Confirmed before) {
        return before.lsn() > 0
                && (epochs.lastLsnOf(before.epoch()) < before.lsn()
                        || before.lsn() < Math.max(state.forgottenLsn(), settled.completeFromLsn()));
    }

    private void removeWhatIsGone() {
        var gone = new ArrayList<Step>();
        try (var mine = clientSide.snapshot();
                var cursor = mine.scan(KeyRange.prefix(KeySpace.ITEM.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                if (snapshot.get(cursor.key()) == null) {
                    gone.add(new Step.Last(ItemKey.decode(cursor.key()), false));
                }
                if (gone.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    take(gone);
                    gone.clear();
                }
            }
        }
        take(gone);
    }

    private void submit(List<Step> steps, Confirmed reached) {
        clientSide
                .submitConfirmation(unit -> {
                    take(unit, steps);
                    unit.put(Confirmed.key(), reached.encode());
                    return null;
                })
                .join();
        front.reach(reached);
    }

    private void take(List<Step> steps) {
        clientSide
                .submitConfirmation(unit -> {
                    take(unit, steps);
                    return null;
                })
                .join();
    }

    private void take(Unit unit, List<Step> steps) {
        var now = catalog.findContainer(container.rid()).orElse(container);
        for (var step : steps) {
            switch (step) {
                case Step.Last(var key, var isExpired) -> ConfirmedItems.take(unit, now, key, live(key), isExpired);
                case Step.Next(var place, var entry) -> {
                    if (!ConfirmedItems.isHeld(unit, entry.item())) {
                        take(unit, now, place, entry);
                    } else if (!isToldAlready(unit, place, entry)) {
                        unit.put(PassedOver.rowKey(entry.item(), place), NOTHING);
                    }
                }
            }
        }
    }

    private void take(Unit unit, Container now, LogKey place, LogEntry entry) {
        var version = version(place, entry);
        // Of a version that is not kept any more nobody can be told; the one behind it is taken in its turn.
        if (version.isPresent() || entry.change().isEnd()) {
            ConfirmedItems.take(unit, now, entry.item(), version, entry.change() == Change.EXPIRE);
        }
    }

    /** Whether a settled change is one that was made here, as it was made. */
    private boolean isToldAlready(Unit unit, LogKey place, LogEntry entry) {
        return entry.origin()
                .filter(origin -> origin.slot() == slot)
                .map(origin -> unit.get(Tentative.rowKey(origin.place())))
                .map(row -> Tentative.decode(entry.origin().orElseThrow().place(), row))
                .filter(write -> write.item()
                        .map(StoredItem::etag)
                        .equals(version(place, entry).map(StoredItem::etag)))
                .isPresent();
    }

    private Optional<StoredItem> live(ItemKey key) {
        return Optional.ofNullable(snapshot.get(key.bytes())).map(StoredItem::decode);
    }

    /** What a change has made of its item, if that is kept; nothing for its end. */
    private Optional<StoredItem> version(LogKey place, LogEntry entry) {
        return entry.change().isEnd()
                ? Optional.empty()
                : live(entry.item())
                        .filter(live -> LogKey.of(live).equals(place))
                        .or(() -> Optional.ofNullable(snapshot.get(VersionKey.encode(place)))
                                .map(StoredItem::decode));
    }

    /** Lets go of the items whose last write here is settled: they become what is settled. */
    void letGo(LogKey after, LogKey upTo) {
        var keys = new LinkedHashSet<ItemKey>();
        try (var mine = clientSide.snapshot();
                var cursor = mine.scan(upTo(after, upTo), Direction.FORWARD)) {
            while (cursor.next()) {
                keys.add(Tentative.decode(Tentative.place(cursor.key()), cursor.value())
                        .key());
                if (keys.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    letGo(keys, upTo);
                    keys.clear();
                }
            }
        }
        letGo(keys, upTo);
    }

    private void letGo(Set<ItemKey> keys, LogKey upTo) {
        Map<ItemKey, List<byte[]>> passedOver = new LinkedHashMap<>();
        try (var mine = clientSide.snapshot()) {
            keys.forEach(key -> passedOver.put(key, passedOver(mine, key)));
        }
        clientSide
                .submitConfirmation(unit -> {
                    for (var key : keys) {
                        var held = unit.get(Tentative.heldKey(key));
                        if (held != null && Frontier.covers(upTo, Frontier.decode(held))) {
                            ConfirmedItems.letGo(unit, key);
                            take(unit, passedOver(unit, passedOver.get(key)));
                            take(unit, List.of(new Step.Last(key, false)));
                        }
                    }
                    return null;
                })
                .join();
    }

    private static List<byte[]> passedOver(Snapshot mine, ItemKey key) {
        var rows = new ArrayList<byte[]>();
        try (var cursor = mine.scan(PassedOver.rows(key), Direction.FORWARD)) {
            while (cursor.next()) {
                rows.add(cursor.key());
            }
        }
        return rows;
    }

    /** What was passed over of an item, which is told now. */
    private List<Step> passedOver(Unit unit, List<byte[]> rows) {
        var steps = new ArrayList<Step>();
        for (var row : rows) {
            unit.delete(row);
            var place = PassedOver.place(row);
            // What was lost with a former hub is not in the log any more.
            Optional.ofNullable(snapshot.get(place.encode()))
                    .map(LogEntry::decode)
                    .ifPresent(entry -> steps.add(new Step.Next(place, entry)));
        }
        return steps;
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
