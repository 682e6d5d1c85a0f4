package dev.orrery.engine.partition;

import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.PartitionState;
import dev.orrery.engine.key.RowPlace;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.model.Limits;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Snapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Spreads what one partition holds over new ones while it goes on serving: first a copy of a snapshot, then what its log
 * tells of the time since, bite by bite, and last, with its lane standing still, the rest; then the new ones take over.
 *
 * <p>The log tells every change but no upkeep. So there is none meanwhile, except for notes, whose keys the lane keeps.
 */
final class Split {
    private static final int ROUNDS_MAX = 16;

    /** What the log does not tell and every child needs; outlines come with the items that have them. */
    private static final List<KeySpace> COPIED_LAST = RowPlace.SHARED_SPACES.stream()
            .filter(space -> space != KeySpace.OUTLINE)
            .toList();

    /** The parent as of one moment, and the rows noted since the moment before. */
    private record Moment(Snapshot snapshot, Set<ByteKey> notes) implements AutoCloseable {
        @Override
        public void close() {
            snapshot.close();
        }
    }

    private final Partition parent;
    private final RowPlace places;
    private final Follower follower;
    private final InstantSource clock;
    private final LongSupplier nonces;
    private final List<Child> children = new ArrayList<>();
    private final Set<ByteKey> notes = new HashSet<>();
    private long lsn;

    /** @param nonces numbers that nobody else used, for the ids of commits */
    Split(Partition parent, RowPlace places, Follower follower, InstantSource clock, LongSupplier nonces) {
        this.parent = parent;
        this.places = places;
        this.follower = follower;
        this.clock = clock;
        this.nonces = nonces;
    }

    void addChild(PartitionId id, PartitionStore store, EpkRange epks) {
        children.add(new Child(id, store, epks));
    }

    /** @param takeOver makes the new partitions the ones to go to; if it throws, the parent stays */
    void run(Runnable takeOver) {
        try {
            copyAndTakeOver(takeOver);
        } catch (RuntimeException failure) {
            parent.lane()
                    .submitAlone(unit -> {
                        parent.lane().endSplit();
                        return null;
                    })
                    .exceptionally(moved -> null)
                    .join();
            throw failure;
        }
    }

    private void copyAndTakeOver(Runnable takeOver) {
        try (var first = begin()) {
            RowPlace.SHARED_SPACES.forEach(space -> copy(first, space));
            RowPlace.SPACES.forEach(space -> copy(first, space));
            var state = PartitionState.of(first);
            children.forEach(child -> child.finishCopy(state));
            lsn = state.lsn();
        }
        long changes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS_MAX && changes > Limits.SPLIT_STANDSTILL_CHANGES; round++) {
            long before = lsn;
            try (var moment = parent.lane().submitAlone(_ -> moment()).join().result()) {
                catchUp(moment);
            }
            changes = lsn - before;
        }
        if (changes > Limits.SPLIT_STANDSTILL_CHANGES) {
            catchUpInTurns();
        }
        parent.lane()
                .submitAlone(unit -> {
                    try (var last = moment()) {
                        catchUp(last);
                        COPIED_LAST.forEach(space -> copyLast(last.snapshot(), space));
                    }
                    long documents = parent.lane().documentsDrawn();
                    children.forEach(child -> child.upkeep(own -> own.passCount(documents)));
                    takeOver(takeOver);
                    parent.lane().retire();
                    return null;
                })
                .join();
    }

    /**
     * Where writers are faster than this: from now on they wait behind every bite. None of them waits long, and there is less to
     * do after each, or else the next one is larger.
     */
    private void catchUpInTurns() {
        long bites = 1;
        long left = Long.MAX_VALUE;
        while (left > Limits.SPLIT_STANDSTILL_CHANGES) {
            long now = takeTurn(bites);
            bites = now < left ? bites : bites * 2;
            left = now;
        }
    }

    private long takeTurn(long bites) {
        return parent.lane()
                .submitAlone(_ -> {
                    try (var moment = moment()) {
                        notes.addAll(moment.notes());
                        return follow(moment, bites);
                    }
                })
                .join()
                .result();
    }

    private void takeOver(Runnable takeOver) {
        try {
            takeOver.run();
        } catch (RuntimeException failure) {
            // Whether the others have taken over may not be known yet: nothing may be written here before it is.
            parent.lane().distrust();
            throw failure;
        }
    }

    private Snapshot begin() {
        return parent.lane()
                .submitAlone(unit -> {
                    parent.lane().beginSplit();
                    return parent.snapshot();
                })
                .join()
                .result();
    }

    /** Only for work that is alone in the parent's lane. */
    private Moment moment() {
        return new Moment(parent.snapshot(), parent.lane().takeNotes());
    }

    // ---- the copy ----

    private void copy(Snapshot snapshot, KeySpace space) {
        boolean shared = RowPlace.SHARED_SPACES.contains(space);
        try (var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                var key = cursor.key();
                var value = cursor.value();
                if (shared) {
                    children.forEach(child -> child.copy(key, value));
                } else {
                    places.of(key, value).ifPresent(epk -> childOf(epk).copy(key, value));
                }
            }
        }
    }

    // ---- what has happened since ----

    private void catchUp(Moment moment) {
        follow(moment, Long.MAX_VALUE);
        notes.addAll(moment.notes());
        Bites.swallow(List.copyOf(notes), keys -> {
            children.forEach(child -> child.upkeep(unit -> keys.forEach(key -> {
                if (isOf(child, key.bytes())) {
                    set(unit, key.bytes(), moment.snapshot().get(key.bytes()));
                }
            })));
            return CompletableFuture.completedFuture(null);
        });
        notes.clear();
    }

    /** Makes no more than so many bites of the changes; tells how many changes are left. */
    private long follow(Moment moment, long bitesMax) {
        long last = PartitionState.of(moment.snapshot()).lsn();
        var followers = new LinkedHashMap<EpkRange, Partition>();
        children.forEach(child -> followers.put(child.epks, child.partition));
        for (long bite = 0; lsn < last && bite < bitesMax; bite++) {
            lsn = follower.follow(moment.snapshot(), lsn, followers);
        }
        return last - lsn;
    }

    private void copyLast(Snapshot snapshot, KeySpace space) {
        try (var cursor = snapshot.scan(KeyRange.prefix(space.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                var key = cursor.key();
                var value = cursor.value();
                children.forEach(child -> child.upkeep(unit -> unit.put(key, value)));
            }
        }
    }

    private boolean isOf(Child child, byte[] key) {
        return RowPlace.isShared(key) || child.epks.contains(RowPlace.ofNote(key));
    }

    private static void set(Unit unit, byte[] key, byte[] value) {
        if (value == null) {
            unit.delete(key);
        } else {
            unit.put(key, value);
        }
    }

    private Child childOf(EffectivePartitionKey epk) {
        return children.stream()
                .filter(child -> child.epks.contains(epk))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("A row lies outside the range that holds it"));
    }

    /** A new partition: first it is filled row by row, then it follows the parent through a lane of its own. */
    private final class Child {
        private final PartitionId id;
        private final PartitionStore store;
        private final EpkRange epks;
        private final long nonce = nonces.getAsLong();
        private final List<Mutation> waiting = new ArrayList<>();
        private long waitingBytes;
        private PartitionState state = PartitionState.EMPTY;
        private Partition partition;

        Child(PartitionId id, PartitionStore store, EpkRange epks) {
            this.id = id;
            this.store = store;
            this.epks = epks;
        }

        void copy(byte[] key, byte[] value) {
            if (key[0] == KeySpace.ITEM.tag()) {
                state = state.plus(1, StoredItem.decode(value).sizeBytes());
            }
            waiting.add(new Mutation.Put(key, value));
            waitingBytes += key.length + value.length;
            if (waitingBytes >= Limits.GROUP_BYTES_MAX) {
                flush();
            }
        }

        /** Goes on counting where the parent was: clients hold its LSNs in their session tokens. */
        void finishCopy(PartitionState parentState) {
            state = state.withChange(parentState.lsn(), parentState.second())
                    .withDocuments(parentState.documents())
                    .withForgotten(parentState.forgottenLsn(), parentState.forgottenSecond());
            flush();
            // Nobody else writes to it, so its lane needs no thread of its own.
            var lane = new Lane(
                    store,
                    nonces.getAsLong(),
                    Runnable::run,
                    clock,
                    new WriteRight(),
                    parent.lane().memory(),
                    () -> {});
            partition = Partition.of(id, store, lane);
        }

        private void flush() {
            long position = store.lsn();
            waiting.add(new Mutation.Put(PartitionState.key(), state.encode()));
            var result = store.commit(new Commit(new CommitId(nonce, position), position, position + 1, waiting));
            if (result != CommitResult.COMMITTED) {
                throw new IllegalStateException("A new partition refused a commit: " + result);
            }
            waiting.clear();
            waitingBytes = 0;
        }

        void upkeep(Consumer<Unit> work) {
            partition
                    .submitUpkeep(unit -> {
                        work.accept(unit);
                        return null;
                    })
                    .join();
        }
    }
}
