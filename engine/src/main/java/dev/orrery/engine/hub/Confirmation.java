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
import dev.orrery.engine.key.Origin;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.PassedOver;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.key.Tentative;
import dev.orrery.engine.key.VersionKey;
import dev.orrery.engine.partition.Bites;
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
import java.util.concurrent.CompletionException;

/**
 * Makes what clients see of a range what the settled copy is at one moment, but for what is not settled yet. It goes change by
 * change, so that readers of all versions are told each of them.
 */
final class Confirmation implements AutoCloseable {
    private static final byte[] NOTHING = {};

    /** About how much a step takes besides its item. */
    private static final int STEP_BYTES = 256;

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
        record Last(ItemKey key, Optional<StoredItem> item, boolean isExpired) implements Step {}

        /** It becomes what it was settled as by one change. */
        record Next(LogKey place, LogEntry entry, Optional<StoredItem> version) implements Step {}

        /** A change is told that was passed over, if its item is let go of; nothing, if it was lost with a former hub. */
        record Told(LogKey upTo, ItemKey key, LogKey place, Optional<Next> change) implements Step {}

        /** It is let go of, if its last write here is settled, and becomes what is settled in the end. */
        record Free(LogKey upTo, ItemKey key, Optional<StoredItem> item) implements Step {}
    }

    /** Steps for one commit. */
    private static final class Bite {
        private final List<Step> steps = new ArrayList<>();
        private long bytes;

        void add(Step step, Optional<StoredItem> item) {
            steps.add(step);
            bytes += STEP_BYTES + item.map(StoredItem::sizeBytes).orElse(0);
        }

        boolean isFull() {
            return steps.size() >= Limits.CONFIRM_BITE_ITEMS || bytes >= Limits.CONFIRM_BITE_BYTES;
        }
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
            submit(List.of(), Optional.of(new Confirmed(false, before.epoch(), 0, before.frontier())));
        }
        if (anew) {
            takeAll(before);
            submit(List.of(), Optional.of(whole));
        } else {
            takeChanges(before, whole);
        }
    }

    private void takeChanges(Confirmed before, Confirmed whole) {
        var bite = new Bite();
        long lsn = before.lsn();
        try (var walk = new LogWalk(snapshot, lsn, state.lsn())) {
            while (walk.next()) {
                // The changes of an LSN are taken over together, so none is told twice.
                if (bite.isFull() && walk.place().lsn() != lsn) {
                    submit(bite.steps, Optional.of(new Confirmed(true, epochs.last(), lsn, before.frontier())));
                    bite = new Bite();
                }
                var next = next(walk.place(), walk.entry());
                bite.add(next, next.version());
                lsn = walk.place().lsn();
            }
        }
        submit(bite.steps, Optional.of(whole));
    }

    private Step.Next next(LogKey place, LogEntry entry) {
        return new Step.Next(place, entry, version(place, entry));
    }

    /** From the beginning, where the log has only the latest change of each item. */
    private void takeAll(Confirmed before) {
        var none = new Confirmed(false, epochs.last(), 0, before.frontier());
        var isExpired = new LinkedHashMap<ItemKey, Boolean>();
        try (var walk = new LogWalk(snapshot, 0, state.lsn())) {
            while (walk.next()) {
                isExpired.put(walk.entry().item(), walk.entry().change() == Change.EXPIRE);
                if (isExpired.size() >= Limits.CONFIRM_BITE_ITEMS) {
                    takeLast(isExpired, none);
                    isExpired.clear();
                }
            }
        }
        takeLast(isExpired, none);
        removeWhatIsGone();
    }

    private void takeLast(Map<ItemKey, Boolean> isExpired, Confirmed reached) {
        var bite = new Bite();
        for (var key : isExpired.keySet()) {
            if (bite.isFull()) {
                submit(bite.steps, Optional.of(reached));
                bite = new Bite();
            }
            var item = live(key);
            bite.add(new Step.Last(key, item, isExpired.get(key)), item);
        }
        submit(bite.steps, Optional.of(reached));
    }

    /** Whether the settled copy is not the one any more that was taken over, or tells too little of what was since. */
    private boolean isOutdated(Confirmed before) {
        return before.lsn() > 0
                && (epochs.lastLsnOf(before.epoch()) < before.lsn()
                        || before.lsn() < Math.max(state.forgottenLsn(), settled.completeFromLsn()));
    }

    private void removeWhatIsGone() {
        var bite = new Bite();
        try (var mine = clientSide.snapshot();
                var cursor = mine.scan(KeyRange.prefix(KeySpace.ITEM.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                if (snapshot.get(cursor.key()) == null) {
                    var gone = new Step.Last(ItemKey.decode(cursor.key()), Optional.empty(), false);
                    bite.add(gone, Optional.of(StoredItem.decode(cursor.value())));
                }
                if (bite.isFull()) {
                    submit(bite.steps, Optional.empty());
                    bite = new Bite();
                }
            }
        }
        submit(bite.steps, Optional.empty());
    }

    /**
     * Does some steps in one commit, or in several where they are too much for one.
     *
     * @param reached up to where the settled copy is taken over then; none where that stays as it is
     */
    private void submit(List<Step> steps, Optional<Confirmed> reached) {
        if (steps.isEmpty() && reached.isEmpty()) {
            return;
        }
        try {
            clientSide
                    .submitConfirmation(unit -> {
                        take(unit, steps);
                        reached.ifPresent(place -> unit.put(Confirmed.key(), place.encode()));
                        return null;
                    })
                    .join();
        } catch (CompletionException refused) {
            if (steps.size() < 2 || !Bites.isTooMuch(refused.getCause())) {
                throw refused;
            }
            submit(steps.subList(0, steps.size() / 2), Optional.empty());
            submit(steps.subList(steps.size() / 2, steps.size()), reached);
        }
        reached.ifPresent(front::reach);
    }

    private void take(Unit unit, List<Step> steps) {
        var now = catalog.findContainer(container.rid()).orElse(container);
        for (var step : steps) {
            switch (step) {
                case Step.Last(var key, var item, var isExpired) -> {
                    if (!ConfirmedItems.isHeld(unit, key)) {
                        ConfirmedItems.take(unit, now, key, item, isExpired);
                    }
                }
                case Step.Next next -> {
                    if (!ConfirmedItems.isHeld(unit, next.entry().item())) {
                        take(unit, now, next);
                    } else if (!isToldAlready(unit, next)) {
                        unit.put(PassedOver.rowKey(next.entry().item(), next.place()), NOTHING);
                    }
                }
                case Step.Told(var upTo, var key, var place, var change) -> {
                    if (isSettled(unit, key, upTo)) {
                        unit.delete(PassedOver.rowKey(key, place));
                        change.ifPresent(next -> take(unit, now, next));
                    }
                }
                case Step.Free(var upTo, var key, var item) -> {
                    if (isSettled(unit, key, upTo)) {
                        ConfirmedItems.letGo(unit, key);
                        ConfirmedItems.take(unit, now, key, item, false);
                    }
                }
            }
        }
    }

    /** Whether the last write of an item here is settled, when those up to a place are. */
    private static boolean isSettled(Unit unit, ItemKey key, LogKey upTo) {
        var held = unit.get(Tentative.heldKey(key));
        return held != null && Frontier.covers(upTo, Frontier.decode(held));
    }

    private static void take(Unit unit, Container now, Step.Next next) {
        var change = next.entry().change();
        // Of a version that is not kept any more nobody can be told; the one behind it is taken in its turn.
        if (next.version().isPresent() || change.isEnd()) {
            ConfirmedItems.take(unit, now, next.entry().item(), next.version(), change == Change.EXPIRE);
        }
    }

    /** Whether a settled change is one that was made here, as it was made. */
    private boolean isToldAlready(Unit unit, Step.Next next) {
        return next.entry()
                .origin()
                .filter(origin -> origin.slot() == slot)
                .map(Origin::place)
                .flatMap(place ->
                        Optional.ofNullable(unit.get(Tentative.rowKey(place))).map(row -> Tentative.decode(place, row)))
                .filter(write ->
                        write.item().map(StoredItem::etag).equals(next.version().map(StoredItem::etag)))
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

    /** Readers see all that an item has become meanwhile at once, as far as that goes into one commit. */
    private void letGo(Set<ItemKey> keys, LogKey upTo) {
        var bite = new Bite();
        try (var mine = clientSide.snapshot()) {
            for (var key : keys) {
                if (bite.isFull()) {
                    submit(bite.steps, Optional.empty());
                    bite = new Bite();
                }
                try (var passedOver = mine.scan(PassedOver.rows(key), Direction.FORWARD)) {
                    while (passedOver.next()) {
                        if (bite.bytes >= Limits.CONFIRM_ITEM_BYTES) {
                            submit(bite.steps, Optional.empty());
                            bite = new Bite();
                        }
                        var place = PassedOver.place(passedOver.key());
                        var change = Optional.ofNullable(snapshot.get(place.encode()))
                                .map(LogEntry::decode)
                                .map(entry -> next(place, entry));
                        bite.add(new Step.Told(upTo, key, place, change), change.flatMap(Step.Next::version));
                    }
                }
                var item = live(key);
                bite.add(new Step.Free(upTo, key, item), item);
            }
        }
        submit(bite.steps, Optional.empty());
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
